import type { Interval } from '../../core/interval.ts'
import { unitIdOf } from '../../engine/schedule/resources/rooms.ts'
import { MOST_UNITS } from '../../engine/schedule/resources/unit-numbers.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { listIdsIn } from './queries.ts'

/** The bookings that have a unit of any of these resources in any of the periods, soonest first. */
export async function listBookingsIn(
  env: Env,
  resourceIds: readonly string[],
  periods: readonly Interval[],
): Promise<readonly string[]> {
  if (resourceIds.length === 0 || periods.length === 0) return []
  const units = resourceIds.flatMap((id) =>
    Array.from({ length: MOST_UNITS }, (_, at) => unitIdOf(id, at + 1)),
  )
  return listIdsIn(openDb(env, 'decide'), units, periods)
}
