import { and, eq, sql } from 'drizzle-orm'
import { assignmentsOf } from '../../../engine/schedule/assignments.ts'
import { isCollective, type Placement } from '../../../engine/schedule/placement.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { type At, builtOnce, preparedStatement } from '../../../platform/db/prepared.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { eventTypeHosts } from '../../../platform/db/schema/hosts.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'

type Credited = {
  readonly eventTypeId: string
  readonly memberIds: string
  readonly assignment: number | null
  readonly bookings: number
  readonly now: PresentMs
}

const creditEach = builtOnce((db, at: At<Credited>) => {
  const { eventTypeId, memberId, totalBookings, lastAssignment } = eventTypeHosts
  return db
    .update(eventTypeHosts)
    .set({
      totalBookings: sql`${totalBookings} + ${at.bookings}`,
      lastBookingAt: sql`${at.now}`,
      lastAssignment: sql`coalesce(${at.assignment}, ${lastAssignment})`,
    })
    .where(
      and(
        eq(eventTypeId, at.eventTypeId),
        sql`${memberId} IN (SELECT value FROM json_each(${at.memberIds}))`,
      ),
    )
})

const { id, version, collectiveBookings, collectiveBookedAt } = eventTypes

/** One row however many hosts there are. With the version set here, no trigger has to write the row again. */
const creditAll = builtOnce((db, at: At<Pick<Credited, 'eventTypeId' | 'now' | 'bookings'>>) =>
  db
    .update(eventTypes)
    .set({
      collectiveBookings: sql`${collectiveBookings} + ${at.bookings}`,
      collectiveBookedAt: sql`${at.now}`,
      version: sql`${version} + 1`,
    })
    .where(eq(id, at.eventTypeId)),
)

/** Counts a booking for its hosts, or those of a session, and advances the order of assignments if it is one. */
export function creditHosts(
  db: Db,
  schedule: Schedule,
  placement: Pick<Placement, 'creditedIds' | 'isAssignment'>,
  now: PresentMs,
  bookings = 1,
): Statement[] {
  const { creditedIds } = placement
  if (creditedIds.length === 0) return []
  const { id: eventTypeId } = schedule.eventType
  if (isCollective(schedule, placement)) return [creditAll(db, { eventTypeId, now, bookings })]
  const assignments = assignmentsOf(schedule, placement)
  if (new Set(creditedIds.map((id) => assignments.get(id))).size > 1) {
    const credits = creditedIds.map((id) => [id, bookings, assignments.get(id) ?? null])
    return [creditList(db, eventTypeId, JSON.stringify(credits), now)]
  }
  const memberIds = JSON.stringify(creditedIds)
  const assignment = assignments.get(creditedIds[0]!) ?? null
  return [creditEach(db, { eventTypeId, memberIds, assignment, bookings, now })]
}

/** The same for a booking that is inserted. One that counts for all hosts says so itself, and the trigger counts it. */
export function creditInserted(
  db: Db,
  schedule: Schedule,
  placement: Pick<Placement, 'creditedIds' | 'isAssignment'>,
  now: PresentMs,
): Statement[] {
  return isCollective(schedule, placement) ? [] : creditHosts(db, schedule, placement, now)
}

const creditList = preparedStatement<readonly [eventTypeId: string, credits: string, now: number]>(
  `UPDATE event_type_hosts SET total_bookings = total_bookings + (one.value ->> 1), last_booking_at = ?3,
     last_assignment = coalesce(one.value ->> 2, last_assignment)
   FROM json_each(?2) one WHERE event_type_id = ?1 AND member_id = one.value ->> 0`,
)

/** The same for bookings that one commit inserts, each placed on the schedule after those before it. */
export function creditPlacements(
  db: Db,
  placed: readonly { readonly schedule: Schedule; readonly placement: Placement }[],
  now: PresentMs,
): Statement[] {
  const [first] = placed
  if (!first) return []
  const { id: eventTypeId } = first.schedule.eventType
  const byHost = new Map<string, { bookings: number; assignment: number | null }>()
  for (const { schedule, placement } of placed) {
    if (isCollective(schedule, placement)) continue
    const assignments = assignmentsOf(schedule, placement)
    for (const memberId of placement.creditedIds) {
      const before = byHost.get(memberId) ?? { bookings: 0, assignment: null }
      const assignment = assignments.get(memberId) ?? before.assignment
      byHost.set(memberId, { bookings: before.bookings + 1, assignment })
    }
  }
  const credits = [...byHost].map(([memberId, { bookings, assignment }]) => [memberId, bookings, assignment])
  return credits.length > 0 ? [creditList(db, eventTypeId, JSON.stringify(credits), now)] : []
}

/**
 * Moves what counts for all hosts into their rows: before a host joins, for whom it does not count, and before a strategy
 * compares them. They were all assigned last.
 */
export function spreadCredits(db: Db, eventTypeId: string): Statement[] {
  const hosts = eventTypeHosts
  const last = sql`(SELECT max(last_assignment) FROM event_type_hosts WHERE event_type_id = ${eventTypeId})`
  return [
    db
      .update(hosts)
      .set({
        totalBookings: sql`${hosts.totalBookings} + ${collectiveBookings}`,
        lastBookingAt: sql`max(coalesce(${hosts.lastBookingAt}, 0), ${collectiveBookedAt})`,
        lastAssignment: sql`1 + ${last}`,
      })
      .from(eventTypes)
      .where(and(eq(hosts.eventTypeId, eventTypeId), eq(id, eventTypeId), sql`${collectiveBookings} > 0`)),
    db
      .update(eventTypes)
      .set({ collectiveBookings: 0, collectiveBookedAt: null })
      .where(and(eq(id, eventTypeId), sql`${collectiveBookings} > 0`)),
  ]
}
