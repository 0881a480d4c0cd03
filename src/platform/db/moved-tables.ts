import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys } from './schema/api-keys.ts'
import { bookings, holds, sessions } from './schema/bookings.ts'
import * as calendars from './schema/calendars.ts'
import { clients } from './schema/clients.ts'
import { conferencingConnections, meetings } from './schema/conferencing.ts'
import { emailTexts } from './schema/email-texts.ts'
import { availabilityOverrides, availabilityRules, eventTypes } from './schema/event-types.ts'
import { eventTypeHosts, formerHosts } from './schema/hosts.ts'
import { schedules, timeOff } from './schema/hours.ts'
import { images } from './schema/images.ts'
import { importedFrom } from './schema/import-jobs.ts'
import { emails, sandboxFiles, sandboxOutbox, supportRequests } from './schema/mail.ts'
import { bookingQuotas, invitations, members, organizations, usageDays } from './schema/organizations.ts'
import * as money from './schema/payments.ts'
import * as records from './schema/records.ts'
import { resources } from './schema/resources.ts'
import { series } from './schema/series.ts'
import { slotHolds } from './schema/slot-holds.ts'
import { textMessages } from './schema/text-messages.ts'
import { freedTimes, waitlistEntries } from './schema/waitlist.ts'
import { webhookDeliveries, webhookEndpoints } from './schema/webhooks.ts'

/** How the rows of an organization are found and in which order they are read, by an index of their table. */
type Order =
  /** In the order of this column; if given, only the values for which `among` is true. */
  | { readonly by: 'organization'; readonly key: string; readonly among?: string }
  /** Live, then test. */
  | { readonly by: 'mode'; readonly key: string; readonly statuses?: readonly string[] }
  /** Those of the first of its things, then those of the next. */
  | {
      readonly by: 'event_types' | 'calendar_connections' | 'webhook_endpoints'
      readonly owner: string
      readonly key: string
      readonly statuses?: readonly string[]
    }
  /** Stored responses, whose scope begins with the organization. */
  | { readonly by: 'scope' }
  | { readonly by: 'public-scope' }

/** What belongs to the rows of a page, and is read with them. */
export type Child = {
  readonly table: SQLiteTable
  readonly of: string
  /** The organizations whose rows have any: all, if not given. */
  readonly isOf?: (row: Readonly<Record<string, unknown>>) => boolean
  /** What a row of this table with the same id has was read with that one. */
  readonly besides?: SQLiteTable
}

export type Source = Order & {
  readonly table: SQLiteTable
  readonly children?: readonly Child[]
  /** How many rows are read at once, if they are large. */
  readonly atOnce?: number
}

const BOOKED = ['cancelled', 'confirmed', 'pending_approval', 'pending_payment', 'rescheduled']
const WAITED = ['cancelled', 'expired', 'promoted', 'waiting']
const DELIVERED = ['failed', 'pending', 'retried', 'success']

const byMode = (table: SQLiteTable, key = 'id') => ({ table, by: 'mode', key }) as const
const byOrganization = (table: SQLiteTable, key = 'id') => ({ table, by: 'organization', key }) as const
const byEventType = (table: SQLiteTable, key = 'id') =>
  ({ table, by: 'event_types', owner: 'event_type_id', key }) as const
const byConnection = (table: SQLiteTable, key: string) =>
  ({ table, by: 'calendar_connections', owner: 'connection_id', key }) as const

/** What holds time for a booking or a session, and its copies elsewhere. */
const ofHolder: readonly Child[] = [holds, meetings, calendars.calendarWrites].map((table) => ({
  table,
  of: 'holder_id',
}))
/** A session that a booking became has the id of that booking. */
const ofSession = ofHolder.map((child) => ({ ...child, besides: bookings }))

/** What is still to be taken away after sessions that are over: no row leads to it. `isOurs` finds what was given up. */
const ofEnded = (table: SQLiteTable, isOurs: string) => {
  const rows = `SELECT rowid FROM "${getTableName(table)}" WHERE`
  return {
    ...byOrganization(table, 'rowid'),
    among: `rowid IN (${rows} next_attempt_at >= 0 AND +organization_id = ?1
        UNION ALL ${rows} ${isOurs} AND status = 'failed')
      AND NOT EXISTS (SELECT 1 FROM bookings WHERE id = holder_id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = holder_id)`,
  }
}

