import type { Db, Statement } from '../../db/client.ts'
import type { bookings } from '../../db/schema/bookings.ts'
import type { Interval } from '../../scheduling/interval.ts'
import type { Schedule } from '../availability/schedule.ts'
import type { Workplace } from '../bookings/workplace.ts'
import { choosePromotions } from './choose-promotions.ts'
import { loadWaiting } from './load-waiting.ts'
import { preparePromotion } from './prepare-promotion.ts'
import { promoteWaiting, TOGETHER } from './promote-waiting.ts'
import { selectLineLength, selectSharing } from './store.ts'

type BookingRow = typeof bookings.$inferSelect

/** Who may have an interest in the time that a booking holds, as queries to ask before it is given up. */
export function interestQueries(db: Db, eventTypeId: string, bookingId: string) {
  return [selectLineLength(db, eventTypeId), selectSharing(db, eventTypeId, bookingId)] as const
}

export type Interest = readonly [readonly { readonly waiting: number }[], readonly { readonly id: string }[]]

/** Who follows in time that is given up: what the batch that gives it up writes for them. */
export type Succession = {
  readonly statements: readonly Statement[]
  readonly eventIds: readonly string[]
  /** Whether nobody is left to be promoted after that batch. */
  readonly isWhole: boolean
}

/** They follow after the commit, in the same turn. */
export const SUCCESSION_LATER: Succession = { statements: [], eventIds: [], isWhole: false }

/** `after` tells the schedule once the booking has given up its time. */
export async function chooseSuccessors(
  db: Db,
  [[line]]: Interest,
  given: BookingRow,
  hold: Interval,
  after: (schedule: Schedule) => Schedule,
  now: number,
): Promise<Succession> {
  const nobody: Succession = { statements: [], eventIds: [], isWhole: true }
  if (!line || line.waiting === 0) return nobody
  const found = await loadWaiting(db, given.eventTypeId, hold, now)
  if (!found) return nobody
  const freed = { before: () => found.schedule, hold, start: given.startTime }
  const promotions = choosePromotions(after(found.schedule), found.waiting, freed, now)
  const prepared = promotions.slice(0, TOGETHER).map((promotion) => preparePromotion(db, promotion, now))
  return {
    statements: prepared.flatMap(({ statements }) => statements),
    eventIds: prepared.flatMap(({ eventIds }) => eventIds),
    isWhole: promotions.length <= TOGETHER,
  }
}

/** After the commit: gives what is left of the time to whoever waits here, and tells who shares its hosts. */
export async function passOnTime(
  workplace: Workplace,
  [[line], sharing]: Interest,
  { eventIds, isWhole }: Succession,
  given: BookingRow,
  hold: Interval,
  now: number,
): Promise<void> {
  for (const eventId of eventIds) workplace.announce({ type: 'event', eventId })
  if (!isWhole && line && line.waiting > 0) {
    const before = (schedule: Schedule) => withPlaceTaken(schedule, given.startTime)
    await promoteWaiting(workplace, given.eventTypeId, { before, hold, start: given.startTime }, now)
  }
  for (const { id } of sharing) workplace.tellTimeFreed({ eventTypeId: id, freed: hold, now })
}

/** The cap as it was while the booking counted. */
function withPlaceTaken(schedule: Schedule, start: number): Schedule {
  const { eventType, bookedStarts } = schedule
  return {
    ...schedule,
    eventType: { ...eventType, activeBookings: eventType.activeBookings + 1 },
    bookedStarts: [...bookedStarts, { start, count: 1 }],
  }
}
