import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Db } from '../../platform/db/client.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { selectTakenBy } from './queries.ts'

/** What the attendees have already at these starts: seats in sessions, which the schedule then shows, and own bookings. */
export async function findTaken(
  db: Db,
  schedule: Schedule,
  starts: readonly number[],
  emails: readonly string[],
  inviteeEmail: string,
  now: PresentMs,
): Promise<{ readonly schedule: Schedule; readonly owned: ReadonlySet<number> }> {
  const rows = await selectTakenBy(db, schedule.eventType.id, starts, emails, now)
  const invitee = inviteeEmail.toLowerCase()
  const found = rows.map((row) => ({ ...row, email: row.email.toLowerCase() }))
  const seats = Map.groupBy(
    found.filter(({ sessionId }) => sessionId !== null),
    ({ start }) => start,
  )
  const seated = starts.map((start) => [start, new Set(seats.get(start)?.map(({ email }) => email))] as const)
  return {
    schedule: { ...schedule, seated: new Map(seated) },
    owned: new Set(found.filter(({ email }) => email === invitee).map(({ start }) => start)),
  }
}
