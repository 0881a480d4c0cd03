import type { Placement } from './placement.ts'
import { unitsOrNull } from './resources/rooms.ts'
import type { Hold, Schedule, Session } from './schedule.ts'
import { tagOf } from './taken/read-times.ts'
import { coHostsOrNull } from './team.ts'

/** What a session consists of. */
export type Attended = {
  /** How many bookings, and how many holds besides them, count in a cap. */
  readonly bookings: number
  readonly held: number
  /** The addresses of all attendees, in lower case. */
  readonly emails: ReadonlySet<string>
}

/** The schedule without a session: its time, its seats and its places in the cap. */
export function withoutSession(schedule: Schedule, session: Session, { bookings, held }: Attended): Schedule {
  const { eventType, holds, kept, sessions, bookedStarts } = schedule
  const tag = tagOf(session.id)
  const stays = ({ holder, meetsAt }: Hold) => holder !== tag || meetsAt !== session.startTime
  const isCapped = eventType.bookingCap !== null
  return {
    ...schedule,
    holds: new Map([...holds].map(([id, ofResource]) => [id, ofResource.filter(stays)])),
    kept: kept.filter(stays),
    sessions: sessions.filter(({ id }) => id !== session.id),
    seated: new Map([...schedule.seated].filter(([start]) => start !== session.startTime)),
    bookedStarts: [...bookedStarts, { start: session.startTime, count: -bookings - held }],
    heldCount: schedule.heldCount - (isCapped ? held : 0),
    eventType: { ...eventType, activeBookings: eventType.activeBookings - bookings },
  }
}

/** The schedule with a session that was removed from it, where `placement` says. */
export function withSession(
  schedule: Schedule,
  session: Session,
  { start, end, hold, host, coHosts, resourceIds, units, calendarConnectionId }: Placement,
  { bookings, held, emails }: Attended,
): Schedule {
  const { eventType, holds, sessions, bookedStarts } = schedule
  const after = new Map(holds)
  for (const resourceId of resourceIds) {
    const taken: Hold = {
      resourceId,
      start: hold.start,
      end: hold.end,
      holder: tagOf(session.id),
      keptBy: '',
      meetsAt: start,
      expiresAt: null,
    }
    after.set(resourceId, [...(after.get(resourceId) ?? []), taken])
  }
  const moved = {
    ...session,
    startTime: start,
    endTime: end,
    assignedHost: host,
    coHosts: coHostsOrNull(coHosts),
    calendarConnectionId,
    resources: unitsOrNull(units),
  }
  const isCapped = eventType.bookingCap !== null
  return {
    ...schedule,
    holds: after,
    sessions: [...sessions, moved],
    seated: new Map([...schedule.seated, [start, emails]]),
    bookedStarts: [...bookedStarts, { start, count: bookings + held }],
    heldCount: schedule.heldCount + (isCapped ? held : 0),
    eventType: { ...eventType, activeBookings: eventType.activeBookings + bookings },
  }
}