/** All that goes over, in the order of an export: what others name comes before them. */
export const SOURCES: readonly Source[] = [
  { table: organizations, by: 'organization', key: 'id' },
  byOrganization(members),
  byOrganization(emailTexts),
  byMode(eventTypes),
  byMode(schedules),
  byMode(resources),
  byMode(calendars.calendarAccounts),
  byMode(calendars.calendarConnections),
  byMode(webhookEndpoints),
  byMode(apiKeys),
  byEventType(eventTypeHosts, 'member_id'),
  byEventType(formerHosts, 'member_id'),
  byEventType(availabilityRules),
  byEventType(availabilityOverrides, 'date'),
  byMode(timeOff),
  byOrganization(invitations),
  byOrganization(conferencingConnections),
  byOrganization(calendars.calendarFeeds),
  byMode(clients, 'contact'),
  // Those in the bucket stay in it.
  { ...byOrganization(images, 'use'), among: 'content IS NOT NULL', atOnce: 20 },
  byMode(series),
  { ...byMode(bookings), statuses: BOOKED, children: ofHolder },
  { ...byEventType(sessions, 'start_time'), children: ofSession },
  {
    ...byMode(slotHolds),
    children: [
      { table: holds, of: 'holder_id', isOf: (row) => row.purpose === 'hold' && row.status === 'held' },
    ],
  },
  { ...byMode(waitlistEntries), statuses: WAITED },
  byEventType(freedTimes),
  {
    ...byMode(money.payments),
    children: [
      { table: money.refunds, of: 'payment_id' },
      { table: money.disputes, of: 'payment_id' },
    ],
  },
  byOrganization(money.paymentAccounts, 'organization_id'),
  byOrganization(money.subscriptions, 'organization_id'),
  byMode(money.paymentSums, 'currency'),
  byConnection(calendars.calendarEvents, 'event_id'),
  byConnection(calendars.calendarBusyTimes, 'rowid'),
  byMode(records.events, 'sequence'),
  byOrganization(records.eventSequences, 'is_test'),
  byMode(records.activity),
  byOrganization(records.loggedAddresses, 'is_test'),
  {
    table: webhookDeliveries,
    by: 'webhook_endpoints',
    owner: 'endpoint_id',
    key: 'id',
    statuses: DELIVERED,
  },
  byMode(usageDays, 'day'),
  byOrganization(bookingQuotas, 'month'),
  byOrganization(emails),
  byOrganization(textMessages),
  byOrganization(sandboxOutbox),
  byOrganization(sandboxFiles),
  byMode(supportRequests),
  byOrganization(importedFrom, 'source'),
  { table: records.idempotencyKeys, by: 'scope' },
  { table: records.idempotencyKeys, by: 'public-scope' },
  ofEnded(
    calendars.calendarWrites,
    'connection_id IN (SELECT id FROM calendar_connections WHERE organization_id = ?1)',
  ),
  ofEnded(meetings, 'organization_id = ?1'),
]

/** Tables that stay behind, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  booking_emails: 'The history of what was sent from here.',
  booking_searches: 'The bookings are read again for the search.',
  booking_words: 'The bookings are read again for the search.',
  calendar_channels: 'Providers notify an address of the old deployment. The new one opens its own channels.',
  client_bookings: 'The bookings are read again for their clients.',
  client_words: 'The bookings are read again for their clients.',
  console_links: 'Good for minutes.',
  console_sessions: 'People sign in where they are.',
  deletions: 'What is deleted here.',
  email_codes: 'Good for minutes.',
  import_chunks: 'An import in progress.',
  event_type_rooms: 'Triggers write it with the event types.',
  import_jobs: 'What was read for it is gone. Another import at the new place makes only what is missing.',
  imports: 'An import in progress.',
  letter_counts: 'How many emails a mailbox got today: the count begins again.',
  letter_keys: 'The sent notifications of handled events: they are not repeated.',
  moves: 'What moves away from here.',
  names: 'Claimed in the directory of the new place.',
  openid_accounts: 'Known at the provider that this deployment trusts: people link theirs at the new one.',
  operator_notices: 'About the deployment.',
  packed_busy_times: 'Packed again by the next sync.',
  packed_holds: 'Packed again by the next question about a large team.',
  passkeys: 'Good at the address where they were made: people add others at the new one.',
  public_counts: 'Calls of the last hour, by their network.',
  report_days: 'Triggers count the bookings and payments as they come in.',
  sign_in_codes: 'Good for minutes.',
  spent_challenges: 'Good for minutes.',
  sweeps: 'About the deployment.',
  text_opt_outs: 'Numbers that opted out of a sender of this deployment.',
}

/** Columns that are sealed under `ENCRYPTION_KEY`. Without it a row goes on without the text, or stays out as a whole. */
export const SEALED: Readonly<Record<string, Readonly<Record<string, 'text' | 'row'>>>> = {
  bookings: { answers: 'text', invitee_phone: 'text' },
  waitlist_entries: { answers: 'text', invitee_phone: 'text' },
  clients: { phone: 'text', notes: 'text' },
  calendar_accounts: { credentials: 'row' },
  conferencing_connections: { credentials: 'row' },
  webhook_endpoints: { secret: 'row', previous_secret: 'text' },
  emails: { message: 'row' },
  sandbox_outbox: { body: 'row' },
  sandbox_files: { content: 'row' },
  idempotency_keys: { answer: 'row' },
}

/** Columns that no line has: the database gives out their values, or they are counted again. */
export const GIVEN_OUT: Readonly<Record<string, readonly string[]>> = {
  freed_times: ['id'],
  // The event type has the count.
  bookings: ['counts_for_all'],
  clients: ['named_by', 'bookings', 'cancelled', 'no_shows', 'last_at', 'next_at'],
}

/** Lines that are named otherwise than their table. */
const LINES: Readonly<Record<string, string>> = {
  clients: 'client',
  email_texts: 'email_text',
  images: 'image',
}

export type MovedTable = {
  readonly name: string
  /** The `type` of its lines. */
  readonly line: string
  readonly table: SQLiteTable
  readonly columns: readonly SQLiteColumn[]
}

function movedTable(table: SQLiteTable): MovedTable {
  const name = getTableName(table)
  const without = GIVEN_OUT[name] ?? []
  const columns = Object.values(getTableColumns(table)).filter((column) => !without.includes(column.name))
  return { name, line: LINES[name] ?? name, table, columns }
}

/** By name. */
export const TABLES: ReadonlyMap<string, MovedTable> = new Map(
  SOURCES.flatMap(({ table, children = [] }) => [table, ...children.map((child) => child.table)])
    .map(movedTable)
    .map((moved) => [moved.name, moved]),
)

export const TABLES_BY_LINE: ReadonlyMap<string, MovedTable> = new Map(
  [...TABLES.values()].map((moved) => [moved.line, moved]),
)

export function movedTableOf(table: SQLiteTable): MovedTable {
  return TABLES.get(getTableName(table))!
}
