import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { OWN_MARK } from '../../engine/schedule/own-uids.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { calendarsOfCoHosts } from '../../platform/db/co-hosts.ts'
import { MEETS_BY } from '../../platform/db/meets-at.ts'
import { preparedQuery, preparedStatement } from '../../platform/db/prepared.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { OWNER, sharedCalendar } from '../sharing/shared-calendar.ts'

/** How many bookings one batch brings into a calendar, the soonest first. */
const MOST_BOOKINGS = 1000
/** How many writes are enqueued at once; the sweep makes the others. */
const MOST_WOKEN = 100
/** Among how many that are due they are looked for: a batch makes as many due, and others may be due since. */
const MOST_DUE = 2 * MOST_BOOKINGS

const HOLDER = 'coalesce(b.session_id, b.id)'
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const PRESENT = 'CASE WHEN c.is_test THEN coalesce(o.sandbox_now, ?2) ELSE ?2 END'

/** The upcoming bookings whose place is the calendar `target` and that are written elsewhere or nowhere. */
function missingIn(target: string): string {
  const isMissing = `b.assigned_host_id IS place.host_id AND b.status <> 'cancelled' AND b.end_time > place.present
    AND b.calendar_connection_id IS NOT place.calendar_id`
  return `WITH taking AS MATERIALIZED (
      SELECT c.id, c.organization_id, c.is_test, c.member_id, ${PRESENT} AS present,
        c.id = ${sharedCalendar('c.is_test', OWNER)} AS is_shared
      FROM calendar_connections c JOIN organizations o ON o.id = c.organization_id
      WHERE c.id = ${target} AND c.receives_bookings AND c.can_write),
    place AS MATERIALIZED (
      SELECT id AS calendar_id, member_id || iif(is_test, '/test', '') AS resource_id, member_id AS host_id, present FROM taking
      UNION ALL SELECT taking.id, e.id, NULL, taking.present FROM taking
      JOIN event_types e ON e.organization_id = taking.organization_id AND e.is_test = taking.is_test
      WHERE taking.is_shared AND NOT EXISTS (SELECT 1 FROM event_type_hosts WHERE event_type_id = e.id)),
    held AS MATERIALIZED (SELECT place.*, holds.holder_id FROM place CROSS JOIN holds
      ON holds.resource_id = place.resource_id AND holds.kept_by = '' AND holds.starts_at > place.present - ${MAX_HOLD_MS})
    SELECT id FROM (
      SELECT b.id, b.start_time FROM held place CROSS JOIN bookings b ON b.id = place.holder_id AND b.session_id IS NULL WHERE ${isMissing}
      UNION SELECT b.id, b.start_time FROM held place CROSS JOIN bookings b ON b.session_id = place.holder_id WHERE ${isMissing})
    ORDER BY start_time, id LIMIT ${MOST_BOOKINGS}`
}

/** The upcoming meetings that the member of the calendar `target` hosts besides the assigned host. */
function coHostedFor(target: string): string {
  const isTheirs = `b.end_time > ${PRESENT} AND b.status IN ('confirmed', 'rescheduled') AND b.co_hosts IS NOT NULL
    AND EXISTS (SELECT 1 FROM json_each(b.co_hosts) WHERE value ->> 'member_id' = c.member_id) AND c.id IN (${calendarsOfCoHosts('b')})`
  const held = `SELECT h.holder_id, c.id AS connection_id, c.organization_id, c.member_id, c.is_test, b.start_time
    FROM calendar_connections c JOIN organizations o ON o.id = c.organization_id
    CROSS JOIN holds h ON h.resource_id = c.member_id || iif(c.is_test, '/test', '') AND h.kept_by = ''
      AND h.starts_at > ${PRESENT} - ${MAX_HOLD_MS}`
  const isReceiving = `c.id = ${target} AND c.receives_bookings AND c.can_write`
  return `${held} CROSS JOIN bookings b ON b.id = h.holder_id AND b.session_id IS NULL WHERE ${isReceiving} AND ${isTheirs}
    UNION ${held} CROSS JOIN bookings b ON b.session_id = h.holder_id WHERE ${isReceiving} AND ${isTheirs}`
}

