import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Workplace } from '../bookings/workplace.ts'
import { choosePromotions, type Freed, type Promotion } from './choose-promotions.ts'
import { loadWaiting } from './load-waiting.ts'
import { preparePromotion } from './prepare-promotion.ts'

const MAX_ATTEMPTS = 5
/** How many are booked in one commit. */
export const TOGETHER = 10

/**
 * Books those who wait where a change freed time. Runs in the object's turn that made the change, after its
 * commit, so nobody else is asked in between.
 */
export async function promoteWaiting(
  workplace: Workplace,
  eventTypeId: string,
  freed: Freed,
  now: number,
): Promise<void> {
  const { env, memory } = workplace
  const db = openDb(env, 'decide')
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const found = await loadWaiting(db, eventTypeId, freed.hold, now)
      if (!found) return
      const promotions = choosePromotions(found.schedule, found.waiting, freed, now)
      if (await commitAll(workplace, db, promotions, now)) return
    }
  } catch (error) {
    // What freed the time is committed and must not fail for this.
    const cause = error instanceof Error ? error.message : 'unknown'
    console.error(JSON.stringify({ waitlist: eventTypeId, cause }))
  } finally {
    memory.forget()
  }
}

/** Whether all were booked; no when the world turned out to be another one, and then the rest is decided again. */
async function commitAll(
  { announce }: Workplace,
  db: Db,
  promotions: readonly Promotion[],
  now: number,
): Promise<boolean> {
  for (let at = 0; at < promotions.length; at += TOGETHER) {
    const prepared = promotions
      .slice(at, at + TOGETHER)
      .map((promotion) => preparePromotion(db, promotion, now))
    try {
      await commitBatch(
        db,
        prepared.flatMap(({ statements }) => statements),
      )
    } catch (error) {
      if (fenceOf(error) === null) throw error
      return false
    }
    for (const { eventIds } of prepared) {
      for (const eventId of eventIds) announce({ type: 'event', eventId })
    }
  }
  return true
}
