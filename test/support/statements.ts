import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as agendaReads from '../../src/booking/agenda/queries.ts'
import * as codeQueries from '../../src/booking/anonymous-callers/codes/queries.ts'
import * as limitQueries from '../../src/booking/anonymous-callers/queries.ts'
import * as limitStatements from '../../src/booking/anonymous-callers/statements.ts'
import * as attentionQueries from '../../src/booking/attention/queries.ts'
import * as bookableQueries from '../../src/booking/bookable/statements.ts'
import * as requestQueries from '../../src/booking/bookings/approval/queries.ts'
import * as requestStatements from '../../src/booking/bookings/approval/statements.ts'
import * as asReadQueries from '../../src/booking/bookings/as-read/queries.ts'
import * as clientQueries from '../../src/booking/bookings/clients/queries.ts'
import * as clientStatements from '../../src/booking/bookings/clients/statements.ts'
import * as creditStatements from '../../src/booking/bookings/credits/statements.ts'
import * as leaverStatements from '../../src/booking/bookings/departed-hosts/statements.ts'
import * as followUps from '../../src/booking/bookings/follow-ups/statements.ts'
import * as handoverQueries from '../../src/booking/bookings/handover/queries.ts'
import * as handoverStatements from '../../src/booking/bookings/handover/statements.ts'
import * as historyQueries from '../../src/booking/bookings/history/queries.ts'
import * as importedStatements from '../../src/booking/bookings/imported/statements.ts'
import * as bookingLimits from '../../src/booking/bookings/limits/statements.ts'
import * as bookingListQueries from '../../src/booking/bookings/list/queries.ts'
import * as listByCreationQueries from '../../src/booking/bookings/list-by-creation/queries.ts'
import * as listByStartQueries from '../../src/booking/bookings/list-by-start/queries.ts'
import * as bookingQueries from '../../src/booking/bookings/queries.ts'
import { NO_REMINDERS } from '../../src/booking/bookings/reminders/plan-reminders.ts'
import * as reminderQueries from '../../src/booking/bookings/reminders/queries.ts'
import * as searchQueries from '../../src/booking/bookings/search/queries.ts'
import * as searchStatements from '../../src/booking/bookings/search/statements.ts'
import * as bookingStatements from '../../src/booking/bookings/statements.ts'
import * as updateQueries from '../../src/booking/bookings/update/queries.ts'
import * as updateStatements from '../../src/booking/bookings/update/statements.ts'
import * as brandingQueries from '../../src/booking/branding/queries.ts'
import * as bufferQueries from '../../src/booking/event-types/buffers/queries.ts'
import * as placeQueries from '../../src/booking/event-types/place-changes/queries.ts'
import * as eventTypeQueries from '../../src/booking/event-types/queries.ts'
import * as eventTypeStatements from '../../src/booking/event-types/statements.ts'
import * as holdQueries from '../../src/booking/holds/queries.ts'
import * as holdStatements from '../../src/booking/holds/statements.ts'
import * as memberBookings from '../../src/booking/hosts/of-member/statements.ts'
import * as hostQueries from '../../src/booking/hosts/queries.ts'
import * as hostStatements from '../../src/booking/hosts/statements.ts'
import * as availabilityQueries from '../../src/booking/hours/event-type/queries.ts'
import * as scheduleRoomQueries from '../../src/booking/hours/schedules/queries.ts'
import * as scheduleRoomStatements from '../../src/booking/hours/schedules/statements.ts'
import * as affectedQueries from '../../src/booking/hours/time-off/affected/queries.ts'
import * as timeOffQueries from '../../src/booking/hours/time-off/queries.ts'
import * as timeOffStatements from '../../src/booking/hours/time-off/statements.ts'
import * as targetQueries from '../../src/booking/hours/time-off/targets/queries.ts'
import * as imageStatements from '../../src/booking/images/statements.ts'
import * as pageQueries from '../../src/booking/listing/queries.ts'
import * as roomQueries from '../../src/booking/resources/queries.ts'
import * as roomStatements from '../../src/booking/resources/statements.ts'
import * as seriesQueries from '../../src/booking/series/queries.ts'
import * as seriesStatements from '../../src/booking/series/statements.ts'
import * as sessionQueries from '../../src/booking/sessions/queries.ts'
import * as sessionStatements from '../../src/booking/sessions/statements.ts'
import * as explanationQueries from '../../src/booking/slots/explain/queries.ts'
import * as textQueries from '../../src/booking/text-messages/queries.ts'
import * as waitlistExpiryQueries from '../../src/booking/waitlist/expiry/queries.ts'
import * as waitlistQueries from '../../src/booking/waitlist/queries.ts'
import * as freedStatements from '../../src/booking/waitlist/statements.ts'
import * as calendarAccountQueries from '../../src/calendars/accounts/queries.ts'
import * as calendarAccountStatements from '../../src/calendars/accounts/statements.ts'
import * as channelQueries from '../../src/calendars/channels/queries.ts'
import * as channelStatements from '../../src/calendars/channels/statements.ts'
import * as consentQueries from '../../src/calendars/consents/queries.ts'
import * as calendarFeedQueries from '../../src/calendars/feeds/queries.ts'
import * as feedStatements from '../../src/calendars/feeds/statements.ts'
import * as calendarInvitationQueries from '../../src/calendars/invitations/queries.ts'
import * as lossQueries from '../../src/calendars/loss/queries.ts'
import * as conferencingAccounts from '../../src/calendars/meetings/accounts/queries.ts'
import * as conferencingQueries from '../../src/calendars/meetings/queries.ts'
import * as conferencingStatements from '../../src/calendars/meetings/statements.ts'
import * as ownershipStatements from '../../src/calendars/ownership/statements.ts'
import * as calendarQueries from '../../src/calendars/queries.ts'
import * as receivingQueries from '../../src/calendars/receiving/queries.ts'
import * as receivingStatements from '../../src/calendars/receiving/statements.ts'
import * as sharingStatements from '../../src/calendars/sharing/statements.ts'
import * as calendarStatements from '../../src/calendars/statements.ts'
import * as syncQueries from '../../src/calendars/sync/queries.ts'
import * as writeQueries from '../../src/calendars/writes/queries.ts'
import * as writeStatements from '../../src/calendars/writes/statements.ts'
import * as agendaQueries from '../../src/delivery/agenda/queries.ts'
import * as callLogQueries from '../../src/delivery/call-log/queries.ts'
import * as emailTextQueries from '../../src/delivery/email-texts/queries.ts'
import * as letterQueries from '../../src/delivery/emails/queries.ts'
import * as letterStatements from '../../src/delivery/emails/statements.ts'
import * as supportQueries from '../../src/delivery/support/queries.ts'
import * as deliveryQueries from '../../src/delivery/webhooks/deliveries/queries.ts'
import * as deliveryStatements from '../../src/delivery/webhooks/deliveries/statements.ts'
import * as feedQueries from '../../src/delivery/webhooks/feed/queries.ts'
import * as overdueQueries from '../../src/delivery/webhooks/overdue/queries.ts'
import * as endpointQueries from '../../src/delivery/webhooks/queries.ts'
import * as owingStatements from '../../src/engine/freed-times/statements.ts'
import * as scheduleQueries from '../../src/engine/schedule/queries.ts'
import * as resourceQueries from '../../src/engine/schedule/resources/queries.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import * as scheduleStatements from '../../src/engine/schedule/statements.ts'
import { FORTNIGHT_MS } from '../../src/engine/schedule/taken/read-times.ts'
import * as takenStatements from '../../src/engine/schedule/taken/statements.ts'
import * as togetherQueries from '../../src/engine/schedule/together/queries.ts'
import * as waitStatements from '../../src/engine/waits/statements.ts'
import * as moneyQueries from '../../src/money/payments/money/queries.ts'
import * as payerQueries from '../../src/money/payments/payers/queries.ts'
import * as paymentQueries from '../../src/money/payments/queries.ts'
import * as refundQueries from '../../src/money/payments/refunds/queries.ts'
import * as paymentStatements from '../../src/money/payments/statements.ts'
import * as planLimits from '../../src/money/plan-limits/statements.ts'
import * as planNotices from '../../src/money/plan-notices/queries.ts'
import * as providerQueries from '../../src/money/provider/queries.ts'
import * as subscriptionQueries from '../../src/money/subscription/queries.ts'
import * as usageQueries from '../../src/money/usage/queries.ts'
import * as reportQueries from '../../src/money/usage/report/queries.ts'
import * as calendarFileQueries from '../../src/operations/calendar-file/queries.ts'
import * as deletionQueries from '../../src/operations/deletions/queries.ts'
import * as deletedQueries from '../../src/operations/deletions/rows/queries.ts'
import * as deletedStatements from '../../src/operations/deletions/rows/statements.ts'
import { STEPS } from '../../src/operations/deletions/rows/tables.ts'
import * as deletionStatements from '../../src/operations/deletions/statements.ts'
import * as peopleQueries from '../../src/operations/erasure/queries.ts'
import * as peopleStatements from '../../src/operations/erasure/statements.ts'
import * as healthQueries from '../../src/operations/health/queries.ts'
import * as importQueries from '../../src/operations/imports/queries.ts'
import * as moveQueries from '../../src/operations/moves/queries.ts'
import * as moveStatements from '../../src/operations/moves/statements.ts'
import * as testDataQueries from '../../src/operations/sandbox/queries.ts'
import * as bookedEntries from '../../src/outbox/activity/bookings/statements.ts'
import * as activityQueries from '../../src/outbox/activity/queries.ts'
import * as activityStatements from '../../src/outbox/activity/statements.ts'
import * as eventQueries from '../../src/outbox/events/queries.ts'
import * as eventStatements from '../../src/outbox/events/statements.ts'
import * as noticeQueries from '../../src/outbox/mail/operator-notices/queries.ts'
import * as mailQueries from '../../src/outbox/mail/queries.ts'
import * as mailStatements from '../../src/outbox/mail/statements.ts'
import * as makerStatements from '../../src/outbox/makers/statements.ts'
import * as apiKeyQueries from '../../src/people/api-keys/queries.ts'
import * as apiKeyStatements from '../../src/people/api-keys/statements.ts'
import * as organizationQueries from '../../src/people/organizations/queries.ts'
import * as setupQueries from '../../src/people/organizations/setup-steps/queries.ts'
import * as addressQueries from '../../src/people/sign-in/address/queries.ts'
import * as linkQueries from '../../src/people/sign-in/links/queries.ts'
import * as openidQueries from '../../src/people/sign-in/openid/queries.ts'
import * as passkeyQueries from '../../src/people/sign-in/passkeys/queries.ts'
import * as signInQueries from '../../src/people/sign-in/queries.ts'
import * as signInStatements from '../../src/people/sign-in/statements.ts'
import * as waysInQueries from '../../src/people/sign-in/ways-in/queries.ts'
import * as invitationQueries from '../../src/people/team/invitations/queries.ts'
import * as teamQueries from '../../src/people/team/queries.ts'
import * as teamStatements from '../../src/people/team/statements.ts'
import { SYSTEM } from '../../src/platform/auth/caller.ts'
import * as keyHashes from '../../src/platform/auth/key-hashes.ts'
import type { Db } from '../../src/platform/db/client.ts'
import { emailSpellings } from '../../src/platform/db/email-spellings.ts'
import { firstIdOf, looseId } from '../../src/platform/db/ids.ts'
import { movedTableOf, SOURCES } from '../../src/platform/db/moved-tables.ts'
import { apiKeys } from '../../src/platform/db/schema/api-keys.ts'
import { bookings, holds } from '../../src/platform/db/schema/bookings.ts'
import {
  calendarAccounts,
  calendarConnections,
  calendarWrites,
} from '../../src/platform/db/schema/calendars.ts'
import { clients } from '../../src/platform/db/schema/clients.ts'
import { eventTypes } from '../../src/platform/db/schema/event-types.ts'
import { eventTypeHosts } from '../../src/platform/db/schema/hosts.ts'
import { schedules, timeOff } from '../../src/platform/db/schema/hours.ts'
import { members, organizations } from '../../src/platform/db/schema/organizations.ts'
import { payments, refunds } from '../../src/platform/db/schema/payments.ts'
import { events } from '../../src/platform/db/schema/records.ts'
import { resources } from '../../src/platform/db/schema/resources.ts'
import { slotHolds } from '../../src/platform/db/schema/slot-holds.ts'
import { waitlistEntries } from '../../src/platform/db/schema/waitlist.ts'
import { webhookDeliveries, webhookEndpoints } from '../../src/platform/db/schema/webhooks.ts'
import type { AskedMs, PresentMs, RealMs } from '../../src/platform/limits/clock.ts'
import * as nameQueries from '../../src/platform/names/queries.ts'
import * as nameStatements from '../../src/platform/names/statements.ts'
import { type History, UPCOMING } from './history.ts'

const DAY_MS = 86_400_000

/** What runs a query or makes statements, and how much may be read where that is more than a few rows. */
type Run = (db: Db) => unknown
type Runs = Readonly<Record<string, Run | readonly [Run, number] | typeof ONCE>>

/** Runs rarely and on its own, and may look through everything. */
export const ONCE = 'once'

/**
 * Every query and statement by file and name, with values as they are in an organization with a long
 * history. What changes or deletes whole things is given the name of nothing, so that the others find theirs.
 */
const sourceOf = (table: SQLiteTable) => SOURCES.find((source) => source.table === table)!
const movedBookings = sourceOf(bookings)
const movedHolds = { table: movedTableOf(holds), of: 'holder_id', besides: bookings }
const movedDeliveries = sourceOf(webhookDeliveries)
const bookedStep = STEPS.find(({ table }) => table === bookings)!

