import { OWN_MARK } from '../../../engine/schedule/own-uids.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { calendarsOfCoHosts } from '../../../platform/db/co-hosts.ts'
import { MEETS_BY } from '../../../platform/db/meets-at.ts'
import { preparedQuery, preparedStatement } from '../../../platform/db/prepared.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { providerOf } from '../meeting-link.ts'

/*
 * What a change of a booking requires outside: an event in a calendar, and a meeting. Both belong to the booking, or to its
 * session if it has one. The writes are due at once; `calendars/` makes them after the commit.
 */

const HOLDER = 'coalesce(b.session_id, b.id)'
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const BECOMES_DUE = `wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
  next_attempt_at = ${NOW}, updated_at = ${NOW}`
// A meeting is only written if it is not where it should be.
const IS_REWRITTEN = `${BECOMES_DUE}, written_start = NULL`

/**
 * The calendars that the booking `b` of `e` is written to: its own, and those of its other hosts. A collective meeting may have many,
 * which `spreadToCoHosts` adds behind the booking.
 */
const CALENDARS = `SELECT b.calendar_connection_id AS id UNION ALL SELECT theirs.id FROM json_each(b.co_hosts) one
  CROSS JOIN calendar_connections theirs ON theirs.member_id = one.value ->> 'member_id' AND theirs.is_test = b.is_test
    AND theirs.receives_bookings AND theirs.can_write AND e.assignment_strategy <> 'none'`

/** The rows of the bookings that `ids` selects, as far as they are missing. `due` is their revision and two instants. */
function inserts(ids: string, due: string) {
  const isSure = `b.id IN (${ids}) AND b.status IN ('confirmed', 'rescheduled')`
  return {
    newWrites: `INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status,
        wanted_revision, next_attempt_at, updated_at)
      SELECT ${HOLDER}, c.id, b.organization_id, ${HOLDER} || '${OWN_MARK}',
        c.id IS b.calendar_connection_id AND b.own_meeting_url IS NULL AND ${MEETS_BY} IS c.provider || '_meet', 'pending', ${due}
      FROM bookings b JOIN event_types e ON e.id = b.event_type_id
      JOIN calendar_connections c ON c.id IN (${CALENDARS}) WHERE ${isSure}
      ON CONFLICT DO UPDATE SET wants_meeting = true WHERE excluded.wants_meeting AND NOT calendar_writes.wants_meeting`,
    newMeetings: `INSERT INTO meetings (holder_id, organization_id, is_test, provider, status,
        wanted_revision, next_attempt_at, updated_at)
      SELECT ${HOLDER}, b.organization_id, b.is_test, 'video_a', 'pending', ${due}
      FROM bookings b JOIN event_types e ON e.id = b.event_type_id
      WHERE ${isSure} AND b.own_meeting_url IS NULL AND ${MEETS_BY} = 'video_a' AND (b.is_test OR EXISTS (
        SELECT 1 FROM conferencing_connections c WHERE c.organization_id = b.organization_id
          AND c.is_test = 0 AND c.provider = 'video_a')) ON CONFLICT DO NOTHING`,
  }
}

/** The four statements for the bookings that `ids` selects, and for the writes of `before`, a query for holders. */
function calls(ids: string, before: string, meetingIsDue = BECOMES_DUE) {
  const holders = `SELECT ${HOLDER} FROM bookings b WHERE b.id IN (${ids}) UNION ${before}`
  return {
    ...inserts(ids, '0, NULL, 0'),
    writes: `UPDATE calendar_writes SET ${BECOMES_DUE} WHERE holder_id IN (${holders})`,
    meetings: `UPDATE meetings SET ${meetingIsDue} WHERE holder_id IN (${holders})`,
  }
}

