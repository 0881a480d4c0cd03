import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { bookableOf } from '../bookable/judge.ts'
import { countBookings, NOTHING_TAKEN } from './count-bookings.ts'
import { presentEventType } from './present.ts'
import { withPreviews } from './preview.ts'
import type { JudgedRow } from './queries.ts'
import type { EventType } from './schema.ts'

/** Event types with everything that does not follow from their own rows. */
export async function presentJudged(
  { env, caller, now }: Context<TenantCaller>,
  db: Db,
  rows: readonly JudgedRow[],
): Promise<EventType[]> {
  const own = rows.map(({ eventType }) => eventType)
  const counts = await countBookings(db, own, now)
  const presented = own.map((row) => presentEventType(row, counts.get(row.id) ?? NOTHING_TAKEN))
  const shown = await withPreviews(db, env, caller, presented)
  return shown.map((one, at) => ({ ...one, bookable: bookableOf(rows[at]!.facts) }))
}
