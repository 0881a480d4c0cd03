import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { MINUTE_MS } from '../../../core/time-units.ts'
import type { EventTypeRow } from '../../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import {
  changeShared,
  selectUpcomingHolds,
  type UpcomingHold,
  type WiderHold,
  widenHolds,
} from './queries.ts'

/**
 * For the batch that makes buffers longer: they count for what is booked already, too, as far as others leave them the
 * time. A hold keeps the buffers that it was made with if these are longer.
 */
export async function widenBuffers(
  db: Db,
  before: EventTypeRow,
  after: EventTypeRow,
  now: AskedMs,
): Promise<Statement[]> {
  const isWider =
    after.bufferBeforeMinutes > before.bufferBeforeMinutes ||
    after.bufferAfterMinutes > before.bufferAfterMinutes
  if (!isWider) return []
  // A sandbox may have a clock of its own.
  const [held] = await db.batch([selectUpcomingHolds(db, after.id, after.isTest ? 0 : now)])
  const wider = widerOf(held, after)
  return wider.length === 0 ? [] : [...widenHolds(db, wider), changeShared(db, after)]
}

/** The holds that become wider, of those in the order of their resource and time. */
function widerOf(
  held: readonly UpcomingHold[],
  { bufferBeforeMinutes, bufferAfterMinutes }: EventTypeRow,
): WiderHold[] {
  let last: { readonly resource: string; readonly until: number } | null = null
  return held.flatMap((one) => {
    const resource = `${one.kept_by} ${one.resource_id}`
    const reached = last?.resource === resource ? last.until : Number.NEGATIVE_INFINITY
    const earliest = Math.max(one.previous_end ?? Number.NEGATIVE_INFINITY, reached)
    const latest = one.next_start ?? Number.POSITIVE_INFINITY
    const from = Math.max(earliest, Math.min(one.starts_at, one.meets_at - bufferBeforeMinutes * MINUTE_MS))
    const wanted = Math.max(one.ends_at, one.meeting_end + bufferAfterMinutes * MINUTE_MS)
    const until = Math.max(one.ends_at, Math.min(latest, wanted, from + MAX_HOLD_MS))
    last = { resource, until }
    const isWider = from < one.starts_at || until > one.ends_at
    return isWider ? [{ ...one, from, until }] : []
  })
}
