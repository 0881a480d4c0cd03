import { nextAssignment } from '../../../engine/schedule/assignments.ts'
import type { Placement } from '../../../engine/schedule/placement.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import { coHostsOrNull } from '../../../engine/schedule/team.ts'
import type { Turn } from '../../../engine/turn/verb.ts'
import { recordActivities } from '../../../outbox/activity/statements.ts'
import { type RecordedEvent, recordEvent } from '../../../outbox/events/statements.ts'
import type { Statement } from '../../../platform/db/client.ts'
import type { AssignedHost } from '../../../platform/db/schema/assigned-host.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import type { Message } from '../../../platform/queue/messages.ts'
import { withActs } from '../acts.ts'
import type { ReassignBooking } from '../commands.ts'
import { hostGuards } from '../limits/limit-guards.ts'
import { linkAfterMove, providerOf } from '../meeting-link.ts'
import { presentBooking, presentHost } from '../present.ts'
import { updateBookingAsRead } from '../statements.ts'
import { handOverSession, handOverTime, handOverWaits, moveCredits } from './statements.ts'

type HandedTo = {
  readonly placement: Placement
  readonly overridden: BookingRow['overridden']
  /** The host who gives it up; null if it has none. */
  readonly from: AssignedHost | null
  /** The link that the calendar made with the event. */
  readonly calendarLink: string | null
}

/** Everything that a hand-over writes: for the booking that was asked about, and for the others of its session. */
export function handedOver(
  { db }: Turn,
  schedule: Schedule,
  read: readonly [BookingRow, ...BookingRow[]],
  handed: HandedTo,
  command: ReassignBooking,
  now: PresentMs,
) {
  const [asked] = read
  const { placement, from } = handed
  const toId = placement.creditedIds[0]!
  const given = { fromId: from?.member_id ?? null, toId }
  const changes = changesOf(asked, schedule, handed, command, now)
  const links = new Map(read.map((row) => [row.id, linkOf(row, schedule, handed)]))
  const events = read.map((row) => {
    const link = { conferencingUrl: links.get(row.id) ?? null }
    const after = { ...row, ...changes, ...link, ...withActs(row, command.origin, 'reassigned') }
    return recordHandOver(db, row, after, handed, command, row === asked)
  })
  const taken = schedule.hosts.filter(({ id }) => id === toId).map(({ resourceId }) => resourceId)
  const statements: Statement[] = [
    ...(asked.sessionId === null
      ? updateBookingAsRead(db, asked, changes)
      : handOverSession(db, asked.sessionId, read, changes, links)),
    ...hostGuards(db, schedule, { start: placement.start, resourceIds: taken }, now),
    ...handOverTime(db, asked.sessionId ?? asked.id, placement),
    handOverWaits(db, asked, placement, given, now),
    ...moveCredits(db, creditsOf(schedule, read, given), now),
    recordActivities(
      db,
      asked,
      command.origin,
      read.map(({ id }) => ({
        action: 'booking.reassigned',
        resourceType: 'booking' as const,
        resourceId: id,
        changes: {
          host_id: [given.fromId, toId],
          reason: command.reason,
          ...(changes.overridden && { overridden: changes.overridden }),
        },
      })),
    ),
    ...events.flatMap((event) => event.statements),
  ]
  const messages: Message[] = events.map(({ id }) => ({ type: 'event', eventId: id }))
  return { after: { ...asked, ...changes }, statements, messages }
}

/** Attendees of one session may have chosen different places. */
function linkOf(
  read: BookingRow,
  { eventType }: Schedule,
  { placement, calendarLink }: HandedTo,
): string | null {
  // The account of the former host made the meeting.
  if (providerOf(eventType, read.place) === 'video_a' && read.ownMeetingUrl === null) return null
  const placed = { sessionId: read.sessionId, calendarConnectionId: placement.calendarConnectionId }
  return linkAfterMove(read, eventType, placed, calendarLink).conferencingUrl
}

/** The changes to each row; only its calendar and its link depend on where it was before. */
function changesOf(
  read: BookingRow,
  schedule: Schedule,
  handed: HandedTo,
  { memberId, origin }: ReassignBooking,
  now: PresentMs,
) {
  const { placement, overridden } = handed
  const { host, coHosts, calendarConnectionId, busyAsOf } = placement
  const placed = { sessionId: read.sessionId, calendarConnectionId }
  const { calendarEventId } = linkAfterMove(read, schedule.eventType, placed, handed.calendarLink)
  return {
    assignedHostId: host?.member_id ?? null,
    assignedHost: host,
    coHosts: coHostsOrNull(coHosts),
    hostChosen: memberId !== null,
    needsHost: false,
    overridden,
    calendarConnectionId,
    busyAsOf,
    syncError: null,
    outOfSync: null,
    calendarEventId,
    conferencingUrl: linkOf(read, schedule, handed),
    ...withActs(read, origin, 'reassigned'),
    updatedAt: now,
  }
}

function recordHandOver(
  db: Turn['db'],
  read: BookingRow,
  after: BookingRow,
  { from, placement }: HandedTo,
  { reason, isQuiet }: ReassignBooking,
  isFirst: boolean,
): RecordedEvent {
  const data = presentBooking(after)
  const { start_time, end_time } = data
  return recordEvent(db, after, {
    kind: 'booking.reassigned',
    data,
    revision: read.revision + 1,
    previous: {
      start_time,
      end_time,
      reason,
      host_id: from?.member_id ?? null,
      taker_id: placement.creditedIds[0]!,
    },
    // Members get one email about a session.
    ...(!isFirst && { session: { is_of_session: true } }),
    beside: { previous_host: from && presentHost(from) },
    isQuiet,
  })
}

function creditsOf(
  schedule: Schedule,
  read: readonly BookingRow[],
  given: { readonly fromId: string | null; readonly toId: string },
) {
  const moments = read.map(({ createdAt, rescheduledAt }) => Math.max(createdAt, rescheduledAt ?? 0))
  return {
    ...given,
    eventTypeId: schedule.eventType.id,
    bookings: read.length,
    assignedAt: Math.max(...moments),
    assignment: nextAssignment(schedule),
  }
}