const one = calls('SELECT ?1', 'SELECT ?2')
const newWrites = preparedStatement<readonly [id: string]>(one.newWrites)
const writes = preparedStatement<readonly [id: string, holderBefore: string]>(one.writes)
const newMeetings = preparedStatement<readonly [id: string]>(one.newMeetings)
const meetings = preparedStatement<readonly [id: string, holderBefore: string]>(one.meetings)
const ownWrites = preparedStatement<readonly [id: string]>(
  `UPDATE calendar_writes SET ${BECOMES_DUE} WHERE (holder_id, connection_id) IN (
     SELECT ${HOLDER}, b.calendar_connection_id FROM bookings b WHERE b.id = ?1)`,
)
// Nothing was requested for a new booking with a time of its own: its rows are due from the start.
const first = inserts('SELECT ?1', `1, ${NOW}, ${NOW}`)
const firstWrites = preparedStatement<readonly [id: string]>(first.newWrites)
const firstMeetings = preparedStatement<readonly [id: string]>(first.newMeetings)

const isSure = ({ status }: Pick<BookingRow, 'status'>) => status === 'confirmed' || status === 'rescheduled'

type Offered = {
  readonly eventType: Parameters<typeof providerOf>[0] & Pick<Schedule['eventType'], 'assignmentStrategy'>
  readonly organization: Pick<Schedule['organization'], 'hasCalendars'>
}

/** After a booking is inserted. An unpaid one requires nothing yet. */
export function callForNew(db: Db, row: BookingRow, { eventType, organization }: Offered): Statement[] {
  const { id, sessionId } = row
  if (!isSure(row)) return []
  // Earlier bookings may have given the session either.
  if (sessionId !== null) {
    const due = eventType.assignmentStrategy === 'none' ? ownWrites(db, id) : writes(db, id, sessionId)
    return [newWrites(db, id), due, newMeetings(db, id), meetings(db, id, sessionId)]
  }
  return [
    ...(isWritten(row, eventType, organization) ? [firstWrites(db, id)] : []),
    ...(providerOf(eventType, row.place) === 'video_a' ? [firstMeetings(db, id)] : []),
  ]
}

function isWritten(
  { calendarConnectionId, coHosts }: BookingRow,
  { assignmentStrategy }: Offered['eventType'],
  { hasCalendars }: Offered['organization'],
): boolean {
  const hasOthers = coHosts !== null && assignmentStrategy !== 'none' && hasCalendars
  return calendarConnectionId !== null || hasOthers
}

const spread = preparedQuery<CoHostWrite, readonly [id: string, isDueAgain: number]>(
  `INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, wanted_revision,
     next_attempt_at, updated_at)
   SELECT ${HOLDER}, c.id, b.organization_id, ${HOLDER} || '${OWN_MARK}', false, 'pending', 1, ${NOW}, ${NOW}
   FROM bookings b JOIN calendar_connections c ON c.id IN (${calendarsOfCoHosts('b')}) AND c.can_write
   WHERE b.id = ?1 AND b.status IN ('confirmed', 'rescheduled')
   ON CONFLICT DO UPDATE SET ${BECOMES_DUE} WHERE ?2
   RETURNING holder_id AS holderId, connection_id AS connectionId`,
)

type CoHostWrite = { readonly holderId: string; readonly connectionId: string }

/**
 * For the consumer of the event of a collective booking: requests the events in the calendars of its other hosts, of whom there may
 * be too many for the batch that books. Those of a session are due again when somebody joins it.
 */
export function spreadToCoHosts(db: Db, bookingId: string, isDueAgain: boolean) {
  return spread(db, bookingId, Number(isDueAgain))
}

/** The columns that say where, when and with whom a booking is. */
const DECIDING = [
  'status',
  'startTime',
  'endTime',
  'sessionId',
  'assignedHostId',
  'coHosts',
  'calendarConnectionId',
] as const

/** After a booking that was `read` is changed. */
export function callForChanged(db: Db, read: BookingRow, changes: Partial<BookingRow>): Statement[] {
  const after = { ...read, ...changes }
  if (!isSure(read) && !isSure(after)) return []
  if (DECIDING.every((column) => after[column] === read[column])) return []
  const { id } = read
  const before = read.sessionId ?? id
  return [newWrites(db, id), writes(db, id, before), newMeetings(db, id), meetings(db, id, before)]
}

/** After a booking got a link of its own or lost it, or another place: a meeting ends or is made. */
export function callForOwnLink(db: Db, { id, sessionId }: Pick<BookingRow, 'id' | 'sessionId'>): Statement[] {
  const holder = sessionId ?? id
  return [newWrites(db, id), writes(db, id, holder), newMeetings(db, id), meetings(db, id, holder)]
}