/** Those of them that are not written to it. */
function missingOfCoHost(target: string): string {
  return `SELECT * FROM (${coHostedFor(target)}) met WHERE NOT EXISTS (SELECT 1 FROM calendar_writes w
      WHERE w.holder_id = met.holder_id AND w.connection_id = met.connection_id AND w.status <> 'removed')
    ORDER BY start_time, holder_id LIMIT ${MOST_BOOKINGS}`
}

/** Bookings in the calendar that are not over. */
function upcomingIn(target: string): string {
  return `bookings b JOIN calendar_connections c ON c.id = b.calendar_connection_id JOIN organizations o ON o.id = c.organization_id
    WHERE b.calendar_connection_id = ${target} AND b.status <> 'cancelled' AND b.start_time > ${PRESENT} - ${MAX_HOLD_MS}
      AND b.end_time > ${PRESENT}`
}

/** Their row in another table follows. */
function follow(table: string, ids: string, target: string): string {
  return `UPDATE ${table} SET calendar_connection_id = ${target} WHERE id IN (SELECT ${ids} FROM bookings b WHERE b.id IN (${missingIn(target)}))`
}

type OfOne = readonly [id: string, now: number]
type InMode = readonly [named: string, now: number, isTest: number]

/** The statements that bring upcoming bookings into the calendar `target`, an expression. The second value is the present. */
function bringInto<Args extends OfOne | InMode>(target: string) {
  const missing = missingIn(target)
  const missingOfOthers = missingOfCoHost(target)
  const isLeft = `(EXISTS (${missing}) OR EXISTS (${missingOfOthers}))`
  return [
    // Event types without hosts know of each other by the calendar that they share. What they booked without it may overlap.
    `WITH moved AS MATERIALIZED (SELECT DISTINCT h.starts_at, h.ends_at, h.holder_id, h.meets_at, h.expires_at
       FROM bookings b JOIN holds h ON h.holder_id = ${HOLDER} AND h.kept_by = '' AND h.resource_id = b.event_type_id
       WHERE b.assigned_host_id IS NULL AND b.id IN (${missing}))
     INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, kept_by, meets_at, expires_at)
     SELECT ${target}, starts_at, ends_at, holder_id, '', meets_at, expires_at
     FROM (SELECT *, max(ends_at) OVER (ORDER BY starts_at, holder_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS taken_until
       FROM moved) moved
     WHERE coalesce(taken_until, 0) <= starts_at AND NOT EXISTS (SELECT 1 FROM holds other
       WHERE other.resource_id = ${target} AND other.kept_by = '' AND other.starts_at > moved.starts_at - ${MAX_HOLD_MS}
         AND other.starts_at < moved.ends_at AND other.ends_at > moved.starts_at)`,
    // Schedules are read again: no trigger sees that the calendar blocks more, and that sessions are in it.
    `UPDATE organizations SET live_version = live_version + (NOT c.is_test), test_version = test_version + c.is_test
     FROM calendar_connections c WHERE c.id = ${target} AND organizations.id = c.organization_id AND EXISTS (${missing})`,
    follow('sessions', 'b.session_id', target),
    follow('slot_holds', '(SELECT w.id FROM slot_holds w WHERE w.booking_id = b.id)', target),
    // The link that an event made ends with it; one in a calendar that is gone stays.
    `UPDATE bookings SET calendar_connection_id = ${target}, calendar_event_id = NULL, sync_error = NULL, revision = revision + 1,
       conferencing_url = CASE WHEN own_meeting_url IS NULL AND EXISTS (SELECT 1 FROM calendar_writes w
         WHERE w.holder_id = coalesce(bookings.session_id, bookings.id) AND w.meeting_url = bookings.conferencing_url)
         THEN NULL ELSE conferencing_url END
     WHERE id IN (${missing})`,
    `INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, wanted_revision,
       next_attempt_at, updated_at)
     SELECT ${HOLDER}, c.id, b.organization_id, ${HOLDER} || '${OWN_MARK}',
       coalesce(min(CASE WHEN ${MEETS_BY} IS c.provider || '_meet'
         THEN b.own_meeting_url IS NULL AND b.conferencing_url IS NULL END), false),
       'pending', 1, ${NOW}, ${NOW}
     FROM event_types e JOIN ${upcomingIn(target)} AND b.status IN ('confirmed', 'rescheduled') AND e.id = b.event_type_id
     GROUP BY 1
     UNION ALL SELECT holder_id, connection_id, organization_id, holder_id || '${OWN_MARK}', false, 'pending', 1, ${NOW}, ${NOW}
     FROM (${missingOfOthers}) WHERE true
     ON CONFLICT DO UPDATE SET status = 'pending', wants_meeting = excluded.wants_meeting, wanted_revision = wanted_revision + 1, attempts = 0, last_error = NULL,
       next_attempt_at = ${NOW}, updated_at = ${NOW} WHERE calendar_writes.status <> 'written'`,
    `UPDATE calendar_writes SET status = 'pending', wanted_revision = wanted_revision + 1, attempts = 0, last_error = NULL,
       next_attempt_at = ${NOW}, updated_at = ${NOW}
     WHERE status <> 'removed' AND rowid IN (
       SELECT w.rowid FROM calendar_writes w
       WHERE w.connection_id <> ${target} AND w.holder_id IN (SELECT ${HOLDER} FROM ${upcomingIn(target)})
       UNION SELECT w.rowid FROM (${coHostedFor(target)}) met
       CROSS JOIN calendar_connections other ON other.member_id = met.member_id AND other.is_test = met.is_test
         AND other.id <> met.connection_id
       CROSS JOIN calendar_writes w ON w.holder_id = met.holder_id AND w.connection_id = other.id)`,
    // The sweep goes on with what is left.
    `UPDATE calendar_connections SET bring_at = CASE WHEN ${isLeft} THEN ?2 END WHERE id = ${target}
       AND (bring_at IS NOT NULL OR ${isLeft})`,
  ].map((text) => preparedStatement<Args>(text))
}

