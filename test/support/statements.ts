import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../src/db/client.ts'
import { newId } from '../../src/db/ids.ts'
import { apiKeys } from '../../src/db/schema/api-keys.ts'
import { bookings } from '../../src/db/schema/bookings.ts'
import { calendarConnections, calendarWrites } from '../../src/db/schema/calendars.ts'
import { eventTypes } from '../../src/db/schema/event-types.ts'
import { eventTypeHosts } from '../../src/db/schema/hosts.ts'
import { members, organizations } from '../../src/db/schema/organizations.ts'
import { payments, refunds } from '../../src/db/schema/payments.ts'
import { events } from '../../src/db/schema/records.ts'
import { waitlistEntries } from '../../src/db/schema/waitlist.ts'
import { webhookDeliveries, webhookEndpoints } from '../../src/db/schema/webhooks.ts'
import * as activityStore from '../../src/resources/activity/store.ts'
import * as apiKeyStore from '../../src/resources/api-keys/store.ts'
import * as hoursStore from '../../src/resources/availability/hours-store.ts'
import * as availabilityStore from '../../src/resources/availability/store.ts'
import * as pageStore from '../../src/resources/booking-pages/store.ts'
import * as limitsStore from '../../src/resources/bookings/limits-store.ts'
import * as bookingListStore from '../../src/resources/bookings/list-store.ts'
import * as bookingStore from '../../src/resources/bookings/store.ts'
import * as brandingStore from '../../src/resources/branding/store.ts'
import * as syncStore from '../../src/resources/calendar-sync/store.ts'
import * as writeStore from '../../src/resources/calendar-writes/store.ts'
import * as calendarStore from '../../src/resources/calendars/store.ts'
import * as conferencingStore from '../../src/resources/conferencing/store.ts'
import * as consentStore from '../../src/resources/consents/store.ts'
import * as codeStore from '../../src/resources/email-verifications/store.ts'
import * as eventTypeStore from '../../src/resources/event-types/store.ts'
import * as eventStore from '../../src/resources/events/store.ts'
import * as hostStore from '../../src/resources/hosts/store.ts'
import * as letterStore from '../../src/resources/letters/store.ts'
import * as mailStore from '../../src/resources/mail/store.ts'
import * as organizationStore from '../../src/resources/organizations/store.ts'
import * as providerStore from '../../src/resources/payment-provider/store.ts'
import * as paymentStore from '../../src/resources/payments/store.ts'
import * as limitStore from '../../src/resources/public-limits/store.ts'
import * as refundStore from '../../src/resources/refunds/store.ts'
import * as reminderStore from '../../src/resources/reminders/store.ts'
import * as subscriptionStore from '../../src/resources/subscription/store.ts'
import * as supportStore from '../../src/resources/support/store.ts'
import * as teamStore from '../../src/resources/team/store.ts'
import * as testDataStore from '../../src/resources/test-data/store.ts'
import * as usageStore from '../../src/resources/usage/store.ts'
import * as freedStore from '../../src/resources/waitlist/freed-times.ts'
import * as waitlistStore from '../../src/resources/waitlist/store.ts'
import * as attemptStore from '../../src/resources/webhook-deliveries/attempts-store.ts'
import * as deliveryStore from '../../src/resources/webhook-deliveries/store.ts'
import * as endpointStore from '../../src/resources/webhooks/store.ts'
import { type History, UPCOMING } from './history.ts'

const DAY_MS = 86_400_000

/** What runs a query or makes statements, and how much may be read where that is more than a few rows. */
type Run = (db: Db) => unknown
type Runs = Readonly<Record<string, Run | readonly [Run, number]>>

/**
 * Every query and statement of every store, by file and name, with values as they are in an organization with a long
 * history. What changes or deletes whole things is given the name of nothing, so that the others find theirs.
 */
