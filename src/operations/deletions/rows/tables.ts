import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys } from '../../../platform/db/schema/api-keys.ts'
import { bookings, holds, sessions } from '../../../platform/db/schema/bookings.ts'
import * as calendars from '../../../platform/db/schema/calendars.ts'
import { clientBookings, clients, clientWords } from '../../../platform/db/schema/clients.ts'
import { conferencingConnections, meetings } from '../../../platform/db/schema/conferencing.ts'
import { emailTexts } from '../../../platform/db/schema/email-texts.ts'
import {
  availabilityOverrides,
  availabilityRules,
  eventTypes,
} from '../../../platform/db/schema/event-types.ts'
import { eventTypeHosts, formerHosts } from '../../../platform/db/schema/hosts.ts'
import { schedules, timeOff } from '../../../platform/db/schema/hours.ts'
import { images } from '../../../platform/db/schema/images.ts'
import { importedFrom, importJobs } from '../../../platform/db/schema/import-jobs.ts'
import * as mail from '../../../platform/db/schema/mail.ts'
import { importChunks, imports } from '../../../platform/db/schema/moves.ts'
import {
  bookingQuotas,
  invitations,
  members,
  reportDays,
  usageDays,
} from '../../../platform/db/schema/organizations.ts'
import * as money from '../../../platform/db/schema/payments.ts'
import * as records from '../../../platform/db/schema/records.ts'
import { eventTypeRooms, resources } from '../../../platform/db/schema/resources.ts'
import { bookingSearches, bookingWords } from '../../../platform/db/schema/searches.ts'
import { series } from '../../../platform/db/schema/series.ts'
import { slotHolds } from '../../../platform/db/schema/slot-holds.ts'
import { textMessages } from '../../../platform/db/schema/text-messages.ts'
import { freedTimes, waitlistEntries } from '../../../platform/db/schema/waitlist.ts'
import { webhookDeliveries, webhookEndpoints } from '../../../platform/db/schema/webhooks.ts'

/** What goes with the rows of a page; `before` them what else is to be done, by the name of it. */
export type Step = {
  readonly table: SQLiteTable
  /** Which rows, by an index of the table where it can be large. `?1` is the organization. */
  readonly where: string
  readonly children?: readonly Child[]
  readonly before?:
    | 'keys'
    | 'members'
    | 'channels'
    | 'calendar-accounts'
    | 'conferencing'
    | 'event-types'
    | 'images'
  /** How many at once, where something outside is asked for each. */
  readonly atOnce?: number
}

/** Rows that name a row by its id, or emails about it. */
export type Child = { readonly table: SQLiteTable; readonly of: string } | 'letter_keys'

const OURS = 'organization_id = ?1'
const of = (owner: string, owners: string) => `${owner} IN (SELECT id FROM ${owners} WHERE ${OURS})`
const ours = (table: SQLiteTable): Step => ({ table, where: OURS })
const ofEventType = (table: SQLiteTable): Step => ({ table, where: of('event_type_id', 'event_types') })
const ofConnection = (table: SQLiteTable): Step => ({
  table,
  where: of('connection_id', 'calendar_connections'),
})

/** What holds time for a booking, a session or a hold, and its copies elsewhere. */
const OF_HOLDER: readonly Child[] = [
  { table: holds, of: 'holder_id' },
  { table: meetings, of: 'holder_id' },
  { table: calendars.calendarWrites, of: 'holder_id' },
]

/** Of endpoints that are gone already: from one endpoint to the next, each is asked whose it was. */
const DELIVERED = `endpoint_id IN (WITH RECURSIVE met(id) AS (
    SELECT min(endpoint_id) FROM webhook_deliveries
    UNION ALL SELECT (SELECT min(endpoint_id) FROM webhook_deliveries WHERE endpoint_id > met.id)
    FROM met WHERE met.id IS NOT NULL)
  SELECT met.id FROM met
  WHERE (SELECT one.organization_id FROM webhook_deliveries one WHERE one.endpoint_id = met.id LIMIT 1) = ?1)`

/**
 * Every row of an organization but its own, in the order of deletion. Keys and members go first, so that nobody can come in. A
 * row goes before the row by which it is found. The waitlist and the event types go before what releases time or is counted by
 * triggers, so that those triggers write nothing.
 */
export const STEPS: readonly Step[] = [
  { ...ours(apiKeys), before: 'keys', atOnce: 50 },
  { ...ours(members), before: 'members' },
  { ...ours(invitations), children: ['letter_keys'] },
  { ...ours(waitlistEntries), children: ['letter_keys'] },
  ofEventType(freedTimes),
  { ...ofConnection(calendars.calendarChannels), before: 'channels', atOnce: 10 },
  ofConnection(calendars.calendarEvents),
  ofConnection(calendars.calendarBusyTimes),
  ofConnection(calendars.calendarWrites),
  ours(calendars.calendarConnections),
  { ...ours(calendars.calendarAccounts), before: 'calendar-accounts', atOnce: 10 },
  ours(calendars.calendarFeeds),
  { ...ours(conferencingConnections), before: 'conferencing', atOnce: 10 },
  { table: webhookDeliveries, where: of('endpoint_id', 'webhook_endpoints') },
  ours(webhookEndpoints),
  { table: webhookDeliveries, where: DELIVERED },
  ofEventType(availabilityRules),
  ofEventType(availabilityOverrides),
  ofEventType(eventTypeHosts),
  ofEventType(formerHosts),
  { ...ours(slotHolds), children: OF_HOLDER },
  { ...ofEventType(sessions), children: OF_HOLDER },
  {
    table: records.idempotencyKeys,
    where: `scope IN (SELECT 'public/' || id FROM event_types WHERE ${OURS})`,
  },
  // Triggers write it with the event types.
  ofEventType(eventTypeRooms),
  { ...ours(eventTypes), before: 'event-types', atOnce: 50 },
  ours(usageDays),
  ours(reportDays),
  ours(money.paymentSums),
  ours(bookingWords),
  ours(bookingSearches),
  ours(clients),
  ours(clientBookings),
  ours(clientWords),
  { ...ours(images), before: 'images' },
  {
    ...ours(bookings),
    children: [...OF_HOLDER, { table: mail.bookingEmails, of: 'booking_id' }, 'letter_keys'],
  },
  ours(series),
  // Those of sessions that ended, to which no row leads.
  ours(meetings),
  {
    ...ours(money.payments),
    children: [
      { table: money.refunds, of: 'payment_id' },
      { table: money.disputes, of: 'payment_id' },
      'letter_keys',
    ],
  },
  ours(money.paymentAccounts),
  ours(money.subscriptions),
  { ...ours(records.events), children: ['letter_keys'] },
  ours(records.eventSequences),
  ours(records.activity),
  ours(records.loggedAddresses),
  ours(bookingQuotas),
  ours(resources),
  ours(emailTexts),
  ours(schedules),
  ours(timeOff),
  ours(mail.emails),
  ours(textMessages),
  ours(mail.letterCounts),
  ours(mail.sandboxOutbox),
  ours(mail.sandboxFiles),
  { ...ours(mail.supportRequests), children: ['letter_keys'] },
  { table: records.idempotencyKeys, where: "scope >= ?1 || '/' AND scope < ?1 || '0'" },
  { ...ours(imports), children: [{ table: importChunks, of: 'import_id' }] },
  ours(importJobs),
  ours(importedFrom),
]
