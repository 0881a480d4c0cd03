import type { Db, Statement } from '../../db/client.ts'
import type { BookingRow } from '../../db/schema/bookings.ts'
import type { FreedRow } from '../../db/schema/waitlist.ts'
import { selectFreed } from '../../schedule/queries.ts'
import type { Schedule } from '../../schedule/schedule.ts'
import type { Interval } from '../../scheduling/interval.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { choosePromotions } from './choose-promotions.ts'
import { loadWaiting } from './load-waiting.ts'
import { preparePromotion } from './prepare-promotion.ts'
import { promoteWaiting, TOGETHER } from './promote-waiting.ts'
import { selectLineLength, selectSharing } from './queries.ts'
import { deleteFreedBy } from './statements.ts'

/** Who may have an interest in the time that a booking holds, as queries to ask before it is given up. */
export function interestQueries(db: Db, eventTypeId: string, bookingId: string) {
  return [
    selectLineLength(db, eventTypeId),
    selectSharing(db, eventTypeId, bookingId),
    selectFreed(db, eventTypeId),
  ] as const
}

export type Interest = readonly [
  line: readonly { readonly waiting: number }[],
  sharing: readonly { readonly id: string }[],
  freed: readonly FreedRow[],
]

/** Who follows in time that is given up: what the batch that gives it up writes for them. */
export type Succession = {
  readonly statements: readonly Statement[]
  readonly eventIds: readonly string[]
  /** Whether nobody is left to be promoted after that batch. */
  readonly isWhole: boolean
}

/** They follow after the commit, in the same turn; until then the time is written down as freed. */
export const SUCCESSION_LATER: Succession = { statements: [], eventIds: [], isWhole: false }

/** `after` tells the schedule once the booking has given up its time. */
export async function chooseSuccessors(
  db: Db,
  [[line], _sharing, owed]: Interest,
  given: BookingRow,
  hold: Interval,
  after: (schedule: Schedule) => Schedule,
  now: number,
): Promise<Succession> {
  const nobody: Succession = { statements: [], eventIds: [], isWhole: true }
  if (!line || line.waiting === 0) return nobody
  if (owed.length > 0) return SUCCESSION_LATER
  const found = await loadWaiting(db, given.eventTypeId, hold, now)
  if (!found) return nobody
  const freed = { holds: [hold], before: found.schedule, start: given.startTime }
  const chosen = choosePromotions(after(found.schedule), found.waiting, freed, now)
  const prepared = chosen.promotions
    .slice(0, TOGETHER)
    .map((promotion) => preparePromotion(db, promotion, now))
  const isWhole = chosen.promotions.length <= TOGETHER && !chosen.isHindered
  const statements = prepared.flatMap(({ statements }) => statements)
  return {
    statements: isWhole
      ? [...statements, deleteFreedBy(db, given.eventTypeId, [given.id, given.sessionId ?? given.id])]
      : statements,
    eventIds: prepared.flatMap(({ eventIds }) => eventIds),
    isWhole,
  }
}

/** After the commit: gives what is left of the time to whoever waits here, and tells who shares what was held. */
export async function passOnTime(
  workplace: Workplace,
  [[line], sharing]: Interest,
  { eventIds, isWhole }: Succession,
  given: BookingRow,
  now: number,
): Promise<void> {
  for (const eventId of eventIds) workplace.announce({ type: 'event', eventId })
  if (!isWhole && line && line.waiting > 0) {
    await promoteWaiting(workplace, given.eventTypeId, now, { start: given.startTime })
  }
  for (const id of new Set(sharing.map(({ id }) => id))) workplace.tellTimeFreed({ eventTypeId: id, now })
}