export async function statementsOf(reading: Db, past: History): Promise<Readonly<Record<string, Runs>>> {
  const first = async <T extends SQLiteTable>(table: T, where: SQL = sql`true`) => {
    const [row] = await reading.select().from(table).where(where).limit(1)
    return row as T['$inferSelect']
  }
  const { organization, now, everyday, host, connection, endpoint, middle, lastWaiting } = past
  const { id: org } = organization
  const tenant = { organizationId: org, isTest: false }
  const isOurs = sql`organization_id = ${org} AND is_test = 0`
  const nothing = newId()
  const page = { limit: 20, starting_after: undefined }
  const after = { limit: 20, starting_after: middle }
  const range = { start: now, end: now + 31 * DAY_MS }
  const long = now - 90 * DAY_MS
  const booking = await first(bookings, sql`id = ${middle}`)
  const member = await first(members, sql`id = ${host}`)
  const owner = await first(members, sql`organization_id = ${org} AND role = 'owner'`)
  const organizationRow = await first(organizations, sql`id = ${org}`)
  const eventType = await first(eventTypes, sql`id = ${everyday}`)
  const hostRow = await first(eventTypeHosts, sql`id = ${host}`)
  const payment = await first(payments, sql`${isOurs} AND status = 'succeeded'`)
  const refund = await first(refunds)
  const entry = await first(waitlistEntries, sql`id = ${lastWaiting}`)
  const event = await first(events, isOurs)
  const delivery = await first(webhookDeliveries, sql`${isOurs} AND status = 'success'`)
  const failed = await first(webhookDeliveries, sql`${isOurs} AND status = 'failed'`)
  const endpointRow = await first(webhookEndpoints, sql`id = ${endpoint}`)
  const key = await first(apiKeys, sql`${isOurs} AND revoked_at IS NULL`)
  const connected = await first(calendarConnections, sql`id = ${connection}`)
  const write = await first(calendarWrites, sql`connection_id = ${connection}`)
  const meeting = {
    holderId: nothing,
    organizationId: org,
    isTest: false,
    provider: 'video_a',
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
    accountEmail: null,
    credentials: 'sealed',
    status: 'active',
    error: null,
    connectedAt: 1,
    updatedAt: 1,
  } as const
  const paymentAccount = {
    organizationId: org,
    accountId: nothing,
    chargesEnabled: true,
    payoutsEnabled: true,
    connectedAt: 1,
    disconnectedAt: null,
    createdAt: 1,
    updatedAt: 1,
  }
  const reminder = {
    bookingId: middle,
    minutesBefore: 5,
    organizationId: org,
    isTest: false,
    dueAt: now + DAY_MS,
  }
  const letters = {
    onceKey: 'once',
    kind: 'ready',
    subjectId: null,
    occasion: null,
    isCounted: true,
    letters: [
      {
        id: newId(),
        recipientId: null,
        recipient: 'ada@example.com',
        address: 'ada@example.com',
        message: 'sealed',
      },
    ],
  } as const
  const stranger = { networkMark: 'network', addressMark: 'address', hourEndsAt: now }
  const place = { ...tenant, eventTypeId: everyday }
  const publicLimits = {
    bookings_per_network_hour: 60,
    pending_per_network: 5,
    active_per_email: 10,
    waiting_per_email: 3,
  }
  const item = {
    id: newId(),
    organizationId: org,
    onceKey: 'once',
    channel: 'email',
    recipient: 'ada@example.com',
    subject: null,
    body: 'sealed',
    createdAt: now,
  } as const
  const billing = await subscriptionStore.getBilling(reading, org)
  return {
    'activity/store.ts': {
      listActivityInTenant: (db) => activityStore.listActivityInTenant(db, tenant, after),
      pruneAddresses: (db) => activityStore.pruneAddresses(db, long, 500),
    },
    'api-keys/store.ts': {
      findKeyInTenant: (db) => apiKeyStore.findKeyInTenant(db, tenant, key.id),
      listKeysInTenant: (db) => apiKeyStore.listKeysInTenant(db, tenant, page),
      insertKey: (db) => apiKeyStore.insertKey(db, { ...key, id: newId(), hash: 'new' }),
      revokeKey: (db) => apiKeyStore.revokeKey(db, nothing, now),
      listKeyHashes: (db) => apiKeyStore.listKeyHashes(db, org),
      listOpenKeysOfMember: (db) => apiKeyStore.listOpenKeysOfMember(db, host),
      listMemberKeyHashes: (db) => apiKeyStore.listMemberKeyHashes(db, [host, owner.id]),
      revokeKeysOfMember: (db) => apiKeyStore.revokeKeysOfMember(db, nothing, now),
      pruneRevokedKeys: (db) => apiKeyStore.pruneRevokedKeys(db, 1, 500),
    },
    'availability/hours-store.ts': {
      replaceRules: (db) => hoursStore.replaceRules(db, nothing, []),
      replaceOverrides: (db) => hoursStore.replaceOverrides(db, nothing, []),
      guardEventType: (db) => hoursStore.guardEventType(db, everyday),
      touchEventType: (db) => hoursStore.touchEventType(db, everyday, 'UTC', now),
      selectTimezone: (db) => hoursStore.selectTimezone(db, everyday),
    },
    'availability/store.ts': {
      refuseWhenChanged: (db) =>
        availabilityStore.refuseWhenChanged(db, { eventType, organization: organizationRow } as never),
      selectRules: (db) => availabilityStore.selectRules(db, everyday),
      selectOverrides: (db) => availabilityStore.selectOverrides(db, everyday),
      // What a month holds, each of it twice: the hold and the booking; and the busy times of its calendar.
      scheduleQueries: [
        (db) => [...availabilityStore.scheduleQueries(db, everyday, { range, seatsAt: now }, '2026-11', now)],
        3 * UPCOMING,
      ],
    },
    'booking-pages/store.ts': {
      findListing: (db) => pageStore.findListing(db, organization.slug),
      findEventPage: (db) => pageStore.findEventPage(db, organization.slug, eventType.slug),
    },
    'bookings/list-store.ts': {
      listBookingsInTenant: [(db) => bookingListStore.listBookingsInTenant(db, tenant, after), 5 * 21],
    },
    'bookings/limits-store.ts': {
      countInQuota: (db) => limitsStore.countInQuota(db, org, '2026-11', 10),
      uncountInQuota: (db) => limitsStore.uncountInQuota(db, org, '2026-11'),
      guardCap: [(db) => limitsStore.guardCap(db, everyday, 1_000, range, nothing), UPCOMING],
      guardTotalCap: (db) => limitsStore.guardTotalCap(db, everyday, 1_000_000),
    },
    'bookings/store.ts': {
      selectBooking: (db) => bookingStore.selectBooking(db, middle),
      selectBookingAndClock: (db) => bookingStore.selectBookingAndClock(db, middle),
      selectBookingWithOwner: (db) => bookingStore.selectBookingWithOwner(db, middle),
      selectBookingDetail: (db) => bookingStore.selectBookingDetail(db, middle),
      selectReminderIntervals: (db) => bookingStore.selectReminderIntervals(db, everyday),
      insertBooking: (db) => bookingStore.insertBooking(db, { ...booking, id: newId() }),
      updateBookingAsRead: (db) => bookingStore.updateBookingAsRead(db, booking, { status: 'rescheduled' }),
      takeHold: (db) => bookingStore.takeHold(db, nothing, [nothing], { start: now, end: now + 1 }),
      insertSession: (db) =>
        bookingStore.insertSession(db, {
          id: newId(),
          eventTypeId: nothing,
          startTime: now,
          endTime: now,
          seatsTaken: 0,
          assignedHost: null,
          calendarConnectionId: null,
          createdAt: now,
        }),
      // Each booking to come becomes a session, by the triggers too.
      openSessionsForBookings: [
        (db) => bookingStore.openSessionsForBookings(db, everyday, now),
        25 * UPCOMING,
      ],
      guardOwnName: (db) => bookingStore.guardOwnName(db, middle),
      creditHosts: (db) => bookingStore.creditHosts(db, everyday, [host], true, now),
      selectHold: (db) => bookingStore.selectHold(db, middle),
      releaseHold: (db) => bookingStore.releaseHold(db, nothing),
      deleteTestBookingsOf: (db) => bookingStore.deleteTestBookingsOf(db, nothing),
      selectUnlinked: (db) => bookingStore.selectUnlinked(db, middle, 'https://meet.example.com'),
      linkBookings: (db) => bookingStore.linkBookings(db, [middle], 'https://meet.example.com', now),
    },
    'branding/store.ts': {
      getBrandingOfOrg: (db) => brandingStore.getBrandingOfOrg(db, org),
      updateBrandingOfOrg: (db) => brandingStore.updateBrandingOfOrg(db, org, {}, now),
    },
    'calendar-sync/store.ts': {
      selectDueConnections: (db) => syncStore.selectDueConnections(db, now),
      claimSync: (db) =>
        syncStore.claimSync(db, connection, { now, lostAt: now, since: now, isForced: false }),
      endSync: (db) => syncStore.endSync(db, connection, now, { syncStatus: 'connected' }),
      replaceCredentials: (db) => syncStore.replaceCredentials(db, connection, 'sealed', 'sealed'),
      // All that the calendar has.
      listEtags: [(db) => syncStore.listEtags(db, connection), 1_000],
      deleteAllEvents: (db) => syncStore.deleteAllEvents(db, nothing),
      deleteEvents: (db) => syncStore.deleteEvents(db, connection, ['e1', 'e2']),
      insertEvents: (db) => syncStore.insertEvents(db, connection, []),
      insertBusyTimes: (db) =>
        syncStore.insertBusyTimes(db, connected, [
          { id: 'e1', uid: `${middle}@holdfast`, start: now, end: now },
        ]),
      findOwnUids: (db) => syncStore.findOwnUids(db, org, [`${middle}@holdfast`, `${nothing}@holdfast`]),
    },
    'calendar-writes/store.ts': {
      selectDueWrites: (db) => writeStore.selectDueWrites(db, now),
      selectDueWritesOf: (db) => writeStore.selectDueWritesOf(db, event.id, now),
      claimWrite: (db) => writeStore.claimWrite(db, write, now, now),
      selectWritten: (db) => writeStore.selectWritten(db, write),
      selectConnection: (db) => writeStore.selectConnection(db, connection),
      deleteWrite: (db) => writeStore.deleteWrite(db, { ...write, holderId: nothing }),
      noteIntent: (db) => writeStore.noteIntent(db, write, { etag: null }),
      endWrite: (db) => writeStore.endWrite(db, { ...write, claimedUntil: now }, {}, now),
      clearSuspicion: (db) => writeStore.clearSuspicion(db, write),
      showInBookings: (db) => writeStore.showInBookings(db, write, [middle], { syncError: null }),
      hideEvent: (db) => writeStore.hideEvent(db, write),
      listOwnEvents: (db) =>
        writeStore.listOwnEvents(
          db,
          connection,
          { ids: ['a.ics', `${middle}.ics`], uids: [`${middle}@holdfast`] },
          range,
        ),
      suspect: (db) => writeStore.suspect(db, connection, [middle], now),
      // What failed or is pending: the bookings to come, when they were made sessions above.
      retryWritesOf: [(db) => writeStore.retryWritesOf(db, connection, now), 3 * UPCOMING],
      complain: [(db) => writeStore.complain(db, connection, now), UPCOMING],
      setComplaint: (db) => writeStore.setComplaint(db, connection, null),
    },
    'calendars/store.ts': {
      findListedInTenant: [(db) => calendarStore.findListedInTenant(db, tenant, connection, now), UPCOMING],
      listConnectionsInTenant: [
        (db) => calendarStore.listConnectionsInTenant(db, tenant, page, now),
        UPCOMING,
      ],
      findConnectable: [(db) => calendarStore.findConnectable(db, tenant, null, 'account'), UPCOMING],
      guardMember: (db) => calendarStore.guardMember(db, host),
      insertConnection: (db) =>
        calendarStore.insertConnection(db, { ...connected, id: newId(), accountKey: 'another' }),
      renewConnection: (db) => calendarStore.renewConnection(db, connected, connected),
      freeByDefault: (db) => calendarStore.freeByDefault(db, nothing),
      freeByOwner: (db) => calendarStore.freeByOwner(db, nothing),
      isAccountConnected: (db) => calendarStore.isAccountConnected(db, 'account'),
      updateCredentials: (db) => calendarStore.updateCredentials(db, connection, 'sealed'),
      findCredentials: (db) => calendarStore.findCredentials(db, connection),
      deleteConnection: (db) => calendarStore.deleteConnection(db, nothing),
      deleteConnectionsOfMember: (db) => calendarStore.deleteConnectionsOfMember(db, nothing),
      deleteTestConnections: (db) => calendarStore.deleteTestConnections(db, org),
      countConnections: (db) => calendarStore.countConnections(db, tenant),
      selectActiveProviders: (db) => calendarStore.selectActiveProviders(db, tenant),
      isConnectionOf: (db) => calendarStore.isConnectionOf(db, tenant, connection),
      guardConnection: (db) => calendarStore.guardConnection(db, connection),
    },
    'conferencing/store.ts': {
      selectAccount: (db) => conferencingStore.selectAccount(db, tenant),
      isAccountConnected: (db) => conferencingStore.isAccountConnected(db, 'host@example.com'),
      findRedirectHosts: (db) => conferencingStore.findRedirectHosts(db, org),
      selectSuites: (db) => conferencingStore.selectSuites(db, tenant),
      upsertAccount: (db) => conferencingStore.upsertAccount(db, account),
      deleteAccount: (db) => conferencingStore.deleteAccount(db, nothing),
      deleteTestAccount: (db) => conferencingStore.deleteTestAccount(db, org),
      updateAccount: (db) => conferencingStore.updateAccount(db, nothing, { error: null }),
      retryMeetingsOf: (db) => conferencingStore.retryMeetingsOf(db, org, now),
      selectDueMeetings: (db) => conferencingStore.selectDueMeetings(db, now),
      selectDueMeetingsOf: (db) => conferencingStore.selectDueMeetingsOf(db, event.id, now),
      claimMeeting: (db) => conferencingStore.claimMeeting(db, middle, now, now),
      keepMeeting: (db) => conferencingStore.keepMeeting(db, meeting, meeting),
      endMeeting: (db) => conferencingStore.endMeeting(db, meeting, {}, now),
      selectLink: (db) => conferencingStore.selectLink(db, event.id),
    },
    'consents/store.ts': { findAsking: (db) => consentStore.findAsking(db, org) },
    'email-verifications/store.ts': {
      selectAsked: (db) => codeStore.selectAsked(db, everyday),
      putCode: (db) =>
        codeStore.putCode(db, { subject: 'new', codeMark: 'mark', expiresAt: now, createdAt: now }),
      tryCode: (db) => codeStore.tryCode(db, 'new', 'mark', now),
      spendCode: (db) => codeStore.spendCode(db, 'new', 'mark'),
      pruneCodes: (db) => codeStore.pruneCodes(db, 1, 500),
    },
    'event-types/store.ts': {
      findEventTypeInTenant: (db) => eventTypeStore.findEventTypeInTenant(db, tenant, everyday),
      findEventType: (db) => eventTypeStore.findEventType(db, everyday),
      listEventTypesInTenant: (db) => eventTypeStore.listEventTypesInTenant(db, tenant, page),
      getDefaultTimezone: (db) => eventTypeStore.getDefaultTimezone(db, org),
      countActiveBookings: [
        (db) => eventTypeStore.countActiveBookings(db, [{ eventTypeId: everyday, period: range }]),
        UPCOMING,
      ],
      insertEventType: (db) => eventTypeStore.insertEventType(db, { ...eventType, id: newId(), slug: 'new' }),
      updateEventTypeAsRead: (db) => eventTypeStore.updateEventTypeAsRead(db, eventType, {}, now),
      hideEventType: (db) => eventTypeStore.hideEventType(db, nothing, now),
      selectDeletedUnused: (db) => eventTypeStore.selectDeletedUnused(db, now),
      purgeEventTypes: (db) => eventTypeStore.purgeEventTypes(db, [{ id: nothing }]),
    },
    'events/store.ts': {
      selectUnhandledEvent: (db) => eventStore.selectUnhandledEvent(db, event.id),
      listEventsInTenant: (db) => eventStore.listEventsInTenant(db, tenant, { after: 10_000, limit: 20 }),
      pruneEvents: (db) => eventStore.pruneEvents(db, 1, 500),
      markHandled: (db) => eventStore.markHandled(db, event.id, now),
      selectUnhandledEvents: (db) => eventStore.selectUnhandledEvents(db, now),
      putOffEvents: (db) => eventStore.putOffEvents(db, [event.id], now),
      markUntold: (db) => eventStore.markUntold(db, event.id),
    },
    'hosts/store.ts': {
      selectHosts: (db) => hostStore.selectHosts(db, everyday),
      findHost: (db) => hostStore.findHost(db, everyday, host),
      selectMember: (db) => hostStore.selectMember(db, tenant, host),
      insertHost: (db) => hostStore.insertHost(db, { ...hostRow, id: newId(), eventTypeId: past.paid }),
      deleteHost: (db) => hostStore.deleteHost(db, nothing),
      // Each hold to come, and whose it is.
      keepHoldsOf: [(db) => hostStore.keepHoldsOf(db, { hostId: host }, now), 5 * UPCOMING],
      touchHostedBy: (db) => hostStore.touchHostedBy(db, host),
      deleteHostsOfMember: (db) => hostStore.deleteHostsOfMember(db, nothing),
    },
    'letters/store.ts': {
      selectFactsOfEvent: (db) => letterStore.selectFactsOfEvent(db, event.id),
      selectFactsOfLetter: (db) => letterStore.selectFactsOfLetter(db, nothing),
      selectBookingOfLetter: (db) => letterStore.selectBookingOfLetter(db, nothing),
    },
    'mail/store.ts': {
      insertLetters: (db) => mailStore.insertLetters(db, tenant, letters, now),
      insertSandboxItem: (db) => mailStore.insertSandboxItem(db, item),
      insertSandboxLetters: (db) =>
        mailStore.insertSandboxLetters(db, tenant, [{ ...item, id: newId() }], [], now),
      claimLetter: (db) => mailStore.claimLetter(db, nothing, now, now),
      deleteLetter: (db) => mailStore.deleteLetter(db, nothing),
      markUnsent: (db) =>
        mailStore.markUnsent(db, nothing, { status: 'failed', nextAttemptAt: now, lastError: 'none' }),
      selectOverdueLetters: (db) => mailStore.selectOverdueLetters(db, now),
      pruneFailed: (db) => mailStore.pruneFailed(db, 1, 500),
      pruneLetterKeys: (db) => mailStore.pruneLetterKeys(db, 1, 500),
      pruneCounts: (db) => mailStore.pruneCounts(db, 1, 500),
      pruneOutbox: (db) => mailStore.pruneOutbox(db, 1, 500),
      pruneFiles: (db) => mailStore.pruneFiles(db, 1, 500),
    },
    'organizations/store.ts': {
      findOrganization: (db) => organizationStore.findOrganization(db, org),
      findOrganizationOfOwner: (db) =>
        organizationStore.findOrganizationOfOwner(db, organization.ownerUserId),
      listOrganizationsOfUser: (db) => organizationStore.listOrganizationsOfUser(db, 'host'),
      listSlugs: (db) => organizationStore.listSlugs(db, 'acme', false, 100),
      insertOrganization: (db) =>
        organizationStore.insertOrganization(db, {
          ...organizationRow,
          id: newId(),
          slug: newId(),
          ownerUserId: newId(),
        }),
      insertMember: (db) => organizationStore.insertMember(db, { ...member, id: newId(), userId: newId() }),
      updateOrganizationAsRead: (db) =>
        organizationStore.updateOrganizationAsRead(db, organizationRow, { name: 'Acme' }),
    },
    'payment-provider/store.ts': {
      findAccountOfOrg: (db) => providerStore.findAccountOfOrg(db, org),
      findOrganizationOfAccount: (db) => providerStore.findOrganizationOfAccount(db, 'acct'),
      getOrganizationAge: (db) => providerStore.getOrganizationAge(db, org),
      insertAccount: (db) => providerStore.insertAccount(db, paymentAccount),
      updateAccountAsRead: (db) => providerStore.updateAccountAsRead(db, paymentAccount, { updatedAt: 2 }),
    },
    'payments/store.ts': {
      selectPayment: (db) => paymentStore.selectPayment(db, payment.id),
      findPayment: (db) => paymentStore.findPayment(db, payment.id),
      findPaymentInTenant: (db) => paymentStore.findPaymentInTenant(db, tenant, payment.id),
      findPaymentOfBooking: (db) => paymentStore.findPaymentOfBooking(db, payment.bookingId),
      findPaymentOfIntent: (db) => paymentStore.findPaymentOfIntent(db, 'pi_7', payment.id),
      listPaymentsInTenant: (db) => paymentStore.listPaymentsInTenant(db, tenant, page),
      sumPaymentsInTenant: (db) => paymentStore.sumPaymentsInTenant(db, tenant),
      insertPayment: (db) =>
        paymentStore.insertPayment(db, { ...payment, id: newId(), bookingId: newId(), intentId: null }),
      deleteTestPaymentsOf: (db) => paymentStore.deleteTestPaymentsOf(db, nothing),
      updatePayment: (db) => paymentStore.updatePayment(db, payment.id, { updatedAt: now }),
      updatePaymentAsRead: (db) => paymentStore.updatePaymentAsRead(db, payment, { updatedAt: now }),
      cancelUnpaid: (db) => paymentStore.cancelUnpaid(db, payment.id, null, now),
      writeIntent: (db) => paymentStore.writeIntent(db, nothing, 'pi'),
      claimPayment: (db) => paymentStore.claimPayment(db, payment.id, now, now),
      putOff: (db) => paymentStore.putOff(db, payment, now),
      selectDuePayments: (db) => paymentStore.selectDuePayments(db, now),
      selectExpiredPayments: (db) => paymentStore.selectExpiredPayments(db, now),
      selectExpiredInSandbox: (db) => paymentStore.selectExpiredInSandbox(db, org, now, ''),
    },
    'public-limits/store.ts': {
      selectBookingCounts: (db) => limitStore.selectBookingCounts(db, everyday, stranger, now),
      selectJoinCounts: (db) => limitStore.selectJoinCounts(db, everyday, stranger),
      selectMailCounts: (db) => limitStore.selectMailCounts(db, everyday, stranger),
      countBooking: (db) =>
        limitStore.countBooking(db, { ...place, isPending: true }, stranger, publicLimits, now),
      countJoin: (db) => limitStore.countJoin(db, place, stranger, publicLimits),
      countMails: (db) => limitStore.countMails(db, place, stranger, { toAddress: 3, byNetwork: 30 }),
      countUpTo: (db) => limitStore.countUpTo(db, 'subject', now, 10),
      prunePublicCounts: (db) => limitStore.prunePublicCounts(db, 1, 500),
    },
    'refunds/store.ts': {
      findPaymentInTenant: (db) => refundStore.findPaymentInTenant(db, tenant, payment.id),
      findPaymentOfIntent: (db) => refundStore.findPaymentOfIntent(db, 'pi_7'),
      findPayment: (db) => refundStore.findPayment(db, payment.id),
      guardPaymentAsRead: (db) => refundStore.guardPaymentAsRead(db, payment),
      findRefundOfClaim: (db) => refundStore.findRefundOfClaim(db, 'claim', 1),
      listRefundsOf: (db) => refundStore.listRefundsOf(db, refund.paymentId),
      reserveAmount: (db) => refundStore.reserveAmount(db, payment, 10, now),
      insertRefund: (db) => refundStore.insertRefund(db, { ...refund, id: newId() }),
      forgetClaim: (db) => refundStore.forgetClaim(db, 'claim', 1),
      updateRefundAsRead: (db) => refundStore.updateRefundAsRead(db, refund, { updatedAt: now }),
      moveAmounts: (db) =>
        refundStore.moveAmounts(db, payment.id, { reserved: -10, refunded: 10 }, null, now),
      claimRefund: (db) => refundStore.claimRefund(db, refund.id, now, now),
      putOff: (db) => refundStore.putOff(db, refund.id, now),
      selectDueRefunds: (db) => refundStore.selectDueRefunds(db, now),
      selectDueRefundsOf: (db) => refundStore.selectDueRefundsOf(db, payment.id, now),
    },
    'reminders/store.ts': {
      insertReminders: (db) => reminderStore.insertReminders(db, [reminder]),
      deleteReminders: (db) => reminderStore.deleteReminders(db, nothing),
      selectDueReminders: (db) => reminderStore.selectDueReminders(db, now),
      selectDueInSandbox: (db) => reminderStore.selectDueInSandbox(db, org, now),
      takeReminder: (db) => reminderStore.takeReminder(db, reminder),
    },
    'subscription/store.ts': {
      getBilling: (db) => subscriptionStore.getBilling(db, org),
      findOrganizationOfCustomer: (db) => subscriptionStore.findOrganizationOfCustomer(db, 'cus'),
      putCustomer: (db) => subscriptionStore.putCustomer(db, org, null, 'cus', now),
      updateBillingAsRead: (db) => subscriptionStore.updateBillingAsRead(db, billing, billing, now),
      selectOverduePeriods: (db) => subscriptionStore.selectOverduePeriods(db, now),
    },
    'support/store.ts': {
      listSupportRequestsInTenant: (db) => supportStore.listSupportRequestsInTenant(db, tenant, page),
      getOrganizationName: (db) => supportStore.getOrganizationName(db, org),
      insertSupportRequest: (db) =>
        supportStore.insertSupportRequest(db, {
          ...tenant,
          id: newId(),
          subject: 'Hi',
          message: 'Hi',
          category: 'bug',
          status: 'open',
          createdAt: now,
        }),
    },
    'team/store.ts': {
      listMembersInOrg: (db) => teamStore.listMembersInOrg(db, org),
      findMemberInOrg: (db) => teamStore.findMemberInOrg(db, org, host),
      listPendingInvitationsInTenant: (db) => teamStore.listPendingInvitationsInTenant(db, tenant, now),
      findInvitationInTenant: (db) => teamStore.findInvitationInTenant(db, tenant, nothing),
      findInvitable: (db) => teamStore.findInvitable(db, tenant, 'new@example.com'),
      findAcceptable: (db) => teamStore.findAcceptable(db, 'hash 5', 'host', 'host'),
      findTransferable: (db) => teamStore.findTransferable(db, org, host),
      insertMember: (db) => teamStore.insertMember(db, { ...member, id: newId(), userId: newId() }),
      insertInvitation: (db) =>
        teamStore.insertInvitation(db, {
          ...tenant,
          id: newId(),
          email: 'new@example.com',
          role: 'member',
          tokenHash: 'new',
          invitedBy: 'owner',
          expiresAt: now,
          acceptedAt: null,
          revokedAt: null,
          createdAt: now,
        }),
      closeInvitation: (db) => teamStore.closeInvitation(db, nothing, { revokedAt: now }),
      updateMemberAsRead: (db) => teamStore.updateMemberAsRead(db, member, { updatedAt: now }),
      deleteMemberAsRead: (db) => teamStore.deleteMemberAsRead(db, { ...member, id: nothing }),
      moveOwnership: (db) => teamStore.moveOwnership(db, organization.ownerUserId, member, now),
      pruneInvitations: (db) => teamStore.pruneInvitations(db, 1, 500),
    },
    'test-data/store.ts': {
      listOutbox: (db) => testDataStore.listOutbox(db, org, page),
      selectFiles: (db) => testDataStore.selectFiles(db, org, [nothing]),
      setSandboxClock: (db) => testDataStore.setSandboxClock(db, org, null),
      // Whoever empties a sandbox has all of it counted.
      findTestData: [(db) => testDataStore.findTestData(db, org), past.size],
      hideTestEventTypes: (db) => testDataStore.hideTestEventTypes(db, nothing, now),
      deleteTestData: (db) => testDataStore.deleteTestData(db, nothing),
    },
    'usage/store.ts': {
      loadUsage: (db) => usageStore.loadUsage(db, tenant, '2026-11', now - DAY_MS),
      countBookings: (db) => usageStore.countBookings(db, tenant, { from: now - 30 * DAY_MS, to: now }),
      // A row of each day.
      loadUsageSummary: (db) =>
        usageStore.loadUsageSummary(db, tenant, { from: now - 30 * DAY_MS, to: now }, now - DAY_MS),
    },
    'waitlist/freed-times.ts': {
      // All that is owed, for it is handed out together.
      selectFreed: [(db) => freedStore.selectFreed(db, everyday), 500],
      selectWanted: [(db) => freedStore.selectWanted(db, everyday), 500],
      insertFreedWhole: (db) => freedStore.insertFreedWhole(db, everyday, 'test'),
      insertFreedByCalendars: (db) =>
        freedStore.insertFreedByCalendars(db, sql`(${connection})`, sql`('e1', 'e2')`),
      insertFreedByLeaving: (db) => freedStore.insertFreedByLeaving(db, host),
      insertFreedByGoing: (db) => freedStore.insertFreedByGoing(db, sql`(${nothing})`),
      deleteFreedStillBusy: (db) => freedStore.deleteFreedStillBusy(db, connection),
      insertFreed: (db) => freedStore.insertFreed(db, nothing, 'test', []),
      deleteFreed: (db) => freedStore.deleteFreed(db, []),
      deleteFreedBy: [(db) => freedStore.deleteFreedBy(db, everyday, ['test']), 500],
      deleteFreedOf: (db) => freedStore.deleteFreedOf(db, nothing),
      selectWithFreed: (db) => freedStore.selectWithFreed(db, '2026-11', null),
    },
    'waitlist/store.ts': {
      // All who wait, for they are what is decided on.
      selectWaiting: [(db) => waitlistStore.selectWaiting(db, everyday), 500],
      selectLineLength: [(db) => waitlistStore.selectLineLength(db, everyday), 500],
      selectLine: [(db) => waitlistStore.selectLine(db, everyday, null), 250],
      findEntryInTenant: [(db) => waitlistStore.findEntryInTenant(db, tenant, lastWaiting), 250],
      selectEntry: [(db) => waitlistStore.selectEntry(db, lastWaiting), 250],
      findEntryAndClock: (db) => waitlistStore.findEntryAndClock(db, lastWaiting),
      findEntryWithOwner: (db) => waitlistStore.findEntryWithOwner(db, lastWaiting),
      listEntriesInTenant: [(db) => waitlistStore.listEntriesInTenant(db, tenant, page), 2_400],
      insertEntry: (db) =>
        waitlistStore.insertEntry(db, { ...entry, id: newId(), inviteeEmail: 'new@example.com' }),
      selectStart: (db) => waitlistStore.selectStart(db, middle),
      endWaiting: (db) => waitlistStore.endWaiting(db, lastWaiting, { status: 'expired' }),
      cancelWaiting: (db) => waitlistStore.cancelWaiting(db, nothing, now),
      selectSeatsOfWaiting: [(db) => waitlistStore.selectSeatsOfWaiting(db, everyday, now), 500],
      selectSharing: (db) => waitlistStore.selectSharing(db, everyday, middle),
      selectExpired: (db) => waitlistStore.selectExpired(db, now),
      selectExpiredInSandbox: (db) => waitlistStore.selectExpiredInSandbox(db, org, now),
      selectClock: (db) => waitlistStore.selectClock(db, everyday),
    },
    'webhook-deliveries/attempts-store.ts': {
      claimAttempt: (db) => attemptStore.claimAttempt(db, delivery.id, 1, now, now),
      settleAttempt: (db) => attemptStore.settleAttempt(db, delivery, 1, failed, 'failed', now),
      failUntaken: (db) => attemptStore.failUntaken(db, delivery.id, 1),
    },
    'webhook-deliveries/store.ts': {
      selectListeners: (db) => deliveryStore.selectListeners(db, event.id),
      insertDelivery: (db) =>
        deliveryStore.insertDelivery(db, { ...delivery, id: newId(), eventId: nothing }),
      listDeliveriesInTenant: [
        (db) => deliveryStore.listDeliveriesInTenant(db, tenant, endpoint, page),
        5 * 21,
      ],
      getDeliveryInTenant: (db) => deliveryStore.getDeliveryInTenant(db, tenant, endpoint, delivery.id),
      replaceFailedDelivery: (db) =>
        deliveryStore.replaceFailedDelivery(db, failed.id, { ...failed, id: newId(), retryOf: failed.id }),
      selectOverdueDeliveries: (db) => deliveryStore.selectOverdueDeliveries(db, now),
      pruneDeliveries: (db) => deliveryStore.pruneDeliveries(db, 1, 500),
    },
    'webhooks/store.ts': {
      findEndpointInTenant: (db) => endpointStore.findEndpointInTenant(db, tenant, endpoint),
      listEndpointsInTenant: (db) => endpointStore.listEndpointsInTenant(db, tenant, page),
      countEndpointsInTenant: (db) => endpointStore.countEndpointsInTenant(db, tenant),
      insertEndpoint: (db) => endpointStore.insertEndpoint(db, { ...endpointRow, id: newId() }),
      updateEndpointAsRead: (db) => endpointStore.updateEndpointAsRead(db, endpointRow, { updatedAt: now }),
      noteChallenge: (db) => endpointStore.noteChallenge(db, endpoint, now),
      deleteEndpoint: (db) => endpointStore.deleteEndpoint(db, nothing),
    },
  }
}