const intoOne = bringInto<OfOne>('?1')
const intoReceiving = bringInto<InMode>(
  '(SELECT id FROM calendar_connections WHERE member_id = ?1 AND is_test = ?3 AND receives_bookings)',
)
const intoShared = bringInto<InMode>(
  `(SELECT ${sharedCalendar('?3', OWNER)} FROM organizations o WHERE o.id = ?1)`,
)

/**
 * After a calendar began to receive bookings: the upcoming ones of its member, and those without hosts if it is their calendar,
 * are in it from now on, besides those that its member hosts with others. Their events are written there, and removed
 * elsewhere, in the background.
 */
export function bringUpcoming(db: Db, connectionId: string, now: RealMs): readonly Statement[] {
  return intoOne.map((statement) => statement(db, connectionId, now))
}

/** The same for the calendar that receives a member's bookings by then; none may. */
export function bringToMember(
  db: Db,
  { memberId, isTest }: { readonly memberId: string } & Pick<Tenant, 'isTest'>,
  now: RealMs,
): readonly Statement[] {
  return intoReceiving.map((statement) => statement(db, memberId, now, Number(isTest)))
}

/** The same for the calendars of event types without hosts, in both modes. */
export function bringToOwner(db: Db, organizationId: string, now: RealMs): readonly Statement[] {
  return [0, 1].flatMap((isTest) => intoShared.map((statement) => statement(db, organizationId, now, isTest)))
}

const due = preparedQuery<
  { readonly holderId: string; readonly connectionId: string },
  readonly [organizationId: string, now: number]
>(
  `SELECT due.holder_id AS holderId, due.connection_id AS connectionId FROM (
     SELECT rowid AS at, organization_id FROM calendar_writes WHERE next_attempt_at <= ?2
     ORDER BY next_attempt_at DESC LIMIT ${MOST_DUE}) newest
   CROSS JOIN calendar_writes due ON due.rowid = newest.at
   WHERE newest.organization_id = ?1 AND due.claimed_until IS NULL LIMIT ${MOST_WOKEN}`,
)

/** The writes of an organization that became due last. */
export function selectDueOf(db: Db, organizationId: string, now: RealMs) {
  return due(db, organizationId, now)
}