export async function statementsOf(reading: Db, past: History): Promise<Readonly<Record<string, Runs>>> {
  const first = async <T extends SQLiteTable>(table: T, where: SQL = sql`true`) => {
    const [row] = await reading.select().from(table).where(where).limit(1)
    return row as T['$inferSelect']
  }
  const { organization, now, everyday, host, connection, endpoint, middle, lastWaiting } = past
  const [real, present] = [now as RealMs, now as PresentMs]
  const { id: org } = organization
  const tenant = { organizationId: org, isTest: false }
  const isOurs = sql`organization_id = ${org} AND is_test = 0`
  const nothing = looseId()
  const handedTo = {
    ...{ start: now, end: now + 1, hold: { start: now, end: now + 1 }, resourceIds: [host], session: null },
    ...{
      host: null,
      coHosts: [],
      calendarConnectionId: null,
      busyAsOf: null,
      creditedIds: [host],
      isAssignment: true,
    },
    units: [],
  }
  const noIds = JSON.stringify([nothing])
  const change = { action: 'test', resourceType: 'organization', resourceId: org } as const
  const page = { limit: 20, starting_after: undefined }
  const after = { limit: 20, starting_after: middle }
  const range = { start: now, end: now + 31 * DAY_MS }
  const long = now - 90 * DAY_MS
  const wholeAgenda = [org, 0, null, null, null] as const
  const agendaDay = [now, now + DAY_MS, now] as const
  const [hostIds, everydayIds] = [JSON.stringify([host]), JSON.stringify([everyday])]
  const booking = await first(bookings, sql`id = ${middle}`)
  const member = await first(members, sql`id = ${host}`)
  const owner = await first(members, sql`organization_id = ${org} AND role = 'owner'`)
  const organizationRow = await first(organizations, sql`id = ${org}`)
  const eventType = await first(eventTypes, sql`id = ${everyday}`)
  const hostRow = await first(eventTypeHosts, sql`id = ${host}`)
  const payment = await first(payments, sql`${isOurs} AND status = 'succeeded'`)
  const refund = await first(refunds)
  const dispute = {
    ...{
      id: nothing,
      paymentId: nothing,
      organizationId: org,
      isTest: false,
      amount: 100,
      reason: 'fraudulent',
    },
    ...{ phase: 'open' as const, evidenceDueAt: null, createdAt: now, updatedAt: now },
  }
  const entry = await first(waitlistEntries, sql`id = ${lastWaiting}`)
  const held = await first(slotHolds, sql`status = 'held'`)
  const event = await first(events, isOurs)
  const delivery = await first(webhookDeliveries, sql`${isOurs} AND status = 'success'`)
  const failed = await first(webhookDeliveries, sql`${isOurs} AND status = 'failed'`)
  const endpointRow = await first(webhookEndpoints, sql`id = ${endpoint}`)
  const key = await first(apiKeys, sql`${isOurs} AND revoked_at IS NULL`)
  const connected = await first(calendarConnections, sql`id = ${connection}`)
  const absence = await first(timeOff, sql`${isOurs} AND external_id = 'hr-1'`)
  const roomRow = await first(resources, isOurs)
  const client = await first(clients, sql`${isOurs} AND notes IS NULL`)
  const clientPage = { ...page, sort: 'last', q: undefined } as const
  const clientChange = { ...client, phone: null, phoneMark: null, bookings: 0, cancelled: 0, noShows: 0 }
  const countedBooking = {
    ...{ bookingId: booking.id, contact: client.contact, isCancelled: false, startTime: booking.startTime },
    noShow: false,
  }
  const workingHours = await first(schedules, sql`${isOurs} AND member_id = ${host}`)
  const deletion: deletionQueries.DeletionRow = {
    ...{ organizationId: nothing, kind: 'closed', requestedAt: now, deletesAt: now },
    ...{ suspendedBefore: null, nextAt: now, begunAt: null, requestedBy: 'owner' },
  }
  const usedMonth = { organizationId: org, month: '2026-11', noticed: {}, noticeAt: now }
  const calendarFeed = {
    id: nothing,
    organizationId: org,
    memberId: null,
    tokenHash: 'hash',
    createdByType: 'service' as const,
    createdById: null,
    createdAt: now,
  }
  const channel = {
    id: nothing,
    connectionId: connection,
    provider: 'calendar_a',
    resourceId: null,
    secretHash: 'hash',
    expiresAt: now,
    renewAt: now,
    createdAt: now,
  } as const
  const moving = {
    link: { from: null, to: 'https://meet.example.com/new' },
    location: { from: null, to: null },
    ...{ isMade: false, isOnItsWay: true },
  }
  const late = (now + 80 * DAY_MS) as PresentMs
  const textRow = {
    ...{ id: nothing, organizationId: org, isTest: false, bookingId: middle, kind: 'reminder' as const },
    ...{ occasion: 1, onceKey: nothing, nextAttemptAt: now, createdAt: now },
  }
  const emailText = {
    ...{ id: `${org}reminderen`, organizationId: org, kind: 'reminder' as const, locale: 'en' as const },
    ...{ subject: null, intro: 'Hello', closing: null, updatedAt: 1 },
  }
  const calendarAccount = await first(calendarAccounts, sql`id = ${connection}`)
  const write = await first(calendarWrites, sql`connection_id = ${connection}`)
  const meeting = {
    holderId: nothing,
    organizationId: org,
    isTest: false,
    provider: 'video_a',
    connectionId: null,
    meetingId: null,
    joinUrl: null,
    wantedRevision: 1,
    writtenStart: null,
    writtenEnd: null,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: null,
    claimedUntil: now,
    lastError: null,
    updatedAt: 1,
  } as const
  const account = {
    id: nothing,
    organizationId: nothing,
    isTest: false,
    provider: 'video_a',
    memberId: nothing,
    externalId: 'a-zoom-user',
    accountEmail: 'host@example.com',
    credentials: 'sealed',
    status: 'active',
    error: null,
    connectedAt: 1,
    updatedAt: 1,
  } as const
  const consoleLink = {
    id: nothing,
    tokenHash: nothing,
    memberId: null,
    usedAt: null,
    expiresAt: now,
    createdAt: now,
  }
  const signInCode = {
    ...{ id: nothing, email: 'ada@example.com', mailbox: 'ada@example.com', network: '192.0.2.1' },
    ...{
      browser: null,
      locale: 'en',
      path: '/console',
      wrongTries: 0,
      usedAt: null,
      expiresAt: now,
      createdAt: now,
    },
  }
  const passkey = {
    ...{ id: nothing, credentialId: nothing, email: 'ada@example.com', memberId: null, userHandle: nothing },
    ...{ publicKey: '-7.key', counter: 0, name: 'Phone', usedAt: null, createdAt: now },
  }
  const openidAccount = {
    ...{ id: nothing, issuer: 'https://id.example.com', subjectHash: nothing, email: 'ada@example.com' },
    ...{ memberId: null, usedAt: null, createdAt: now },
  }
  const session = {
    ...{ id: nothing, tokenHash: nothing, email: 'ada@example.com', memberId: null, organizationId: null },
    ...{ isTest: false, device: 'Firefox', provenAt: now, usedAt: now, createdAt: now },
  }
  const groupSession = {
    ...{ id: nothing, eventTypeId: nothing, startTime: now, endTime: now, seatsTaken: 1, createdAt: now },
    ...{ assignedHost: null, coHosts: null, calendarConnectionId: null, resources: null },
  }
  const movedTo = {
    ...{ start: now, end: now + 1, hold: { start: now, end: now + 1 }, resourceIds: [], session: null },
    ...{
      host: null,
      coHosts: [],
      calendarConnectionId: null,
      busyAsOf: null,
      creditedIds: [],
      isAssignment: false,
    },
    units: [],
  }
  const placed = {
    schedule: { eventType: { id: everyday }, hosts: [] as Schedule['hosts'] } as Schedule,
    placement: { ...movedTo, creditedIds: [host], isAssignment: true },
  }
  const viewer = { person: session, memberIds: [host] }
  const goneBefore = { memberIds: JSON.stringify([nothing]), emails: '["nobody@example.com"]' }
  const addressMove = {
    ...{ memberIds: [host], from: owner.userEmail.toLowerCase(), to: 'ada@new.example', session, now: real },
  }
  const paymentAccount = {
    organizationId: org,
    accountId: nothing,
    country: 'DE',
    chargesEnabled: true,
    payoutsEnabled: true,
    connectedAt: 1,
    disconnectedAt: null,
    createdAt: 1,
    updatedAt: 1,
  }
  const letters = {
    onceKey: 'once',
    kind: 'ready',
    subjectId: null,
    occasion: null,
    letters: [
      {
        isCounted: true,
        id: looseId(),
        recipientId: null,
        recipient: 'ada@example.com',
        address: 'ada@example.com',
        message: 'sealed',
      },
    ],
  } as const
  const anonymous = { networkMark: 'network', addressMark: 'address', hourEndsAt: now }
  const place = { ...tenant, eventTypeId: everyday }
  const publicLimits = {
    bookings_per_network_hour: 60,
    pending_per_network: 5,
    active_per_email: 10,
    waiting_per_email: 3,
    attendees_per_booking: 10,
    sms_per_number_day: 5,
    sms_per_day: 100,
  }
  const item = {
    id: looseId(),
    organizationId: org,
    onceKey: 'once',
    channel: 'email',
    recipient: 'ada@example.com',
    subject: null,
    body: 'sealed',
    createdAt: now,
  } as const
  const billing = await subscriptionQueries.getBilling(reading, org)
  return {
    'outbox/activity/statements.ts': {
      recordActivity: (db) => activityStatements.recordActivity(db, tenant, SYSTEM, change),
      recordActivities: (db) => activityStatements.recordActivities(db, tenant, SYSTEM, [change]),
      recordActivityWhen: (db) => activityStatements.recordActivityWhen(db, tenant, change, sql`false`),
    },
    'outbox/activity/bookings/statements.ts': {
      selectBooked: [(db) => bookedEntries.selectBooked(db, tenant, after), 6 * 21],
      selectBookedOne: (db) => bookedEntries.selectBookedOne(db, tenant, nothing, after),
      selectBookedCursor: (db) => bookedEntries.selectBookedCursor(db, tenant, after),
      clearBookedAddresses: (db) =>
        bookedEntries.clearBookedAddresses(db, org, firstIdOf(long), firstIdOf(long)),
    },
    'outbox/activity/queries.ts': {
      selectLastChange: (db) => activityQueries.selectLastChange(db, tenant, everyday),
      selectActivity: (db) => activityQueries.selectActivity(db, tenant, after),
      selectCursor: (db) => activityQueries.selectCursor(db, tenant, after),
      selectOldAddresses: (db) => activityQueries.selectOldAddresses(db, long),
      pruneAddresses: [
        (db) => activityQueries.pruneAddresses(db, long, { ...tenant, firstId: firstIdOf(long) }),
        5 * 21,
      ],
    },
    'platform/auth/key-hashes.ts': {
      listKeyHashes: (db) => keyHashes.listKeyHashes(db, org),
      listMemberKeyHashes: (db) => keyHashes.listMemberKeyHashes(db, [host, owner.id]),
    },
    'people/api-keys/queries.ts': {
      findKeyInTenant: (db) => apiKeyQueries.findKeyInTenant(db, tenant, key.id),
      listKeysInTenant: (db) => apiKeyQueries.listKeysInTenant(db, tenant, page),
      insertKey: (db) => apiKeyQueries.insertKey(db, { ...key, id: looseId(), hash: 'new' }),
      revokeKey: (db) => apiKeyQueries.revokeKey(db, nothing, now),
      listOpenKeysOfMember: (db) => apiKeyQueries.listOpenKeysOfMember(db, host),
      revokeKeysOfMember: (db) => apiKeyQueries.revokeKeysOfMember(db, nothing, now),
      pruneRevokedKeys: (db) => apiKeyQueries.pruneRevokedKeys(db, 1, 500),
    },
    'people/api-keys/statements.ts': {
      lowerKeysOf: (db) => apiKeyStatements.lowerKeysOf(db, host, 'viewer'),
      lowerKeysOfOwner: (db) => apiKeyStatements.lowerKeysOfOwner(db, org),
    },
    'booking/slots/explain/queries.ts': {
      selectHoldersNear: (db) =>
        explanationQueries.selectHoldersNear(db, eventType.id, {
          start: booking.startTime,
          end: booking.endTime,
          duration: undefined,
        }),
    },
    'booking/hours/event-type/queries.ts': {
      replaceRules: (db) => availabilityQueries.replaceRules(db, nothing, []),
      replaceOverrides: (db) => availabilityQueries.replaceOverrides(db, nothing, []),
      guardEventType: (db) => availabilityQueries.guardEventType(db, everyday),
      selectRules: (db) => availabilityQueries.selectRules(db, everyday),
      selectOverrides: (db) => availabilityQueries.selectOverrides(db, everyday),
    },
    'engine/schedule/statements.ts': {
      // All who wait there.
      insertFreedForInvitee: [
        (db) =>
          scheduleStatements.insertFreedForInvitee(db, {
            id: middle,
            sessionId: null,
            eventTypeId: everyday,
            inviteeEmail: 'zoë@example.com',
          }),
        500,
      ],
      // All that is owed, for it is handed out together.
      selectFreed: [(db) => scheduleStatements.selectFreed(db, everyday), 600],
      guardSchedule: (db) => {
        const calendars = [{ connection: connected }]
        return scheduleStatements.guardSchedule(db, {
          eventType,
          organization: organizationRow,
          calendars,
        } as never)
      },
      selectVersion: (db) => scheduleStatements.selectVersion(db, everyday),
      endExpired: (db) => scheduleStatements.endExpired(db, everyday, present),
      guardVersion: (db) =>
        scheduleStatements.guardVersion(db, { eventType, version: { own: 0, shared: 0 } }),
    },
    'engine/schedule/queries.ts': {
      // What a month holds, each of it twice: the hold and the booking; the busy times of its calendar; the dates of a
      // schedule; what the host holds in the weeks around it; and all that is owed to those who wait.
      selectSchedule: [
        (db) =>
          scheduleQueries.selectSchedule(
            db,
            everyday,
            now,
            '2026-11',
            range.start,
            range.end,
            now,
            '2026-01-01',
            '2027-01-01',
            emailSpellings(booking.inviteeEmail),
            middle,
            0,
            now,
            0,
            0,
            '',
          ),
        3 * UPCOMING,
      ],
    },
    'engine/schedule/resources/queries.ts': {
      // What a month holds: the holds and busy times of its calendar, the dates of a schedule, and what the host holds in the
      // weeks around it.
      selectResources: [
        (db) =>
          resourceQueries.selectResources(
            db,
            everyday,
            now,
            range.start,
            range.end,
            '2026-01-01',
            '2027-01-01',
            now,
          ),
        5 * UPCOMING,
      ],
      selectChangedResources: [
        (db) =>
          resourceQueries.selectChangedResources(
            db,
            everyday,
            now,
            range.start,
            range.end,
            '2026-01-01',
            '2027-01-01',
            now,
            0,
            0,
            '',
          ),
        5 * UPCOMING,
      ],
    },
    'engine/schedule/taken/statements.ts': {
      // A sync packs what it changed; here nothing was packed before, and a year has all that the calendar has.
      packBusyTimes: [(db) => takenStatements.packBusyTimes(db, connection), 3 * UPCOMING],
      // What a host holds in two fortnights.
      packHolds: [
        (db) =>
          takenStatements.packHolds(
            db,
            everyday,
            JSON.stringify([0, 1].map((at) => Math.floor(now / FORTNIGHT_MS) + at)),
          ),
        2 * UPCOMING,
      ],
      prunePackedHolds: (db) => takenStatements.prunePackedHolds(db, 1, 500),
    },
    'engine/schedule/together/queries.ts': {
      selectOffers: (db) => togetherQueries.selectOffers(db, JSON.stringify([everyday]), '2026-11'),
      // What a month holds.
      selectSpans: [
        (db) =>
          togetherQueries.selectSpans(
            db,
            JSON.stringify([[everyday, now]]),
            range.start,
            range.end,
            '2026-01-01',
            '2027-01-01',
          ),
        UPCOMING,
      ],
      // The hold of each booking, and the dates of the year.
      selectPeople: [
        (db) =>
          togetherQueries.selectPeople(
            db,
            JSON.stringify([[host, now, 0, host]]),
            range.start,
            range.end,
            '2026-01-01',
            '2027-01-01',
          ),
        2 * UPCOMING,
      ],
      selectCalendarsOfPeople: [
        (db) =>
          togetherQueries.selectCalendarsOfPeople(
            db,
            JSON.stringify([[host, now, 0, host]]),
            range.start,
            range.end,
          ),
        2 * UPCOMING,
      ],
      selectCalendars: [
        (db) =>
          togetherQueries.selectCalendars(db, JSON.stringify([[connection, now]]), range.start, range.end),
        2 * UPCOMING,
      ],
      selectClosing: [
        (db) => togetherQueries.selectClosing(db, JSON.stringify([connection]), range.start, range.end),
        4 * UPCOMING,
      ],
      selectRooms: (db) =>
        togetherQueries.selectRooms(
          db,
          JSON.stringify([[roomRow.id, now]]),
          range.start,
          range.end,
          '2026-01-01',
          '2027-01-01',
        ),
      selectUnits: (db) =>
        togetherQueries.selectUnits(db, JSON.stringify([[roomRow.id, now]]), range.start, range.end),
      selectFeeds: (db) =>
        togetherQueries.selectFeeds(db, JSON.stringify([[roomRow.id, now]]), range.start, range.end),
      selectHours: (db) =>
        togetherQueries.selectHours(db, JSON.stringify([past.schedule]), '2026-01-01', '2027-01-01'),
    },
    'booking/listing/queries.ts': {
      selectOwner: (db) => pageQueries.selectOwner(db, organization.slug, '2027-01'),
      selectPlaces: (db) => pageQueries.selectPlaces(db, organization.slug),
      selectSomeListed: (db) => pageQueries.selectSomeListed(db, organization.slug, 2),
      selectListed: (db) => pageQueries.selectListed(db, organization.slug, [eventType.id]),
      findPageOf: (db) => pageQueries.findPageOf(db, middle),
      findEventPage: (db) => pageQueries.findEventPage(db, organization.slug, eventType.slug, '2027-01'),
    },
    'booking/bookings/list/queries.ts': {
      listBookingsInTenant: [(db) => bookingListQueries.listBookingsInTenant(db, tenant, after), 6 * 21],
      listAgenda: [
        (db) =>
          bookingListQueries.listAgenda(db, tenant, {
            ...{
              from: now,
              until: now + 90 * DAY_MS,
              isBackwards: false,
              isCancelled: false,
              after: null,
              limit: 20,
            },
          }),
        400,
      ],
      selectSealed: (db) => bookingListQueries.selectSealed(db, tenant, [booking.id]),
      listRequests: (db) =>
        bookingListQueries.listRequests(db, tenant, { now: present, after: null, limit: 20 }),
      listIdsIn: (db) => {
        const booked = [{ eventTypeId: everyday }, { eventTypeId: everyday, memberId: host }]
        return bookingListQueries.listIdsIn(db, tenant, booked, [{ start: now, end: now + 3_600_000 }])
      },
      listBookingsById: (db) => bookingListQueries.listBookingsById(db, tenant, [booking.id]),
      findBookedEventTypes: (db) => bookingListQueries.findBookedEventTypes(db, [{ eventTypeId: everyday }]),
    },
    'booking/bookings/list-by-creation/queries.ts': {
      selectByCreation: [(db) => listByCreationQueries.selectByCreation(db, tenant, after), 6 * 21],
    },
    'booking/bookings/list-by-start/queries.ts': {
      selectByStart: [(db) => listByStartQueries.selectByStart(db, tenant, after), 6 * 21],
    },
    'booking/bookings/clients/queries.ts': {
      selectContacts: (db) => clientQueries.selectContacts(db, tenant, [booking.id], 1_001),
      selectCursor: (db) =>
        clientQueries.selectCursor(db, tenant, { ...clientPage, starting_after: client.id }),
      selectPage: [(db) => clientQueries.selectPage(db, tenant, clientPage, [], null), 25],
      selectClient: (db) => clientQueries.selectClient(db, tenant, client.contact),
      selectCounted: (db) => clientQueries.selectCounted(db, [booking.id]),
      selectRemaining: (db) => clientQueries.selectRemaining(db, tenant, [client.contact], [booking.id]),
      selectUncounted: [(db) => clientQueries.selectUncounted(db, tenant, client.contact, 200), 63],
    },
    'booking/bookings/clients/statements.ts': {
      keepCounted: (db) => [clientStatements.keepCounted(db, tenant, [countedBooking])],
      leaveOut: (db) => [clientStatements.leaveOut(db, [nothing])],
      guardCounted: (db) => [
        clientStatements.guardCounted(db, [booking], new Map([[booking.id, countedBooking]])),
      ],
      renameClients: (db) => [clientStatements.renameClients(db, tenant, [clientChange])],
      upsertClients: (db) => [clientStatements.upsertClients(db, tenant, [clientChange])],
      dropOldWords: (db) => [clientStatements.dropOldWords(db, tenant, [clientChange])],
      dropEmptied: (db) => clientStatements.dropEmptied(db, tenant, [client]),
      dropClient: (db) => [...clientStatements.dropClient(db, tenant, 'nobody@example.com')],
      forgetPhone: (db) => [clientStatements.forgetPhone(db, tenant, 'mark')],
      rewriteNotes: (db) =>
        clientStatements.rewriteNotes(db, JSON.stringify([{ id: client.id, notes: 'a', cleared: 'b' }])),
      correctStarts: (db) => clientStatements.correctStarts(db, tenant, now),
      noteAbout: (db) => clientStatements.noteAbout(db, client, null),
      selectNoted: [(db) => clientStatements.selectNoted(db, tenant, '', 20), 45],
      dropClients: ONCE,
    },
    'booking/bookings/search/queries.ts': {
      selectSearch: (db) => searchQueries.selectSearch(db, tenant),
      selectNews: [(db) => searchQueries.selectNews(db, tenant, 64), 130],
      selectSequences: (db) => searchQueries.selectSequences(db, tenant),
      selectToFill: [(db) => searchQueries.selectToFill(db, tenant, `confirmed/${middle}`, 20), 45],
      readParts: async (db) =>
        void (await searchQueries.readParts(db, tenant, { from: 'ad', below: 'ad ' }).next()),
      selectAmong: (db) => searchQueries.selectAmong(db, tenant, after, [booking.id]),
      selectByIds: (db) => searchQueries.selectByIds(db, [booking.id]),
      selectCursor: (db) => searchQueries.selectCursor(db, tenant, booking.id),
      selectDueFills: (db) => searchQueries.selectDueFills(db, now),
    },
    'booking/bookings/search/statements.ts': {
      appendLines: (db) => searchStatements.appendLines(db, tenant, new Map([['ad', ' ada\tid\t0\n']])),
      guardRevisions: (db) => [searchStatements.guardRevisions(db, [booking])],
      moveOn: (db) => searchStatements.moveOn(db, tenant, undefined, { sequence: 0, filledTo: null }),
      dropWords: (db) => [searchStatements.dropWords(db, tenant)],
      readAnew: (db) => [searchStatements.readAnew(db, tenant)],
      rewriteLines: (db) => [
        searchStatements.rewriteLines(db, tenant, { bucket: 'ad', part: 0, lines: '' }, ''),
      ],
    },
    'booking/bookings/update/queries.ts': {
      selectBookingToUpdate: (db) => updateQueries.selectBookingToUpdate(db, middle, true),
    },
    'booking/bookings/update/statements.ts': {
      guardSeated: (db) => [updateStatements.guardSeated(db, booking, { ...booking, attendees: [] })],
    },
    'booking/bookings/history/queries.ts': {
      selectBookingEmails: (db) => historyQueries.selectBookingEmails(db, tenant, booking.id),
      selectOthers: (db) => historyQueries.selectOthers(db, tenant, booking.id),
    },
    'booking/bookings/approval/queries.ts': {
      selectDecider: (db) => requestQueries.selectDecider(db, nothing),
      selectHosted: (db) => requestQueries.selectHosted(db, nothing, [booking.id]),
      selectRequest: (db) => requestQueries.selectRequest(db, held.id),
      listPendingOf: (db) => requestQueries.listPendingOf(db, nothing, present),
      selectUndecided: (db) => requestQueries.selectUndecided(db, real),
      selectUndecidedInSandbox: (db) => requestQueries.selectUndecidedInSandbox(db, org, present),
    },
    'booking/bookings/approval/statements.ts': {
      approveRequest: (db) => requestStatements.approveRequest(db, held.id, present),
      moveRequest: (db) => requestStatements.moveRequest(db, booking, present),
    },
    'booking/bookings/departed-hosts/statements.ts': {
      selectStayingOfBooking: (db) => leaverStatements.selectStayingOfBooking(db, booking.id),
      selectStayingOfHold: (db) => leaverStatements.selectStayingOfHold(db, held.id),
      guardStays: (db) => leaverStatements.guardStays(db, { member_id: host, user_id: '', email: '' }),
      rehostSession: (db) =>
        leaverStatements.rehostSession(
          db,
          nothing,
          nothing,
          { host: { member_id: host, user_id: '', email: '' }, coHosts: [], calendarConnectionId: null },
          present,
        ),
      // Each event type and session to come of the organization.
      unhostSessionsOf: [
        (db) => leaverStatements.unhostSessionsOf(db, { memberId: host, organizationId: org }, real),
        5 * UPCOMING,
      ],
    },
    'booking/hosts/of-member/statements.ts': {
      selectUpcomingOf: [
        (db) =>
          memberBookings.selectUpcomingOf(db, { memberId: host, isTest: false, now: present }, { limit: 20 }),
        5 * UPCOMING,
      ],
      selectCursor: (db) =>
        memberBookings.selectCursor(db, tenant, { limit: 20, starting_after: booking.id }),
      // Each upcoming booking of the member.
      listGivenUp: [
        (db) => memberBookings.listGivenUp(db, { id: host, organizationId: org }, real),
        8 * UPCOMING,
      ],
      passOnBookings: [
        (db) => memberBookings.passOnBookings(db, { id: host, organizationId: org }, [], real),
        8 * UPCOMING,
      ],
    },
    'engine/waits/statements.ts': {
      insertWait: (db) =>
        waitStatements.insertWait(db, { ...held, id: looseId(), tokenHash: 'third', networkMark: null }),
      insertWaits: (db) =>
        waitStatements.insertWaits(db, [{ ...held, id: looseId(), tokenHash: 'fourth', networkMark: null }]),
      selectWait: (db) => waitStatements.selectWait(db, booking.id),
    },
    'booking/bookings/statements.ts': {
      changeSession: (db) => bookingStatements.changeSession(db, { ...booking, sessionId: nothing }),
      guardRevisions: (db) => bookingStatements.guardRevisions(db, [booking]),
      // Each booking to come becomes a session, by the triggers too.
      shareBookings: [(db) => bookingStatements.shareBookings(db, everyday, real), 26 * UPCOMING],
      insertBooking: (db) => bookingStatements.insertBooking(db, { ...booking, id: looseId() }),
      insertBookings: (db) => bookingStatements.insertBookings(db, [{ ...booking, id: looseId() }]),
      changeBooking: (db) => bookingStatements.changeBooking(db, nothing, { syncError: null }),
      takeHolds: (db) =>
        bookingStatements.takeHolds(db, [
          { id: nothing, placement: { ...movedTo, resourceIds: [looseId()] } },
        ]),
      releaseHolds: (db) => bookingStatements.releaseHolds(db, [nothing]),
      insertSessions: (db) =>
        bookingStatements.insertSessions(db, [{ ...groupSession, id: looseId(), startTime: now + 7 }]),
      updateBookingAsRead: (db) =>
        bookingStatements.updateBookingAsRead(db, booking, { status: 'rescheduled' }),
      takeHold: (db) =>
        bookingStatements.takeHold(db, nothing, {
          resourceIds: [nothing],
          hold: { start: now, end: now + 1 },
          start: now,
        }),
      insertSession: (db) =>
        bookingStatements.insertSession(db, {
          id: looseId(),
          eventTypeId: nothing,
          startTime: now,
          endTime: now,
          seatsTaken: 0,
          assignedHost: null,
          coHosts: null,
          calendarConnectionId: null,
          resources: null,
          createdAt: now,
        }),
      guardOwnName: (db) => bookingStatements.guardOwnName(db, middle),
      releaseHold: (db) => bookingStatements.releaseHold(db, nothing),
      deleteTestBookingsOf: (db) => bookingStatements.deleteTestBookingsOf(db, nothing),
      showDrag: (db) => bookingStatements.showDrag(db, [middle], { outOfSync: null, syncError: null }),
      showRestored: (db) => bookingStatements.showRestored(db, middle),
      linkBookings: (db) => bookingStatements.linkBookings(db, [middle], 'https://meet.example.com', real),
    },
    'booking/event-types/buffers/queries.ts': {
      changeShared: (db) => bufferQueries.changeShared(db, booking),
      selectUpcomingHolds: (db) => bufferQueries.selectUpcomingHolds(db, everyday, now + 80 * DAY_MS),
      widenHolds: (db) =>
        bufferQueries.widenHolds(db, [
          {
            ...{ resource_id: nothing, kept_by: '', starts_at: now, ends_at: now + 1, holder_id: nothing },
            ...{
              meets_at: now,
              expires_at: null,
              meeting_end: now + 1,
              previous_end: null,
              next_start: null,
            },
            ...{ from: now, until: now + 2 },
          },
        ]),
    },
    'booking/event-types/place-changes/queries.ts': {
      selectToFollow: (db) => placeQueries.selectToFollow(db, { ...booking, id: everyday }, moving, late),
      selectWithoutMeeting: (db) =>
        placeQueries.selectWithoutMeeting(db, { ...booking, id: everyday }, moving, late),
      selectChanged: (db) => placeQueries.selectChanged(db, booking, everyday),
    },
    'booking/bookings/handover/queries.ts': {
      selectSessionOf: (db) => handoverQueries.selectSessionOf(db, booking.id),
    },
    'booking/bookings/handover/statements.ts': {
      handOverTime: (db) => handoverStatements.handOverTime(db, nothing, handedTo),
      handOverSession: (db) =>
        handoverStatements.handOverSession(
          db,
          nothing,
          [booking],
          {
            assignedHost: null,
            coHosts: null,
            calendarConnectionId: null,
            assignedHostId: host,
          },
          new Map(),
        ),
      handOverWaits: (db) =>
        handoverStatements.handOverWaits(db, booking, handedTo, { fromId: null, toId: host }, present),
      moveCredits: (db) =>
        handoverStatements.moveCredits(
          db,
          {
            eventTypeId: everyday,
            fromId: host,
            toId: nothing,
            bookings: 1,
            assignedAt: present,
            assignment: 1,
          },
          present,
        ),
    },
    'booking/agenda/queries.ts': {
      selectOrganization: (db) => agendaReads.selectOrganization(db, org),
      // All rooms, event types or members are read if nothing is asked for.
      selectEventTypes: (db) => agendaReads.selectEventTypes(db, ...wholeAgenda),
      selectHosts: (db) => agendaReads.selectHosts(db, ...wholeAgenda),
      selectMembers: (db) => agendaReads.selectMembers(db, ...wholeAgenda),
      selectRooms: [(db) => agendaReads.selectRooms(db, ...wholeAgenda), 1_000],
      // A day and half a day before it.
      selectBookings: [(db) => agendaReads.selectBookings(db, ...agendaDay, `${org}/0`), 150],
      selectBookingsOfEventType: [
        (db) => agendaReads.selectBookingsOfEventType(db, ...agendaDay, everyday),
        150,
      ],
      selectHeldBookings: [
        (db) => agendaReads.selectHeldBookings(db, ...agendaDay, hostIds, null, everyday),
        150,
      ],
      selectSessions: (db) => agendaReads.selectSessions(db, ...agendaDay, everydayIds),
      selectHeldSessions: [
        (db) => agendaReads.selectHeldSessions(db, ...agendaDay, hostIds, hostIds, null),
        150,
      ],
      selectSlotHolds: (db) => agendaReads.selectSlotHolds(db, ...agendaDay, everydayIds, real + 900_000),
      selectHeldSlotHolds: [
        (db) => agendaReads.selectHeldSlotHolds(db, ...agendaDay, hostIds, null, null),
        150,
      ],
      selectTimeOff: (db) => agendaReads.selectTimeOff(db, now, now + DAY_MS, hostIds, 0),
      selectBusy: (db) => agendaReads.selectBusy(db, now, now + DAY_MS, org, 0, hostIds, '[]', null),
      selectSchedules: (db) => agendaReads.selectSchedules(db, JSON.stringify([past.schedule])),
      selectOwnHours: (db) => agendaReads.selectOwnHours(db, everydayIds, '2026-01-01', '2026-12-31'),
    },
    'booking/sessions/queries.ts': {
      findSessionInTenant: (db) => sessionQueries.findSessionInTenant(db, tenant, nothing),
      findGroup: (db) => sessionQueries.findGroup(db, tenant, everyday),
      selectSession: (db) => sessionQueries.selectSession(db, nothing),
      selectBookingsOf: (db) => sessionQueries.selectBookingsOf(db, nothing),
      selectHeldOf: (db) => sessionQueries.selectHeldOf(db, nothing),
      selectOverdueIn: (db) => sessionQueries.selectOverdueIn(db, nothing),
      selectTimeOf: (db) => sessionQueries.selectTimeOf(db, nothing),
      selectWaitingForSession: (db) => sessionQueries.selectWaitingForSession(db, nothing),
      selectCalendarLink: (db) => sessionQueries.selectCalendarLink(db, nothing),
      selectInviteeLimit: (db) => sessionQueries.selectInviteeLimit(db, everyday),
      selectSessionsIn: (db) => sessionQueries.selectSessionsIn(db, everyday, 0, now + 400 * DAY_MS, now),
    },
    'booking/sessions/statements.ts': {
      guardSession: (db) => sessionStatements.guardSession(db, groupSession, []),
      changeBookings: (db) =>
        sessionStatements.changeBookings(db, [{ read: booking, changes: { cancelReason: null } }]),
      moveSession: (db) => sessionStatements.moveSession(db, nothing, movedTo),
      moveHeld: (db) => sessionStatements.moveHeld(db, nothing, movedTo, null, present),
      releaseHeld: (db) => sessionStatements.releaseHeld(db, nothing, present),
      markGivenUp: (db) => sessionStatements.markGivenUp(db, groupSession),
      insertFreedForInvitees: [
        (db) =>
          sessionStatements.insertFreedForInvitees(db, { ...groupSession, eventTypeId: everyday }, [
            'a@b.de',
          ]),
        500,
      ],
    },
    'booking/bookings/credits/statements.ts': {
      creditHosts: (db) =>
        creditStatements.creditHosts(
          db,
          { eventType: { id: everyday }, hosts: [] as Schedule['hosts'] } as Schedule,
          { creditedIds: [host], isAssignment: true },
          present,
        ),
      creditInserted: (db) =>
        creditStatements.creditInserted(
          db,
          { eventType: { id: everyday }, hosts: [] as Schedule['hosts'] } as Schedule,
          { creditedIds: [host], isAssignment: true },
          present,
        ),
      creditPlacements: (db) => creditStatements.creditPlacements(db, [placed], present),
      spreadCredits: (db) => creditStatements.spreadCredits(db, everyday),
    },
    'booking/bookings/limits/statements.ts': {
      countInQuota: (db) =>
        bookingLimits.countInQuota(db, {
          organizationId: org,
          month: '2026-11',
          quota: 10,
          now: present,
          day: 20_000,
        }),
      uncountInQuota: (db) => bookingLimits.uncountInQuota(db, org, '2026-11'),
      guardFullCap: (db) =>
        bookingLimits.guardFullCap(db, everyday, 10, { start: now, end: now + 1 }, present),
      guardCaps: [
        (db) => bookingLimits.guardCaps(db, everyday, 1_000, [{ ...range, many: 2 }], present),
        UPCOMING,
      ],
      guardCap: [(db) => bookingLimits.guardCap(db, everyday, 1_000, range, nothing, present), UPCOMING],
      guardHolds: [
        (db) =>
          bookingLimits.guardHolds(
            db,
            [{ resourceId: host, most: 1_000, start: now, end: now + 7 * DAY_MS }],
            present,
          ),
        UPCOMING,
      ],
      guardInvitee: (db) => bookingLimits.guardInvitee(db, booking, 100, present),
      guardTotalCap: (db) => bookingLimits.guardTotalCap(db, everyday, 1_000_000, present),
    },
    'booking/bookings/follow-ups/statements.ts': {
      callForNew: (db) =>
        followUps.callForNew(db, booking, {
          eventType: { conferencingProvider: 'video_a', assignmentStrategy: 'round_robin' },
          organization: { hasCalendars: true },
        }),
      spreadToCoHosts: (db) => followUps.spreadToCoHosts(db, nothing, true),
      callForChanged: (db) => followUps.callForChanged(db, booking, { startTime: booking.startTime + 1 }),
      // Each booking to come, when they were made sessions above.
      callForOpened: [(db) => followUps.callForOpened(db, everyday, now), 25 * UPCOMING],
      callForEvent: (db) => followUps.callForEvent(db, nothing),
      callForSeveral: (db) => followUps.callForSeveral(db, [nothing]),
      callForListed: (db) => followUps.callForListed(db, everydayIds),
      callForSession: (db) => followUps.callForSession(db, nothing),
      callForOwnLink: (db) => followUps.callForOwnLink(db, { id: middle, sessionId: null }),
      callForRewritten: (db) => followUps.callForRewritten(db, JSON.stringify([middle])),
      callForLinked: (db) => followUps.callForLinked(db, [middle], 'https://meet.example.com'),
      forgetTestCalls: (db) => followUps.forgetTestCalls(db, nothing),
    },
    'booking/bookings/as-read/queries.ts': {
      selectBookingAsRead: (db) => asReadQueries.selectBookingAsRead(db, middle),
    },
    'booking/bookings/queries.ts': {
      selectAboutBooking: (db) => bookingQueries.selectAboutBooking(db, middle),
      selectAtStart: (db) => bookingQueries.selectAtStart(db, booking, booking.inviteeEmail),
      selectBooking: (db) => bookingQueries.selectBooking(db, middle),
      selectToResend: (db) => bookingQueries.selectToResend(db, middle, real),
      findAskedOf: (db) => bookingQueries.findAskedOf(db, everyday),
      findAnswersInTenant: (db) => bookingQueries.findAnswersInTenant(db, tenant, middle),
      selectBookingAndClock: (db) => bookingQueries.selectBookingAndClock(db, middle),
      selectBookingAndCalendarLink: (db) => bookingQueries.selectBookingAndCalendarLink(db, middle),
      selectBookingWithOwner: (db) => bookingQueries.selectBookingWithOwner(db, middle),
      selectBookingDetail: (db) => bookingQueries.selectBookingDetail(db, middle),
      selectCancelTerms: (db) =>
        bookingQueries.selectCancelTerms(db, { eventTypeId: everyday, bookingId: middle }),
      selectReminderPlan: (db) => bookingQueries.selectReminderPlan(db, everyday),
      selectHold: (db) => bookingQueries.selectHold(db, middle),
      selectUnlinked: (db) =>
        bookingQueries.selectUnlinked(
          db,
          { holderId: middle, url: 'https://meet.example.com', maker: 'account' },
          real,
        ),
    },
    'booking/images/statements.ts': {
      putImageRow: (db) =>
        imageStatements.putImageRow(db, {
          id: looseId(),
          organizationId: org,
          use: 'logo',
          hash: 'hash',
          format: 'png',
          content: 'AAAA',
          createdAt: now,
        }),
      deleteImageRow: (db) => imageStatements.deleteImageRow(db, { organizationId: org, use: 'use 7' }),
      selectImageHash: (db) => imageStatements.selectImageHash(db, { organizationId: org, use: 'use 7' }),
      selectImage: (db) => imageStatements.selectImage(db, 'hash 7'),
      moveAddresses: ONCE,
    },
    'booking/branding/queries.ts': {
      getBrandingOfOrg: (db) => brandingQueries.getBrandingOfOrg(db, org),
      showLogo: (db) => brandingQueries.showLogo(db, org, 'logoUrl', null, now),
      updateBrandingOfOrg: (db) => brandingQueries.updateBrandingOfOrg(db, org, {}, now),
    },
    'booking/text-messages/queries.ts': {
      insertTexts: (db) => textQueries.insertTexts(db, [textRow]),
      // Each upcoming booking of the event type.
      selectToText: [(db) => textQueries.selectToText(db, everyday, real), 3 * UPCOMING],
      selectDueTexts: (db) => textQueries.selectDueTexts(db, real),
      claimText: (db) => textQueries.claimText(db, textRow.id, real),
      selectTextFacts: (db) => textQueries.selectTextFacts(db, textRow.id),
      selectDueTextsInSandbox: (db) => textQueries.selectDueTextsInSandbox(db, org, present),
      updateText: (db) => textQueries.updateText(db, textRow.id, { status: 'sent' }),
      countText: (db) => textQueries.countText(db, 1, org, 'hash'),
      selectOptOut: (db) => textQueries.selectOptOut(db, 'sender', 'hash'),
      insertOptOut: (db) => textQueries.insertOptOut(db, 'sender', 'hash', now),
      deleteOptOut: (db) => textQueries.deleteOptOut(db, 'sender', 'hash'),
      reportText: (db) =>
        textQueries.reportText(db, textRow.id, { status: 'sent', providerId: 'SM1', lastError: null }),
      pruneTexts: (db) => textQueries.pruneTexts(db, now, 10),
    },
    'delivery/email-texts/queries.ts': {
      listEmailTexts: (db) => emailTextQueries.listEmailTexts(db, org),
      findEmailText: (db) =>
        emailTextQueries.findEmailText(db, { organizationId: org, kind: 'reminder', locale: 'en' }),
      findLocale: (db) => emailTextQueries.findLocale(db, org),
      putEmailTextRow: (db) => emailTextQueries.putEmailTextRow(db, emailText),
      deleteEmailTextRow: (db) => emailTextQueries.deleteEmailTextRow(db, emailText.id),
      selectForPreview: (db) => emailTextQueries.selectForPreview(db, tenant, 'reminder', 'host'),
    },
    'calendars/sync/queries.ts': {
      selectDueConnections: (db) => syncQueries.selectDueConnections(db, now),
      findForSync: (db) => syncQueries.findForSync(db, connection),
      endSync: (db) => syncQueries.endSync(db, connected, { syncStatus: 'connected' }),
      // All that the calendar has, and what was written there since.
      listEtags: [(db) => syncQueries.listEtags(db, connection, range), 1_010],
      listEventIds: [(db) => syncQueries.listEventIds(db, connection), 1_000],
      deleteEvents: (db) => syncQueries.deleteEvents(db, connection, ['e1', 'e2']),
      insertEvents: (db) => syncQueries.insertEvents(db, connection, []),
      selectElsewhere: (db) => syncQueries.selectElsewhere(db, JSON.stringify([connection]), now, now + 1),
      noteNewTimes: (db) => syncQueries.noteNewTimes(db, connection),
      replaceBusyTimes: (db) =>
        syncQueries.replaceBusyTimes(db, connected, [
          { id: 'e1', uid: `${middle}@holdfast`, pieces: [[now, now]] },
          { id: 'e2', uid: 'e2', pieces: [] },
        ]),
      findOwn: (db) =>
        syncQueries.findOwn(
          db,
          org,
          [middle, nothing].map((id) => ({ uid: `${id}@holdfast`, busy: [{ start: 0, end: 1 }] })),
        ),
    },
    'calendars/writes/queries.ts': {
      selectDueWrites: (db) => writeQueries.selectDueWrites(db, now),
      claimWrite: (db) => writeQueries.claimWrite(db, write, now),
      selectWritten: (db) => writeQueries.selectWritten(db, write),
      listCalendarsOfOthers: (db) => writeQueries.listCalendarsOfOthers(db, write),
      selectConnection: (db) => writeQueries.selectConnection(db, write),
      deleteWrite: (db) => writeQueries.deleteWrite(db, { ...write, holderId: nothing }),
      noteIntent: (db) => writeQueries.noteIntent(db, write, { etag: null }),
      endWrite: (db) => writeQueries.endWrite(db, { ...write, claimedUntil: now }, {}, now),
      clearSuspicion: (db) => writeQueries.clearSuspicion(db, write),
      showInBookings: (db) => writeQueries.showInBookings(db, write, [middle], { syncError: null }),
      hideEvent: (db) => writeQueries.hideEvent(db, write),
      findCalendarMoves: (db) => writeQueries.findCalendarMoves(db, org),
      listOwnEvents: (db) =>
        writeQueries.listOwnEvents(
          db,
          { id: connection, accountId: connection, calendarId: 'work' },
          { ids: ['a.ics', `${middle}.ics`], uids: [`${middle}@holdfast`] },
          range,
        ),
      suspect: (db) => writeQueries.suspect(db, [write], now),
      complain: [(db) => writeQueries.complain(db, connection, now), UPCOMING],
      complainAgain: [(db) => writeQueries.complainAgain(db, connection, now), UPCOMING],
    },
    'calendars/writes/statements.ts': {
      // What failed or is pending: the bookings to come, when they were made sessions above.
      retryWrites: [(db) => writeStatements.retryWrites(db, connection, now), 3 * UPCOMING],
    },
    'calendars/receiving/queries.ts': {
      selectToBring: (db) => receivingQueries.selectToBring(db, now),
    },
    'calendars/receiving/statements.ts': {
      bringUpcoming: [(db) => receivingStatements.bringUpcoming(db, connection, real), 40 * UPCOMING],
      bringToMember: [
        (db) => receivingStatements.bringToMember(db, { memberId: host, isTest: false }, real),
        40 * UPCOMING,
      ],
      bringToOwner: [(db) => receivingStatements.bringToOwner(db, org, real), 40 * UPCOMING],
      selectDueOf: [(db) => receivingStatements.selectDueOf(db, org, real), 3 * UPCOMING],
    },
    'calendars/sharing/statements.ts': {
      passOnHoldsOfDefault: [
        (db) => sharingStatements.passOnHoldsOfDefault(db, sql`(${connection})`),
        UPCOMING,
      ],
      passOnHoldsOfFormer: [(db) => sharingStatements.passOnHoldsOfFormer(db, connection), 9 * UPCOMING],
    },
    'calendars/ownership/statements.ts': {
      selectOwnershipConflicts: [
        (db) => ownershipStatements.selectOwnershipConflicts(db, org, host, real),
        40 * UPCOMING,
      ],
      moveSharedHolds: [(db) => ownershipStatements.moveSharedHolds(db, org, nothing, real), 40 * UPCOMING],
    },
    'calendars/queries.ts': {
      selectListed: [
        (db) => calendarQueries.selectListed(db, now).where(sql`${calendarConnections.id} = ${connection}`),
        UPCOMING,
      ],
      findListedInTenant: [(db) => calendarQueries.findListedInTenant(db, tenant, connection, now), UPCOMING],
      listConnectionsInTenant: [
        (db) => calendarQueries.listConnectionsInTenant(db, tenant, page, now),
        UPCOMING,
      ],
      selectClosingOf: (db) => calendarQueries.selectClosingOf(db, tenant, host),
      findConnectable: [(db) => calendarQueries.findConnectable(db, tenant, null, 'account'), UPCOMING],
      insertConnection: (db) =>
        calendarQueries.insertConnection(db, {
          ...connected,
          id: looseId(),
          calendarId: 'another',
          receivesBookings: false,
        }),
      updateConnection: (db) => calendarQueries.updateConnection(db, connected),
      inheritReceiving: (db) => calendarQueries.inheritReceiving(db, connected),
      inheritHolds: (db) => calendarQueries.inheritHolds(db, connected, now),
      changeConnection: (db) => calendarQueries.changeConnection(db, connection, { checksBusy: true }, now),
      listAccountsInTenant: (db) => calendarQueries.listAccountsInTenant(db, tenant),
    },
    'calendars/feeds/statements.ts': {
      endFeedsOfLeaving: (db) =>
        feedStatements.endFeedsOfLeaving(db, { id: host, organizationId: org }, SYSTEM),
      endFeedsOfAdmin: (db) => feedStatements.endFeedsOfAdmin(db, { id: host, organizationId: org }, SYSTEM),
    },
    'outbox/makers/statements.ts': {
      memberNamed: (db) => db.all(sql`SELECT ${makerStatements.memberNamed(sql`${host}`)}`),
      keyNamed: (db) => db.all(sql`SELECT ${makerStatements.keyNamed(sql`${key.id}`)}`),
      selectMemberMaker: (db) => makerStatements.selectMemberMaker(db, org, owner.userId),
      selectKeyMaker: (db) => makerStatements.selectKeyMaker(db, key.id),
      guardAdmin: (db) => makerStatements.guardAdmin(db, owner.id),
    },
    'money/plan-limits/statements.ts': {
      limitNow: (db) => db.all(sql`SELECT ${planLimits.limitNow('members', org)}`),
      guardEventTypes: (db) => planLimits.guardEventTypes(db, tenant),
      guardResources: [(db) => planLimits.guardResources(db, tenant), 300],
      guardFeeds: (db) => planLimits.guardFeeds(db, org),
      guardMembers: (db) => planLimits.guardMembers(db, org),
      guardCalendars: (db) => planLimits.guardCalendars(db, tenant, host),
    },
    'calendars/feeds/queries.ts': {
      listFeedsInOrg: (db) => calendarFeedQueries.listFeedsInOrg(db, org, page),
      hasMember: (db) => calendarFeedQueries.hasMember(db, org, host),
      insertFeed: (db) => calendarFeedQueries.insertFeed(db, calendarFeed),
      selectFeedInOrg: (db) => calendarFeedQueries.selectFeedInOrg(db, org, calendarFeed.id),
      deleteFeed: (db) => calendarFeedQueries.deleteFeed(db, calendarFeed.id),
      selectFeed: (db) => calendarFeedQueries.selectFeed(db, 'hash'),
      // All bookings of the range: those to come, and whose event types they are.
      selectFeedBookings: [
        (db) => calendarFeedQueries.selectFeedBookings(db, calendarFeed, range, now, now),
        40 * UPCOMING,
      ],
    },
    'booking/hours/schedules/queries.ts': {
      listSchedulesInTenant: (db) => scheduleRoomQueries.listSchedulesInTenant(db, tenant, page),
      findScheduleInTenant: (db) => scheduleRoomQueries.findScheduleInTenant(db, tenant, workingHours.id),
      findScheduleAndUser: (db) => scheduleRoomQueries.findScheduleAndUser(db, tenant, workingHours.id),
      findOwner: (db) => scheduleRoomQueries.findOwner(db, org, host),
      listUsers: (db) => scheduleRoomQueries.listUsers(db, workingHours.id),
      listFollowers: (db) => scheduleRoomQueries.listFollowers(db, workingHours.id),
      insertSchedule: (db) => scheduleRoomQueries.insertSchedule(db, { ...workingHours, id: nothing }),
      updateScheduleAsRead: (db) => scheduleRoomQueries.updateScheduleAsRead(db, workingHours, { name: 'X' }),
      deleteUnusedAsRead: (db) => scheduleRoomQueries.deleteUnusedAsRead(db, workingHours),
    },
    'booking/hours/schedules/statements.ts': {
      selectScheduleOfMember: (db) =>
        scheduleRoomStatements.selectScheduleOfMember(db, tenant, host, workingHours.id),
      clearOwnDefault: (db) => scheduleRoomStatements.clearOwnDefault(db, tenant, now),
      clearDefaultOf: (db) => scheduleRoomStatements.clearDefaultOf(db, { ...tenant, memberId: null }, now),
      clearDefault: (db) => scheduleRoomStatements.clearDefault(db, { memberId: host, isTest: false }, now),
      replaceDefault: (db) =>
        scheduleRoomStatements.replaceDefault(db, { memberId: host, isTest: false }, workingHours.id, now),
      // For each of the member's, who goes by it.
      dropSchedulesOf: [(db) => scheduleRoomStatements.dropSchedulesOf(db, host), 100],
      dropUnusedSchedules: (db) => scheduleRoomStatements.dropUnusedSchedules(db, noIds),
    },
    'people/team/statements.ts': {
      moveAgendas: (db) => teamStatements.moveAgendas(db, org, now),
    },
    'booking/resources/queries.ts': {
      listResourcesInTenant: (db) => roomQueries.listResourcesInTenant(db, tenant, page),
      findResourceInTenant: (db) => roomQueries.findResourceInTenant(db, tenant, roomRow.id),
      insertResource: (db) => roomQueries.insertResource(db, { ...roomRow, id: nothing }),
      updateResourceAsRead: (db) => roomQueries.updateResourceAsRead(db, roomRow, { name: 'X' }),
      listIdsIn: (db) => roomQueries.listIdsIn(db, [nothing, host], [{ start: now, end: now + 3_600_000 }]),
      listRequiring: (db) => roomQueries.listRequiring(db, roomRow.id),
      deleteUnusedAsRead: (db) => roomQueries.deleteUnusedAsRead(db, roomRow),
    },
    'booking/resources/statements.ts': {
      selectForeignResources: (db) =>
        Promise.all(
          roomStatements.selectForeignResources(db, tenant, [{ resource_ids: [nothing], count: 1 }]),
        ),
      guardResourcesNamed: (db) =>
        roomStatements.guardResourcesNamed(db, [{ resource_ids: [roomRow.id], count: 1 }]),
      dropUnusedResources: (db) => roomStatements.dropUnusedResources(db, noIds),
    },
    'booking/hours/time-off/affected/queries.ts': {
      listAffected: (db) => affectedQueries.listAffected(db, [absence]),
      listUnintended: (db) => affectedQueries.listUnintended(db, [absence], 20),
      guardAffected: (db) => affectedQueries.guardAffected(db, [absence], []),
    },
    'booking/hours/time-off/queries.ts': {
      listTimeOffInTenant: [
        (db) =>
          Promise.all(
            [undefined, host].flatMap((memberId) =>
              [undefined, now].map((from) =>
                timeOffQueries.listTimeOffInTenant(
                  db,
                  tenant,
                  { memberId, resourceId: undefined, from, to: undefined },
                  page,
                ),
              ),
            ),
          ),
        // All of a member's, where what is over is asked for too, and of each room.
        5_200,
      ],
      getZoneOf: (db) => timeOffQueries.getZoneOf(db, org),
      findTimeOffAndMember: (db) => timeOffQueries.findTimeOffAndMember(db, tenant, absence.id, 'hr-2'),
      // All that is off in the range, up to a thousand.
      listUpcoming: [
        (db) => timeOffQueries.listUpcoming(db, tenant, { from: now, until: now + 28 * DAY_MS }),
        1_000,
      ],
      updateTimeOffAsRead: (db) => timeOffQueries.updateTimeOffAsRead(db, absence, { externalId: 'hr-x' }),
      deleteTimeOffAsRead: (db) => timeOffQueries.deleteTimeOffAsRead(db, absence),
    },
    'booking/hours/time-off/statements.ts': {
      listDated: [(db) => timeOffStatements.listDated(db, { memberId: host }), 2_100],
      listOfAll: (db) => timeOffStatements.listOfAll(db, org, now),
      joinTimeOff: (db) =>
        timeOffStatements.joinTimeOff(
          db,
          { id: nothing, organizationId: org },
          { hoursVersion: 0, rows: [] },
        ),
      moveDated: (db) => timeOffStatements.moveDated(db, org, 0, 'UTC', []),
      dropTimeOffOf: (db) => timeOffStatements.dropTimeOffOf(db, nothing),
      dropTimeOff: (db) => timeOffStatements.dropTimeOff(db, noIds),
      putTimeOff: (db) => timeOffStatements.putTimeOff(db, [{ ...absence, id: nothing, externalId: null }]),
    },
    'booking/hours/time-off/targets/queries.ts': {
      findEverybody: (db) => targetQueries.findEverybody(db, tenant, 'hr-1'),
      listResourceTargets: (db) => targetQueries.listResourceTargets(db, tenant, [roomRow.id], 'hr-1'),
      listTargets: (db) => targetQueries.listTargets(db, tenant, [host], 'hr-1'),
      guardZones: (db) => targetQueries.guardZones(db, [{ memberId: host, zone: 'UTC' }]),
      guardNumber: (db) => targetQueries.guardNumber(db, org, 2),
      guardKnown: (db) =>
        targetQueries.guardKnown(
          db,
          tenant,
          [{ memberId: host, userId: '', zone: '', known: absence }],
          'hr-1',
        ),
    },
    'calendars/invitations/queries.ts': {
      findInvited: (db) => calendarInvitationQueries.findInvited(db, org, host),
    },
    'calendars/loss/queries.ts': {
      selectToTell: (db) => lossQueries.selectToTell(db, now),
      selectToEnd: (db) => lossQueries.selectToEnd(db, now),
      findAffectedByIds: [(db) => lossQueries.findAffectedByIds(db, [connection], now), UPCOMING],
      findAffectedOf: [(db) => lossQueries.findAffectedOf(db, connection, now), UPCOMING],
      guardLoss: (db) => lossQueries.guardLoss(db, connected),
      keepLoss: (db) => lossQueries.keepLoss(db, connection, { lostAt: null }),
      freeByReopening: (db) => lossQueries.freeByReopening(db, connection),
      reviveOthers: (db) => lossQueries.reviveOthers(db, { id: connection, accountId: connection }, now),
    },
    'calendars/accounts/queries.ts': {
      selectAccount: (db) => calendarAccountQueries.selectAccount(db, connection),
      selectAccountInTenant: (db) => calendarAccountQueries.selectAccountInTenant(db, tenant, connection),
      replaceSignIn: (db) =>
        calendarAccountQueries.replaceSignIn(db, { id: nothing, credentials: 'sealed' }, 'sealed', 'basic'),
      insertAccount: (db) =>
        calendarAccountQueries.insertAccount(db, {
          ...calendarAccount,
          id: looseId(),
          accountKey: 'another',
        }),
      renewAccount: (db) => calendarAccountQueries.renewAccount(db, calendarAccount, calendarAccount),
      guardAccount: (db) => calendarAccountQueries.guardAccount(db, connection),
      isAccountConnected: (db) => calendarAccountQueries.isAccountConnected(db, 'account'),
      replaceCredentials: (db) =>
        calendarAccountQueries.replaceCredentials(db, connection, 'sealed', 'sealed'),
      keepCalendars: (db) => calendarAccountQueries.keepCalendars(db, connection, []),
    },
    'calendars/accounts/statements.ts': {
      findConnecting: (db) => calendarAccountStatements.findConnecting(db, org, null),
    },
    'calendars/channels/queries.ts': {
      selectTold: (db) => channelQueries.selectTold(db, 'calendar_a', [connection, nothing]),
      selectDueChannels: (db) => channelQueries.selectDueChannels(db, now),
      findWithChannels: (db) => channelQueries.findWithChannels(db, connection),
      selectAccountsOf: (db) => channelQueries.selectAccountsOf(db, { memberId: member.id }),
      selectClosing: (db) => channelQueries.selectClosing(db, { memberId: member.id }),
      insertChannel: (db) => channelQueries.insertChannel(db, channel, connected),
      deleteChannels: (db) => channelQueries.deleteChannels(db, [nothing]),
      updateChannel: (db) => channelQueries.updateChannel(db, nothing, { renewAt: now }),
    },
    'calendars/channels/statements.ts': {
      replaceChannels: (db) => channelStatements.replaceChannels(db, connection, now),
      makeDue: (db) => channelStatements.makeDue(db, nothing, true, now),
    },
    'calendars/statements.ts': {
      deleteConnection: (db) => calendarStatements.deleteConnection(db, nothing),
      selectClosingFeedsOf: (db) => calendarStatements.selectClosingFeedsOf(db, host),
      passOnClosingFeeds: (db) => calendarStatements.passOnClosingFeeds(db, nothing),
      dropConnectionsOf: (db) => calendarStatements.dropConnectionsOf(db, nothing),
      dropConnections: [(db) => calendarStatements.dropConnections(db, noIds), 80],
      hasConnection: (db) => calendarStatements.hasConnection(db, tenant, connection),
      guardConnected: (db) => calendarStatements.guardConnected(db, connection),
      receiveBookings: (db) => calendarStatements.receiveBookings(db, connection),
      freeTimeOfDefault: (db) => calendarStatements.freeTimeOfDefault(db, nothing),
      freeTimeOfOwner: (db) => calendarStatements.freeTimeOfOwner(db, nothing),
    },
    'calendars/meetings/statements.ts': {
      dropAccounts: (db) => conferencingStatements.dropAccounts(db, noIds),
      dropEndedMeetings: (db) => conferencingStatements.dropEndedMeetings(db, org),
    },
    'calendars/meetings/accounts/queries.ts': {
      selectAccount: (db) => conferencingAccounts.selectAccount(db, nothing),
      selectAccountToRenew: (db) => conferencingAccounts.selectAccountToRenew(db, nothing),
      selectAccountOf: (db) => conferencingAccounts.selectAccountOf(db, tenant, null),
      selectAccounts: (db) => conferencingAccounts.selectAccounts(db, tenant),
      selectAccountOfMeeting: (db) => conferencingAccounts.selectAccountOfMeeting(db, meeting),
      selectAccountsOfUser: (db) => conferencingAccounts.selectAccountsOfUser(db, account),
      renewPermission: (db) => conferencingAccounts.renewPermission(db, account, 'sealed'),
      replaceCredentials: (db) => conferencingAccounts.replaceCredentials(db, account, 'sealed'),
      upsertAccount: (db) => conferencingAccounts.upsertAccount(db, account),
      guardAccount: (db) => conferencingAccounts.guardAccount(db, account),
      endAccount: (db) =>
        conferencingAccounts.endAccount(db, nothing, { status: 'revoked', error: 'Gone.' }, now),
      updateAccount: (db) => conferencingAccounts.updateAccount(db, account, { error: null }),
      deleteAccount: (db) => conferencingAccounts.deleteAccount(db, nothing),
      guardLive: (db) => conferencingAccounts.guardLive(db, account),
      findTold: (db) => conferencingAccounts.findTold(db, { ...account, organizationId: org }),
      selectAccountsOfMember: (db) => conferencingAccounts.selectAccountsOfMember(db, org, nothing),
      selectDeauthorized: (db) => conferencingAccounts.selectDeauthorized(db, nothing, now),
    },
    'calendars/meetings/queries.ts': {
      selectSuites: (db) => conferencingQueries.selectSuites(db, tenant),
      retryMeetingsOf: (db) => conferencingQueries.retryMeetingsOf(db, org, now),
      selectDueMeetings: (db) => conferencingQueries.selectDueMeetings(db, now),
      claimMeeting: (db) => conferencingQueries.claimMeeting(db, middle, now),
      keepMeeting: (db) => conferencingQueries.keepMeeting(db, meeting, meeting),
      endMeeting: (db) => conferencingQueries.endMeeting(db, meeting, {}, now),
      selectLink: (db) => conferencingQueries.selectLink(db, event.id),
      guardUnlinked: (db) => conferencingQueries.guardUnlinked(db, event.id),
    },
    'people/sign-in/queries.ts': {
      insertCode: (db) => [
        ...signInQueries.insertCode(db, signInCode),
        ...signInQueries.insertCode(db, { ...signInCode, id: looseId(), browser: nothing }),
      ],
      useCode: (db) => signInQueries.useCode(db, nothing, false, real),
      findCode: (db) => signInQueries.findCode(db, nothing, real),
      listMembershipsOf: (db) => signInQueries.listMembershipsOf(db, owner.userEmail),
      selectMemberships: (db) => signInQueries.selectMemberships(db, sql`SELECT ${host}`),
      listMembershipsOfMember: (db) => signInQueries.listMembershipsOfMember(db, host),
      loadSession: (db) =>
        signInQueries.loadSession(db, { tokenHash: 'hash', idleSince: now, touchBefore: now, now: real }),
      insertSession: (db) => signInQueries.insertSession(db, session),
      deleteSessionByHash: (db) => signInQueries.deleteSessionByHash(db, nothing),
      listSessions: (db) => signInQueries.listSessions(db, session, now),
      deleteSession: (db) => signInQueries.deleteSession(db, session, nothing),
      moveSession: (db) => signInQueries.moveSession(db, nothing, { isTest: true }),
      proveSession: (db) => signInQueries.proveSession(db, nothing, real),
      guardCode: (db) => signInQueries.guardCode(db, nothing, owner.userEmail, real),
      spendCode: (db) => signInQueries.spendCode(db, nothing, real),
      proveSessionByCode: (db) => signInQueries.proveSessionByCode(db, nothing, nothing, real),
      insertFailedGuess: (db) =>
        signInQueries.insertFailedGuess(db, nothing, { id: nothing, ipAddress: null, requestId: null }, real),
      pruneSignInCodes: (db) => signInQueries.pruneSignInCodes(db, 1, 500),
      pruneSessions: (db) => signInQueries.pruneSessions(db, 1, 500),
      insertFailedSignIn: (db) =>
        signInQueries.insertFailedSignIn(
          db,
          { email: owner.userEmail, memberId: null },
          { id: nothing, ipAddress: null, requestId: null },
          real,
        ),
    },
    'people/sign-in/links/queries.ts': {
      findLink: (db) => linkQueries.findLink(db, nothing, real),
      spendLink: (db) => linkQueries.spendLink(db, nothing, real),
      insertLink: (db) => linkQueries.insertLink(db, consoleLink),
      useLink: (db) => linkQueries.useLink(db, nothing, real),
      giveLinkBack: (db) => linkQueries.giveLinkBack(db, nothing),
      findLinkable: (db) => linkQueries.findLinkable(db, org, undefined),
      findOwnerNamed: (db) => linkQueries.findOwnerNamed(db, organization.ownerUserId!),
      pruneConsoleLinks: (db) => linkQueries.pruneConsoleLinks(db, 1, 500),
    },
    'people/sign-in/address/queries.ts': {
      guardAddress: (db) => addressQueries.guardAddress(db, addressMove),
      isAddressTaken: (db) => addressQueries.isAddressTaken(db, addressMove),
      moveMembers: (db) => addressQueries.moveMembers(db, addressMove),
      moveSessions: (db) => addressQueries.moveSessions(db, addressMove),
      moveWaysIn: (db) => addressQueries.moveWaysIn(db, addressMove),
    },
    'people/sign-in/ways-in/queries.ts': {
      selectStillUsed: (db) => waysInQueries.selectStillUsed(db, goneBefore.emails, goneBefore.memberIds),
      endSessionsAndCodes: (db) => waysInQueries.endSessionsAndCodes(db, goneBefore),
      endPasskeysAndAccounts: (db) => waysInQueries.endPasskeysAndAccounts(db, goneBefore),
    },
    'people/sign-in/passkeys/queries.ts': {
      listPasskeys: (db) => passkeyQueries.listPasskeys(db, session),
      listSeenPasskeys: (db) => passkeyQueries.listSeenPasskeys(db, session),
      spendChallenge: (db) => passkeyQueries.spendChallenge(db, nothing, now),
      findPasskey: (db) => passkeyQueries.findPasskey(db, nothing),
      insertPasskey: (db) => passkeyQueries.insertPasskey(db, passkey),
      countPasskey: (db) => passkeyQueries.countPasskey(db, nothing, 1, real),
      findOwnPasskey: (db) => passkeyQueries.findOwnPasskey(db, session, nothing),
      deletePasskey: (db) => passkeyQueries.deletePasskey(db, session, nothing),
      spendOne: (db) => passkeyQueries.spendOne(db, { hash: nothing, expiresAt: now }),
      pruneChallenges: (db) => passkeyQueries.pruneChallenges(db, 1, 500),
    },
    'people/sign-in/openid/queries.ts': {
      spendAndFind: (db) => openidQueries.spendAndFind(db, { hash: nothing, expiresAt: now }, openidAccount),
      spendAndFindOwn: (db) => openidQueries.spendAndFindOwn(db, { hash: nothing, expiresAt: now }, nothing),
      findAccountOf: (db) => openidQueries.findAccountOf(db, session, openidAccount.issuer),
      listSeenAccounts: (db) => openidQueries.listSeenAccounts(db, viewer, openidAccount.issuer),
      putAccount: (db) => openidQueries.putAccount(db, openidAccount),
      touchAccount: (db) => openidQueries.touchAccount(db, nothing, real),
      deleteAccount: (db) => openidQueries.deleteAccount(db, viewer, nothing),
    },
    'people/sign-in/statements.ts': {
      selectSignInOfEmail: (db) => signInStatements.selectSignInOfEmail(db, nothing),
    },
    'calendars/consents/queries.ts': { findAsking: (db) => consentQueries.findAsking(db, org) },
    'booking/anonymous-callers/codes/queries.ts': {
      selectAsked: (db) => codeQueries.selectAsked(db, everyday),
      putCode: (db) =>
        codeQueries.putCode(db, { subject: 'new', codeMark: 'mark', expiresAt: now, createdAt: now }),
      tryCode: (db) => codeQueries.tryCode(db, 'new', 'mark', present),
      spendCode: (db) => codeQueries.spendCode(db, 'new', 'mark'),
      pruneCodes: (db) => codeQueries.pruneCodes(db, 1, 500),
    },
    'booking/event-types/statements.ts': {
      touchEventType: (db) => eventTypeStatements.touchEventType(db, everyday, now),
      takeOwnHours: (db) => eventTypeStatements.takeOwnHours(db, everyday, 'UTC', now),
      selectEventTypeInTenant: (db) => eventTypeStatements.selectEventTypeInTenant(db, tenant, everyday),
    },
    'engine/freed-times/statements.ts': { selectOwing: (db) => owingStatements.selectOwing(db, real) },
    'booking/bookable/statements.ts': {
      selectFacts: (db) => bookableQueries.selectFacts(db, tenant, everyday, now),
      selectFactsOfNew: (db) => bookableQueries.selectFactsOfNew(db, eventType, now),
    },
    'booking/event-types/queries.ts': {
      listConnectedProviders: (db) => eventTypeQueries.listConnectedProviders(db, tenant),
      findEventTypeInTenant: (db) => eventTypeQueries.findEventTypeInTenant(db, tenant, everyday, now),
      findPublicEventType: (db) => eventTypeQueries.findPublicEventType(db, everyday),
      listEventTypesInTenant: (db) => eventTypeQueries.listEventTypesInTenant(db, tenant, page, now),
      getSlug: (db) => eventTypeQueries.getSlug(db, org),
      getRedirectHosts: (db) => eventTypeQueries.getRedirectHosts(db, org),
      findRegion: (db) => eventTypeQueries.findRegion(db, org),
      getDefaultTimezone: (db) => eventTypeQueries.getDefaultTimezone(db, org),
      countHeld: (db) => eventTypeQueries.countHeld(db, [{ eventTypeId: everyday, period: range }], present),
      countActiveBookings: [
        (db) => eventTypeQueries.countActiveBookings(db, [{ eventTypeId: everyday, period: range }]),
        UPCOMING,
      ],
      insertEventType: (db) =>
        eventTypeQueries.insertEventType(db, { ...eventType, id: looseId(), slug: 'new' }),
      updateEventTypeAsRead: (db) => eventTypeQueries.updateEventTypeAsRead(db, eventType, {}, real),
      hideEventType: (db) => eventTypeQueries.hideEventType(db, nothing, now),
      selectDeletedUnused: (db) => eventTypeQueries.selectDeletedUnused(db, now),
      purgeEventTypes: (db) => eventTypeQueries.purgeEventTypes(db, [{ id: nothing }]),
    },
    'outbox/events/statements.ts': {
      guardToHandle: (db) => eventStatements.guardToHandle(db, event.id),
      guardUnhandledEvents: (db) => eventStatements.guardUnhandledEvents(db, [event.id]),
      markHandled: (db) => eventStatements.markHandled(db, event.id, now),
      endClaim: (db) => eventStatements.endClaim(db, nothing, now),
      selectUnhandledBooking: (db) => eventStatements.selectUnhandledBooking(db, nothing),
      recordEvent: (db) =>
        eventStatements.recordEvent(
          db,
          { organizationId: nothing, isTest: false },
          { kind: 'booking.created', data: {}, revision: 1 },
        ).statements,
      recordEvents: (db) =>
        eventStatements.recordEvents(db, { organizationId: nothing, isTest: false }, [
          { kind: 'booking.created', data: {}, revision: 1 },
        ]).statements,
    },
    'booking/series/queries.ts': {
      selectSeriesAndClock: (db) => seriesQueries.selectSeriesAndClock(db, nothing),
      selectSeriesWithOwner: (db) => seriesQueries.selectSeriesWithOwner(db, nothing),
      selectBookingsOfSeries: (db) => seriesQueries.selectBookingsOfSeries(db, nothing),
      selectRequestsOfSeries: (db) => seriesQueries.selectRequestsOfSeries(db, nothing),
      selectStayingOfSeries: (db) => seriesQueries.selectStayingOfSeries(db, nothing),
      selectTermsOfSeries: (db) => seriesQueries.selectTermsOfSeries(db, everyday),
      selectTakenBy: (db) =>
        seriesQueries.selectTakenBy(db, everyday, [booking.startTime], ['p1@example.com'], present),
    },
    'booking/series/statements.ts': {
      insertSeries: (db) =>
        seriesStatements.insertSeries(db, {
          ...{ id: looseId(), organizationId: org, eventTypeId: everyday, isTest: false },
          ...{ skipped: [], createdAt: now },
        }),
      confirmBookings: (db) =>
        seriesStatements.confirmBookings(
          db,
          [{ id: nothing, reminderMinutes: null, nextReminderAt: null, followUpMinutes: null, acts: null }],
          present,
        ),
      approveRequests: (db) => seriesStatements.approveRequests(db, [held.id], present),
    },
    'outbox/events/queries.ts': {
      pruneEvents: (db) => eventQueries.pruneEvents(db, 1, 500),
      selectUnhandledEvents: (db) => eventQueries.selectUnhandledEvents(db, now),
      putOffEvents: (db) => eventQueries.putOffEvents(db, [event.id], real),
      markUnhandled: (db) => eventQueries.markUnhandled(db, event.id),
    },
    'booking/hosts/statements.ts': {
      // Each hold to come, and whose it is.
      rememberHost: (db) => hostStatements.rememberHost(db, nothing),
      keepHoldsOf: [(db) => hostStatements.keepHoldsOf(db, { hostId: host }, real), 5 * UPCOMING],
      dropHostsOf: (db) => hostStatements.dropHostsOf(db, { id: nothing, organizationId: nothing }, real),
      insertNewHosts: (db) =>
        hostStatements.insertNewHosts(
          db,
          { organizationId: org, isTest: false },
          nothing,
          [{ memberId: host, scheduleId: null, part: 'pool' }],
          now as AskedMs,
        ),
    },
    'operations/health/queries.ts': {
      findBacklog: (db) => healthQueries.findBacklog(db, real),
      noteSweep: (db) => healthQueries.noteSweep(db, now, { id: booking.id, nextReminderAt: 1 }, real),
    },
    'booking/hosts/queries.ts': {
      selectHosts: (db) => hostQueries.selectHosts(db, everyday),
      selectHost: (db) => hostQueries.selectHost(db, everyday, host),
      selectShownHost: (db) => hostQueries.selectShownHost(db, everyday, host),
      changeHost: (db) => hostQueries.changeHost(db, hostRow.id, { priority: 50 }),
      // Each event type, and whether anybody hosts it.
      selectUnhosted: (db) => hostQueries.selectUnhosted(db, tenant, 10),
      selectMember: (db) => hostQueries.selectMember(db, tenant, host),
      insertHost: (db) => hostQueries.insertHost(db, { ...hostRow, id: looseId(), eventTypeId: past.paid }),
      deleteHost: (db) => hostQueries.deleteHost(db, nothing),
    },
    'delivery/emails/queries.ts': {
      selectUnhandledEvent: (db) => letterQueries.selectUnhandledEvent(db, event.id, real),
      selectFactsOfEmail: (db) => letterQueries.selectFactsOfEmail(db, nothing),
      selectBookingOfEmail: (db) => letterQueries.selectBookingOfEmail(db, nothing),
      selectTogether: (db) => letterQueries.selectTogether(db, [nothing]),
      selectEntryOfEmail: (db) => letterQueries.selectEntryOfEmail(db, nothing),
    },
    'delivery/emails/statements.ts': {
      noteHeldBack: (db) => letterStatements.noteHeldBack(db, event.id, [nothing]),
      claimEvent: (db) =>
        letterStatements.claimEvent(
          db,
          { event: { ...event, id: nothing }, notedAt: null },
          {
            onceKey: `${nothing}/event`,
            to: [{ id: nothing, email: 'ada@example.com' }],
            history: { bookingIds: [nothing], about: 'booking.created', at: now },
            leftOut: [],
          },
          { now: real, until: now },
        ).statements,
    },
    'delivery/agenda/queries.ts': {
      selectDueAgendas: (db) => agendaQueries.selectDueAgendas(db, real),
      // An owner's day is looked for in each of the event types.
      selectDay: [
        (db) =>
          agendaQueries.selectDay(
            db,
            {
              member: { id: host, organizationId: org } as Parameters<
                typeof agendaQueries.selectDay
              >[1]['member'],
              isOwner: true,
            },
            { start: now, end: now + 86_400_000 },
          ),
        700,
      ],
      moveAgenda: (db) => agendaQueries.moveAgenda(db, { id: host, nextAgendaAt: now }, now),
    },
    'outbox/mail/statements.ts': {
      insertEmails: (db) => mailStatements.insertEmails(db, tenant, letters, real),
      selectLetterCounts: (db) =>
        mailStatements.selectLetterCounts(db, tenant, ['ada@example.com', 'bob@example.com'], real),
      markQuiet: (db) => [mailStatements.markQuiet(db, nothing, 1)],
      markEachQuiet: (db) => [mailStatements.markEachQuiet(db, [{ id: nothing, revision: 1 }])],
      noteEmails: (db) =>
        mailStatements.noteEmails(db, {
          ...{ kind: 'reminder', subjectId: nothing, onceKey: looseId(), write: async () => null },
          to: [{ id: nothing, email: 'ada@example.com' }],
          history: { bookingIds: [nothing], about: 'reminder', at: now },
        }),
      countCaused: (db) =>
        mailStatements.countCaused(db, tenant, { bookingId: nothing, before: 0, emails: 3 }, real),
      countUnposted: (db) => mailStatements.countUnposted(db, tenant, letters.letters, real),
    },
    'outbox/mail/queries.ts': {
      giveUpEmail: (db) => mailQueries.giveUpEmail(db, looseId()),
      insertSandboxItem: (db) => mailQueries.insertSandboxItem(db, item),
      insertSandboxEmails: (db) =>
        mailQueries.insertSandboxEmails(
          db,
          tenant,
          [{ item: { ...item, id: looseId() }, isCounted: true }],
          [],
          real,
        ),
      claimEmail: (db) => mailQueries.claimEmail(db, nothing, real),
      deleteEmail: (db) => mailQueries.deleteEmail(db, nothing),
      markUnsent: (db) =>
        mailQueries.markUnsent(db, nothing, { status: 'failed', nextAttemptAt: now, lastError: 'none' }),
      selectOverdueEmails: (db) => mailQueries.selectOverdueEmails(db, now),
      pruneFailed: (db) => mailQueries.pruneFailed(db, 1, 500),
      pruneEmailKeys: (db) => mailQueries.pruneEmailKeys(db, 1, 500),
      pruneCounts: (db) => mailQueries.pruneCounts(db, 1, 500),
      pruneOutbox: (db) => mailQueries.pruneOutbox(db, 1, 500),
      pruneFiles: (db) => mailQueries.pruneFiles(db, 1, 500),
    },
    'outbox/mail/operator-notices/queries.ts': {
      isNotifiedSince: (db) => noticeQueries.isNotifiedSince(db, 'calendar_a', now),
      noteNotified: (db) => noticeQueries.noteNotified(db, 'calendar_a', now, now),
    },
    // A page of an export. What is taken in is looked through once.
    'operations/calendar-file/queries.ts': {
      selectNameOf: (db) => calendarFileQueries.selectNameOf(db, org),
      selectUpcoming: [
        (db) =>
          calendarFileQueries.selectUpcoming(
            db,
            { organizationId: org, status: 'confirmed', now, after: null },
            20,
          ),
        300,
      ],
    },
    'booking/bookings/imported/statements.ts': {
      markImported: (db) =>
        importedStatements.markImported(db, {
          organizationId: nothing,
          source: 'calendly/booking/new',
          madeId: nothing,
          createdAt: now,
        }),
    },
    'operations/imports/queries.ts': {
      selectJob: (db) => importQueries.selectJob(db, org, nothing),
      selectLatestJob: (db) => importQueries.selectLatestJob(db, org, 'calendly'),
      insertJob: (db) =>
        importQueries.insertJob(db, {
          id: nothing,
          organizationId: org,
          source: 'calendly',
          status: 'running',
          made: { schedules: 0, event_types: 0, bookings: 0 },
          leftOut: [],
          createdAt: now,
          updatedAt: now,
          finishedAt: null,
        }),
      updateJob: (db) => importQueries.updateJob(db, nothing, { status: 'done' }),
      interruptJob: (db) => importQueries.interruptJob(db, nothing, now),
      // All of it: an import knows what it made before.
      selectMadeFrom: [(db) => importQueries.selectMadeFrom(db, org, 'calendly'), 2100],
      selectMembersOf: [(db) => importQueries.selectMembersOf(db, org), 1100],
      pruneJobs: (db) => importQueries.pruneJobs(db, 1, 500),
    },
    'operations/moves/queries.ts': {
      selectRest: [(db) => moveQueries.selectRest(db, movedBookings, org, null, 20), 120],
      selectNext: [(db) => moveQueries.selectNext(db, movedDeliveries, org, null, 20)!, 200],
      selectChildren: (db) => moveQueries.selectChildren(db, movedHolds, [middle]),
      selectState: ONCE,
      findMove: (db) => moveQueries.findMove(db, org),
      isThere: (db) => moveQueries.isThere(db, org),
      findNextOrganization: (db) => moveQueries.findNextOrganization(db, ''),
    },
    'operations/moves/statements.ts': {
      keepChunk: (db) => moveStatements.keepChunk(db, nothing, 0, '[]', now),
      beginImport: (db) => moveStatements.beginImport(db, nothing, org, now),
      forgetImport: (db) => moveStatements.forgetImport(db, nothing),
      pruneImports: ONCE,
      pruneEmptyImports: ONCE,
      takeIn: (db) => moveStatements.takeIn(db, movedTableOf(bookings), nothing, 0),
      standIn: (db) => moveStatements.standIn(db, movedTableOf(bookings), nothing, 0),
      takeOutStandIns: (db) => moveStatements.takeOutStandIns(db, movedTableOf(bookings), nothing, 0),
      takeOut: (db) => moveStatements.takeOut(db, movedTableOf(bookings), nothing, 0),
      clearDerived: (db) => moveStatements.clearDerived(db, nothing),
      clearFreed: (db) => moveStatements.clearFreed(db, [nothing]),
      refuseStray: (db) => moveStatements.refuseStray(db, movedTableOf(holds), nothing, 0),
      beginMove: (db) => moveStatements.beginMove(db, nothing, now),
      endMove: (db) => moveStatements.endMove(db, nothing),
    },
    'operations/deletions/queries.ts': {
      findDeletion: (db) => deletionQueries.findDeletion(db, org),
      findDeletable: (db) => deletionQueries.findDeletable(db, org),
      selectDueDeletions: (db) => deletionQueries.selectDueDeletions(db, now),
      selectUpcoming: [(db) => deletionQueries.selectUpcoming(db, org, now, 20), 60],
      selectUndelivered: (db) => deletionQueries.selectUndelivered(db, org),
      selectRenewing: (db) => deletionQueries.selectRenewing(db, org),
    },
    'operations/deletions/statements.ts': {
      guardNoDeletion: (db) => deletionStatements.guardNoDeletion(db, nothing),
      guardDeletion: (db) => deletionStatements.guardDeletion(db, deletion),
      insertDeletion: (db) => deletionStatements.insertDeletion(db, deletion),
      withdraw: (db) => deletionStatements.withdraw(db, nothing),
      suspendAsRead: (db) => deletionStatements.suspendAsRead(db, { id: nothing, updatedAt: 1 }, null, now),
      moveDeletion: (db) => deletionStatements.moveDeletion(db, deletion, now),
      putOff: (db) => deletionStatements.putOff(db, deletion, now),
      beginDeleting: (db) => deletionStatements.beginDeleting(db, deletion, now, now),
      deleteOrganization: (db) => deletionStatements.deleteOrganization(db, nothing),
      freeNames: (db) => deletionStatements.freeNames(db, nothing),
      forgetDeletion: (db) => deletionStatements.forgetDeletion(db, nothing),
      leaveSessions: (db) => deletionStatements.leaveSessions(db, goneBefore.emails, nothing),
    },
    'operations/deletions/rows/queries.ts': {
      selectHashes: (db) => deletedQueries.selectHashes(db, [nothing]),
      selectAddresses: (db) => deletedQueries.selectAddresses(db, [nothing]),
      selectConnections: (db) => deletedQueries.selectConnections(db, [connection]),
      selectCalendarAccounts: (db) => deletedQueries.selectCalendarAccounts(db, [nothing]),
      selectMeetingAccounts: (db) => deletedQueries.selectMeetingAccounts(db, [nothing]),
      selectKept: (db) => deletedQueries.selectKept(db, [nothing]),
    },
    'operations/deletions/rows/statements.ts': {
      selectPage: [(db) => deletedStatements.selectPage(db, bookedStep, org, 200), 200],
      findStep: ONCE,
      deletePage: (db) => deletedStatements.deletePage(db, bookedStep, [{ key: nothing }]),
    },
    // Whoever erases somebody looks through all that an organization has, once.
    'money/plan-notices/queries.ts': {
      selectDueNotices: (db) => planNotices.selectDueNotices(db, present),
      findNotice: (db) => planNotices.findNotice(db, usedMonth),
      noteSent: (db) => planNotices.noteSent(db, usedMonth, usedMonth, 10, 80),
      dropNotice: (db) => planNotices.dropNotice(db, usedMonth, usedMonth, 10, 80),
    },
    'operations/erasure/queries.ts': {
      findBookings: ONCE,
      findEntries: ONCE,
      findEvents: ONCE,
      findDeliveries: ONCE,
      findActivity: ONCE,
      findSlotHolds: ONCE,
      findSupportRequests: ONCE,
      findTimeOff: ONCE,
      findRefunds: ONCE,
      findPaymentKeys: ONCE,
      selectPhones: ONCE,
      selectRetainedTexts: ONCE,
      selectEmails: ONCE,
      selectBookings: (db) => peopleQueries.selectBookings(db, [middle]),
      selectEntries: (db) => peopleQueries.selectEntries(db, [lastWaiting]),
      selectEvents: (db) => peopleQueries.selectEvents(db, [event.id]),
      selectDeliveries: (db) => peopleQueries.selectDeliveries(db, [delivery.id]),
      selectOutbox: (db) => peopleQueries.selectOutbox(db, org, '', 20),
      selectEventTypeIds: [(db) => peopleQueries.selectEventTypeIds(db, tenant), 500],
      selectStoredResponses: [
        (db) => peopleQueries.selectStoredResponses(db, [`public/${everyday}`], { scope: '', key: '' }, 20),
        200,
      ],
    },
    'operations/erasure/statements.ts': {
      clearBookings: (db) =>
        peopleStatements.clearBookings(db, JSON.stringify([{ id: nothing, revision: 1 }]), now),
      renewSchedules: (db) => peopleStatements.renewSchedules(db, JSON.stringify([middle])),
      clearLog: (db) => peopleStatements.clearLog(db, JSON.stringify([middle]), '[]'),
      clearRefunds: (db) => peopleStatements.clearRefunds(db, JSON.stringify([middle])),
      clearHoldsOf: (db) => peopleStatements.clearHoldsOf(db, JSON.stringify([middle])),
      clearEntries: (db) => peopleStatements.clearEntries(db, JSON.stringify([{ id: nothing }]), now),
      clearEvents: (db) => peopleStatements.clearEvents(db, JSON.stringify([{ id: nothing }]), now),
      clearDeliveries: (db) => peopleStatements.clearDeliveries(db, JSON.stringify([{ id: nothing }])),
      clearBookedLog: (db) => peopleStatements.clearBookedLog(db, JSON.stringify([nothing])),
      clearActivity: (db) => peopleStatements.clearActivity(db, JSON.stringify([{ id: nothing }]), org, 0),
      clearSlotHolds: (db) => peopleStatements.clearSlotHolds(db, JSON.stringify([{ id: nothing }])),
      clearSupport: (db) => peopleStatements.clearSupport(db, JSON.stringify([{ id: nothing }])),
      clearTimeOff: (db) => peopleStatements.clearTimeOff(db, JSON.stringify([{ id: nothing }]), now),
      clearRefundTexts: (db) => peopleStatements.clearRefundTexts(db, JSON.stringify([{ id: nothing }])),
      clearPaymentKeys: (db) => peopleStatements.clearPaymentKeys(db, JSON.stringify([nothing])),
      clearAnswers: (db) => peopleStatements.clearAnswers(db, JSON.stringify([{ scope: '', key: '' }])),
      deleteEmails: (db) => peopleStatements.deleteEmails(db, [nothing]),
      deleteOutbox: (db) => peopleStatements.deleteOutbox(db, [nothing]),
      deleteFiles: (db) => peopleStatements.deleteFiles(db, [nothing]),
      deleteCodes: (db) => peopleStatements.deleteCodes(db, ['subject']),
      deleteEmailCounts: (db) => peopleStatements.deleteEmailCounts(db, tenant, 'a@example.com', now),
    },
    'platform/names/queries.ts': {
      findHolder: (db) => nameQueries.findHolder(db, org),
      isSlugThere: (db) => nameQueries.isSlugThere(db, organization.slug),
    },
    'platform/names/statements.ts': {
      claimNames: (db) => nameStatements.claimNames(db, nothing, [{ kind: 'slug', name: nothing }], now),
      selectUnsureNames: (db) => nameStatements.selectUnsureNames(db, now),
      settleName: (db) =>
        nameStatements.settleName(
          db,
          { kind: 'slug', name: nothing, organizationId: nothing, unsureSince: now },
          true,
        ),
    },
    'people/organizations/queries.ts': {
      findOrganization: (db) => organizationQueries.findOrganization(db, org),
      findOrganizationOfOwner: (db) =>
        organizationQueries.findOrganizationOfOwner(db, organization.ownerUserId),
      listOrganizationsOfUser: (db) => organizationQueries.listOrganizationsOfUser(db, 'host'),
      sizeOf: (db) => organizationQueries.sizeOf(db),
      listSlugs: (db) => organizationQueries.listSlugs(db, 'acme', false, 100),
      insertOrganization: (db) =>
        organizationQueries.insertOrganization(db, {
          ...organizationRow,
          id: looseId(),
          slug: looseId(),
          ownerUserId: looseId(),
        }),
      insertMember: (db) =>
        organizationQueries.insertMember(db, { ...member, id: looseId(), userId: looseId() }),
      updateOrganizationAsRead: (db) =>
        organizationQueries.updateOrganizationAsRead(db, organizationRow, { name: 'Acme' }),
    },
    'money/provider/queries.ts': {
      findAccountOfOrg: (db) => providerQueries.findAccountOfOrg(db, org),
      findOrganizationOfAccount: (db) => providerQueries.findOrganizationOfAccount(db, 'acct'),
      findOwnerEmail: (db) => providerQueries.findOwnerEmail(db, org),
      isMoving: (db) => providerQueries.isMoving(db, org),
      getOrganizationAge: (db) => providerQueries.getOrganizationAge(db, org),
      insertAccount: (db) => providerQueries.insertAccount(db, paymentAccount),
      updateAccountAsRead: (db) => providerQueries.updateAccountAsRead(db, paymentAccount, { updatedAt: 2 }),
    },
    'money/payments/statements.ts': {
      copyPaymentToBooking: (db) => paymentStatements.copyPaymentToBooking(db, payment.id),
      dropTestPaymentsOf: (db) => paymentStatements.dropTestPaymentsOf(db, nothing),
      selectPayment: (db) => paymentStatements.selectPayment(db, payment.id),
      capRefundPolicy: (db) => paymentStatements.capRefundPolicy(db, payment.bookingId, now, now),
    },
    'money/payments/payers/queries.ts': {
      selectPayersOnPage: (db) => payerQueries.selectPayersOnPage(db, tenant, page),
      selectPayer: (db) => payerQueries.selectPayer(db, tenant, payment.id),
    },
    'money/payments/queries.ts': {
      findPayment: (db) => paymentQueries.findPayment(db, payment.id),
      findPaymentInTenant: (db) => paymentQueries.findPaymentInTenant(db, tenant, payment.id),
      findPaymentOfBooking: (db) => paymentQueries.findPaymentOfBooking(db, payment.bookingId),
      findPaymentOfIntent: (db) => paymentQueries.findPaymentOfIntent(db, 'pi_7', payment.id),
      listPaymentsInTenant: (db) => paymentQueries.listPaymentsInTenant(db, tenant, page),
      sumPaymentsInTenant: (db) => paymentQueries.sumPaymentsInTenant(db, tenant),
      insertPayment: (db) =>
        paymentQueries.insertPayment(db, { ...payment, id: looseId(), bookingId: looseId(), intentId: null }),
      updatePayment: (db) => paymentQueries.updatePayment(db, payment.id, { updatedAt: now }),
      updatePaymentAsRead: (db) => paymentQueries.updatePaymentAsRead(db, payment, { updatedAt: now }),
      guardNotProcessing: (db) => paymentQueries.guardNotProcessing(db, payment.id),
      cancelUnpaid: (db) => paymentQueries.cancelUnpaid(db, payment.id, null, real),
      writeIntent: (db) => paymentQueries.writeIntent(db, nothing, 'pi'),
      claimPayment: (db) => paymentQueries.claimPayment(db, payment.id, real),
      putOff: (db) => paymentQueries.putOff(db, payment, now),
      selectDuePayments: (db) => paymentQueries.selectDuePayments(db, real),
      selectExpiredPayments: (db) => paymentQueries.selectExpiredPayments(db, real),
      selectExpiredInSandbox: (db) => paymentQueries.selectExpiredInSandbox(db, org, present),
    },
    'booking/anonymous-callers/queries.ts': {
      selectBookingCounts: (db) => limitQueries.selectBookingCounts(db, everyday, anonymous, now),
      selectJoinCounts: (db) => limitQueries.selectJoinCounts(db, everyday, anonymous),
      selectMailCounts: (db) => limitQueries.selectMailCounts(db, everyday, anonymous),
      countBooking: (db) =>
        limitQueries.countBooking(db, { ...place, isPending: true }, anonymous, publicLimits, now),
      selectHoldCounts: (db) => limitQueries.selectHoldCounts(db, everyday, anonymous, now),
      countHold: (db) => limitQueries.countHold(db, place, anonymous, publicLimits, now),
      countJoin: (db) => limitQueries.countJoin(db, place, anonymous, publicLimits),
      countMails: (db) => limitQueries.countMails(db, place, anonymous, { toAddress: 3, byNetwork: 30 }),
    },
    'booking/anonymous-callers/statements.ts': {
      countUpTo: (db) => limitStatements.countUpTo(db, 'subject', now, 10),
      selectUpTo: (db) => limitStatements.selectUpTo(db, 'subject', now, 10),
      prunePublicCounts: (db) => limitStatements.prunePublicCounts(db, 1, 500),
    },
    'money/payments/money/queries.ts': {
      findLedger: (db) => moneyQueries.findLedger(db, payment.id),
      storeMoney: (db) => moneyQueries.storeMoney(db, payment, { ...payment, updatedAt: now }),
      storeDispute: (db) => moneyQueries.storeDispute(db, null, dispute),
      findFactsOfPayment: (db) => moneyQueries.findFactsOfPayment(db, payment.id),
    },
    'money/payments/refunds/queries.ts': {
      findRefundOfClaim: (db) => refundQueries.findRefundOfClaim(db, 'claim', 1),
      listRefundsOf: (db) => refundQueries.listRefundsOf(db, refund.paymentId),
      isRequested: (db) => refundQueries.isRequested(db, nothing),
      reserveAmount: (db) => refundQueries.reserveAmount(db, payment, 10, real),
      oweRequested: (db) => refundQueries.oweRequested(db, payment, 'Owed'),
      takeInRefund: (db) =>
        refundQueries.takeInRefund(db, { ...refund, id: looseId(), providerRefundId: 're_new' }),
      insertRefund: (db) => refundQueries.insertRefund(db, { ...refund, id: looseId() }),
      forgetClaim: (db) => refundQueries.forgetClaim(db, 'claim', 1),
      updateRefundAsRead: (db) => refundQueries.updateRefundAsRead(db, refund, { updatedAt: now }),
      claimRefund: (db) => refundQueries.claimRefund(db, refund.id, real),
      putOff: (db) => refundQueries.putOff(db, refund.id, now),
      selectDueRefunds: (db) => refundQueries.selectDueRefunds(db, real),
      selectDueRefundsOf: (db) => refundQueries.selectDueRefundsOf(db, payment.id, real),
    },
    'booking/bookings/reminders/queries.ts': {
      selectDueReminders: (db) => reminderQueries.selectDueReminders(db, real),
      putOffReminders: (db) => reminderQueries.putOffReminders(db, [booking.id], real),
      selectRemindersToSend: (db) => reminderQueries.selectRemindersToSend(db, booking.id, real),
      selectDueInSandbox: (db) => reminderQueries.selectDueInSandbox(db, org, present),
      takeReminders: (db) =>
        reminderQueries.takeReminders(db, { ...booking, nextReminderAt: now }, NO_REMINDERS),
      endReminders: (db) =>
        reminderQueries.endReminders(db, { ...booking, nextReminderAt: now }, NO_REMINDERS),
      endLease: (db) =>
        reminderQueries.endLease(db, { ...booking, nextReminderAt: now }, NO_REMINDERS, [nothing]),
      leaseReminders: (db) =>
        reminderQueries.leaseReminders(
          db,
          booking,
          {
            ...{ kind: 'reminder', subjectId: booking.id, onceKey: `${booking.id}/reminder/60/1` },
            to: [{ id: nothing, email: 'ada@example.com' }],
            history: { bookingIds: [booking.id], about: 'reminder', at: now },
            write: async () => null,
          },
          null,
          null,
          real,
        ).statements,
    },
    'money/subscription/queries.ts': {
      getBilling: (db) => subscriptionQueries.getBilling(db, org),
      findOrganizationOfCustomer: (db) => subscriptionQueries.findOrganizationOfCustomer(db, 'cus'),
      putCustomer: (db) => subscriptionQueries.putCustomer(db, org, null, 'cus', real),
      updateBillingAsRead: (db) => subscriptionQueries.updateBillingAsRead(db, billing, billing, now),
      selectOverduePeriods: (db) => subscriptionQueries.selectOverduePeriods(db, real),
    },
    'delivery/support/queries.ts': {
      listSupportRequestsInTenant: (db) => supportQueries.listSupportRequestsInTenant(db, tenant, page),
      getOrganizationName: (db) => supportQueries.getOrganizationName(db, org),
      guardSupportRequests: (db) => supportQueries.guardSupportRequests(db, tenant, now as RealMs),
      insertSupportRequest: (db) =>
        supportQueries.insertSupportRequest(db, {
          ...tenant,
          id: looseId(),
          subject: 'Hi',
          message: 'Hi',
          category: 'bug',
          status: 'open',
          createdAt: now,
        }),
    },
    'people/team/queries.ts': {
      listMembersInOrg: (db) => teamQueries.listMembersInOrg(db, tenant),
      findMemberInOrg: (db) => teamQueries.findMemberInOrg(db, tenant, host),
      findMemberAndZone: (db) => teamQueries.findMemberAndZone(db, tenant, host),
      findTransferable: (db) => teamQueries.findTransferable(db, org, host),
      selectOwnerAndSender: (db) => teamQueries.selectOwnerAndSender(db, org),
      insertMember: (db) => teamQueries.insertMember(db, { ...member, id: looseId(), userId: looseId() }),
      guardRole: (db) => teamQueries.guardRole(db, { memberId: member.id, role: member.role }),
      updateMemberAsRead: (db) => teamQueries.updateMemberAsRead(db, member, { updatedAt: now }),
      deleteMemberAsRead: (db) => teamQueries.deleteMemberAsRead(db, { ...member, id: nothing }),
      moveOwnership: (db) => teamQueries.moveOwnership(db, organization.ownerUserId, member, real),
    },
    'people/team/invitations/queries.ts': {
      listPendingInvitationsInTenant: (db) =>
        invitationQueries.listPendingInvitationsInTenant(db, tenant, real),
      findInvitationInTenant: (db) => invitationQueries.findInvitationInTenant(db, tenant, nothing),
      findInvitable: (db) => invitationQueries.findInvitable(db, tenant, 'new@example.com'),
      listOpenInvitationsBy: (db) => invitationQueries.listOpenInvitationsBy(db, owner),
      revokeInvitationsBy: (db) =>
        invitationQueries.revokeInvitationsBy(db, { ...owner, userId: nothing }, real),
      findByToken: (db) => invitationQueries.findByToken(db, 'hash 5'),
      findAcceptable: (db) => invitationQueries.findAcceptable(db, 'hash 5', 'host', 'host'),
      insertInvitation: (db) =>
        invitationQueries.insertInvitation(
          db,
          {
            ...tenant,
            id: looseId(),
            email: 'new@example.com',
            role: 'member',
            tokenHash: 'new',
            invitedBy: 'owner',
            expiresAt: now,
            acceptedAt: null,
            revokedAt: null,
            createdAt: now,
          },
          true,
          now as RealMs,
        ),
      closeInvitation: (db) => invitationQueries.closeInvitation(db, nothing, { revokedAt: now }),
      pruneInvitations: (db) => invitationQueries.pruneInvitations(db, 1, 500),
    },
    'operations/sandbox/queries.ts': {
      listOutbox: (db) => testDataQueries.listOutbox(db, org, page),
      selectFiles: (db) => testDataQueries.selectFiles(db, org, [nothing]),
      selectDueSandboxes: (db) => testDataQueries.selectDueSandboxes(db, real),
      moveOnDue: (db) => testDataQueries.moveOnDue(db, org, real),
      setSandboxClock: (db) => testDataQueries.setSandboxClock(db, org, null),
      // Whoever empties a sandbox has all of it counted.
      selectMade: [(db) => testDataQueries.selectMade(db, org), past.size],
      selectMadeRequests: [(db) => testDataQueries.selectMadeRequests(db, org), past.size],
      selectMadeSchedules: [(db) => testDataQueries.selectMadeSchedules(db, org), past.size],
      selectMadeResources: [(db) => testDataQueries.selectMadeResources(db, org), past.size],
      selectMadeTimeOff: [(db) => testDataQueries.selectMadeTimeOff(db, org), past.size],
      findTestData: [(db) => testDataQueries.findTestData(db, org), past.size],
      hideTestEventTypes: (db) => testDataQueries.hideTestEventTypes(db, nothing, now),
      deleteStoredResponses: (db) => testDataQueries.deleteStoredResponses(db, nothing),
      deleteTestData: (db) =>
        testDataQueries.deleteTestData(db, nothing, {
          eventTypes: noIds,
          supportRequests: [noIds],
          webhookEndpoints: noIds,
        }),
    },
    'delivery/call-log/queries.ts': {
      selectCallingKeys: (db) => callLogQueries.selectCallingKeys(db, tenant),
    },
    'booking/attention/queries.ts': {
      selectMarked: (db) => attentionQueries.selectMarked(db, org, 0, now, now + 28 * DAY_MS, 5),
    },
    'people/organizations/setup-steps/queries.ts': {
      selectSetupSteps: (db) => setupQueries.selectSetupSteps(db, org, 0),
    },
    'money/usage/report/queries.ts': {
      // A row of each day, event type and host.
      loadCounts: (db) => {
        const last = Math.floor(now / DAY_MS)
        return reportQueries.loadCounts(db, tenant, { first: last - 7, last })
      },
      loadLabels: async (db) => {
        await reportQueries.loadLabels(db, 'event_type', [everyday])
        return reportQueries.loadLabels(db, 'member', [looseId()])
      },
    },
    'money/usage/queries.ts': {
      loadUsage: (db) =>
        usageQueries.loadUsage(db, tenant, '2026-11', now - DAY_MS, { from: now - 30 * DAY_MS, to: now }),
      // A row of each day.
      loadUsageSummary: (db) =>
        usageQueries.loadUsageSummary(db, tenant, { from: now - 30 * DAY_MS, to: now }, now - DAY_MS),
    },
    'booking/holds/queries.ts': {
      selectSlotHold: (db) => holdQueries.selectSlotHold(db, held.id),
      selectHoldAndClock: (db) => holdQueries.selectHoldAndClock(db, held.id),
      selectHoldByToken: (db) => holdQueries.selectHoldByToken(db, 'token'),
      selectBookingOf: (db) => holdQueries.selectBookingOf(db, held.id),
      selectTimeOfHold: (db) => holdQueries.selectTimeOfHold(db, held.id),
      selectExpiredHolds: (db) => holdQueries.selectExpiredHolds(db, real),
      selectExpiredHoldsInSandbox: (db) => holdQueries.selectExpiredHoldsInSandbox(db, org, present, []),
      pruneHolds: (db) => holdQueries.pruneHolds(db, 1, 500),
    },
    'booking/holds/statements.ts': {
      insertSlotHold: (db) =>
        holdStatements.insertSlotHold(db, { ...held, id: looseId(), tokenHash: 'other', networkMark: null }),
      guardHold: (db) => holdStatements.guardHold(db, held),
      becomeBooking: (db) => holdStatements.becomeBooking(db, held.id, nothing, present),
      releaseSlotHold: (db) => holdStatements.releaseSlotHold(db, nothing, present),
    },
    'booking/waitlist/statements.ts': {
      insertFreedWhole: (db) => freedStatements.insertFreedWhole(db, everyday, 'test'),
      insertFreedByCalendars: (db) =>
        freedStatements.insertFreedByCalendars(db, sql`(${connection})`, sql`busy.event_id IN ('e1', 'e2')`),
      insertFreedByLeaving: (db) => freedStatements.insertFreedByLeaving(db, host),
      insertFreedByGoing: (db) => freedStatements.insertFreedByGoing(db, sql`(${nothing})`),
      insertFreedByReopening: (db) => freedStatements.insertFreedByReopening(db, sql`(${connection})`),
      deleteFreedStillBusy: (db) => freedStatements.deleteFreedStillBusy(db, connection),
      insertFreed: (db) => freedStatements.insertFreed(db, nothing, 'test', []),
      deleteFreed: (db) => freedStatements.deleteFreed(db, []),
      deleteFreedBy: [(db) => freedStatements.deleteFreedBy(db, everyday, ['test']), 500],
      dropEntriesOf: (db) => freedStatements.dropEntriesOf(db, nothing, real),
      guardWaitlist: [(db) => freedStatements.guardWaitlist(db, everyday, []), 500],
      deleteFreedOf: (db) => freedStatements.deleteFreedOf(db, nothing),
    },
    'booking/waitlist/expiry/queries.ts': {
      selectExpired: (db) => waitlistExpiryQueries.selectExpired(db, real),
      selectExpiredInSandbox: (db) => waitlistExpiryQueries.selectExpiredInSandbox(db, org, present, []),
    },
    'booking/waitlist/queries.ts': {
      // All who wait, for they are what is decided on.
      selectWaiting: [(db) => waitlistQueries.selectWaiting(db, everyday), 500],
      selectWritten: (db) => waitlistQueries.selectWritten(db, [lastWaiting]),
      selectWaitingCount: [(db) => waitlistQueries.selectWaitingCount(db, everyday), 500],
      selectEmailFacts: (db) => waitlistQueries.selectEmailFacts(db, entry),
      selectWaitingFor: [(db) => waitlistQueries.selectWaitingFor(db, everyday, null), 250],
      findEntryInTenant: [(db) => waitlistQueries.findEntryInTenant(db, tenant, lastWaiting), 250],
      selectEntry: [(db) => waitlistQueries.selectEntry(db, lastWaiting), 250],
      findEntryAndClock: (db) => waitlistQueries.findEntryAndClock(db, lastWaiting),
      findEntryWithOwner: (db) => waitlistQueries.findEntryWithOwner(db, lastWaiting),
      listEntriesInTenant: [(db) => waitlistQueries.listEntriesInTenant(db, tenant, page), 2_400],
      endWaitingFor: (db) =>
        waitlistQueries.endWaitingFor(db, everyday, now, [nothing], { status: 'expired' }),
      insertEntry: (db) =>
        waitlistQueries.insertEntry(db, { ...entry, id: looseId(), inviteeEmail: 'new@example.com' }),
      endWaiting: (db) => waitlistQueries.endWaiting(db, lastWaiting, { status: 'expired' }),
      selectSeatsOfWaiting: [
        (db) => waitlistQueries.selectSeatsOfWaiting(db, everyday, '["zoë@example.com"]', present),
        500,
      ],
      selectBookingsOfWaiting: [
        (db) => waitlistQueries.selectBookingsOfWaiting(db, everyday, '["zoë@example.com"]', present),
        1_300,
      ],
      selectSharing: (db) => waitlistQueries.selectSharing(db, everyday, middle),
      selectClock: (db) => waitlistQueries.selectClock(db, everyday),
    },
    'delivery/webhooks/deliveries/queries.ts': {
      claimAttempt: (db) => deliveryQueries.claimAttempt(db, delivery.id, 1, real),
      settleAttempt: (db) => deliveryQueries.settleAttempt(db, delivery, 1, failed, 'failed', real),
      failUntaken: (db) => deliveryQueries.failUntaken(db, delivery.id, 1),
      insertDelivery: (db) =>
        deliveryQueries.insertDelivery(db, { ...delivery, id: looseId(), eventId: nothing }),
      listDeliveriesInTenant: [
        (db) => deliveryQueries.listDeliveriesInTenant(db, tenant, endpoint, page),
        5 * 21,
      ],
      getDeliveryInTenant: (db) => deliveryQueries.getDeliveryInTenant(db, tenant, endpoint, delivery.id),
      replaceFailedDelivery: (db) =>
        deliveryQueries.replaceFailedDelivery(db, failed.id, {
          ...failed,
          id: looseId(),
          retryOf: failed.id,
        }),
      pruneDeliveries: (db) => deliveryQueries.pruneDeliveries(db, 1, 500),
    },
    'delivery/webhooks/deliveries/statements.ts': {
      selectDelivered: (db) => deliveryStatements.selectDelivered(db, looseId(), [endpoint]),
      insertAttempted: (db) =>
        deliveryStatements.insertAttempted(db, { ...delivery, id: looseId(), eventId: event.id }),
      endFailures: (db) => deliveryStatements.endFailures(db, endpoint),
    },
    'delivery/webhooks/overdue/queries.ts': {
      selectOverdueDeliveries: (db) => overdueQueries.selectOverdueDeliveries(db, now),
      selectToldDeliveries: (db) => overdueQueries.selectToldDeliveries(db, now),
      putOffDeliveries: (db) => overdueQueries.putOffDeliveries(db, [delivery.id], real),
    },
    'delivery/webhooks/feed/queries.ts': {
      listEventsInTenant: (db) => feedQueries.listEventsInTenant(db, tenant, { after: 10_000, limit: 20 }),
      listNewestEventsInTenant: (db) =>
        feedQueries.listNewestEventsInTenant(db, tenant, { before: 10_000, limit: 20 }),
    },
    'delivery/webhooks/queries.ts': {
      findEndpointInTenant: (db) => endpointQueries.findEndpointInTenant(db, tenant, endpoint),
      listEndpointsInTenant: (db) => endpointQueries.listEndpointsInTenant(db, tenant, page),
      countEndpointsInTenant: (db) => endpointQueries.countEndpointsInTenant(db, tenant),
      insertEndpoint: (db) => endpointQueries.insertEndpoint(db, { ...endpointRow, id: looseId() }),
      updateEndpointAsRead: (db) => endpointQueries.updateEndpointAsRead(db, endpointRow, { updatedAt: now }),
      noteChallenge: (db) => endpointQueries.noteChallenge(db, endpoint, real),
      deleteEndpoint: (db) => endpointQueries.deleteEndpoint(db, nothing),
    },
  }
}