const opened = calls(
  'SELECT id FROM sessions WHERE event_type_id = ?1 AND created_at = ?2',
  'SELECT NULL WHERE false',
  // The event was named after one person, with their notes.
  IS_REWRITTEN,
)
const ofOpened = [opened.newWrites, opened.writes, opened.newMeetings, opened.meetings].map((text) =>
  preparedStatement<readonly [eventTypeId: string, openedAt: number]>(text),
)

/** After bookings of an event type became sessions. */
export function callForOpened(db: Db, eventTypeId: string, openedAt: number): Statement[] {
  return ofOpened.map((statement) => statement(db, eventTypeId, openedAt))
}

const several = calls('SELECT value FROM json_each(?1)', 'SELECT NULL WHERE false')
const ofSeveral = [several.newWrites, several.writes, several.newMeetings, several.meetings].map((text) =>
  preparedStatement<readonly [ids: string]>(text),
)

/** The same four statements for several bookings that were inserted, or that keep their holder. */
export function callForSeveral(db: Db, ids: readonly string[]): Statement[] {
  return callForListed(db, JSON.stringify(ids))
}

/** The same for ids that are a JSON list already. */
export function callForListed(db: Db, ids: string): Statement[] {
  return ofSeveral.map((statement) => statement(db, ids))
}

const ofSession = calls('SELECT id FROM bookings WHERE session_id = ?1', 'SELECT ?1')
const inSession = [ofSession.newWrites, ofSession.writes, ofSession.newMeetings, ofSession.meetings].map(
  (text) => preparedStatement<readonly [sessionId: string]>(text),
)

/** After a session got another host: its event moves to their calendar. */
export function callForSession(db: Db, sessionId: string): Statement[] {
  return inSession.map((statement) => statement(db, sessionId))
}

const ofHolder = preparedStatement<readonly [holderId: string]>(
  `UPDATE calendar_writes SET ${BECOMES_DUE} WHERE holder_id = ?1`,
)

/** After somebody moved the event of a booking or a session, and it is to be put back. */
export function callForEvent(db: Db, holderId: string): Statement {
  return ofHolder(db, holderId)
}

const linked = preparedStatement<readonly [ids: string, url: string]>(
  `UPDATE calendar_writes SET ${BECOMES_DUE}
   WHERE meeting_url IS NOT ?2
     AND holder_id IN (SELECT ${HOLDER} FROM bookings b WHERE b.id IN (SELECT value FROM json_each(?1)))`,
)

/** After bookings got a link: calendars show it, except the one that made it. */
export function callForLinked(db: Db, ids: readonly string[], url: string): Statement {
  return linked(db, JSON.stringify(ids), url)
}

const HOLDERS_OF = `SELECT ${HOLDER} FROM bookings b WHERE b.id IN (SELECT value FROM json_each(?1))`
const rewritten = [
  `UPDATE calendar_writes SET ${BECOMES_DUE} WHERE holder_id IN (${HOLDERS_OF})`,
  `UPDATE meetings SET ${IS_REWRITTEN} WHERE holder_id IN (${HOLDERS_OF})`,
].map((text) => preparedStatement<readonly [ids: string]>(text))

/** After the text of bookings changed, but not their time: what exists outside is written again. `ids` is a JSON list. */
export function callForRewritten(db: Db, ids: string): Statement[] {
  return rewritten.map((statement) => statement(db, ids))
}

const TEST_HOLDERS = `SELECT id FROM bookings WHERE event_type_id = ?1 AND is_test = 1
  UNION SELECT session_id FROM bookings WHERE event_type_id = ?1 AND is_test = 1`
const forgotten = ['calendar_writes', 'meetings'].map((table) =>
  preparedStatement<readonly [eventTypeId: string]>(
    `DELETE FROM ${table} WHERE holder_id IN (${TEST_HOLDERS})`,
  ),
)

/** Before the test bookings of an event type are deleted. */
export function forgetTestCalls(db: Db, eventTypeId: string): Statement[] {
  return forgotten.map((statement) => statement(db, eventTypeId))
}
