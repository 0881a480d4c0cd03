import type { LeftOut } from '../../platform/db/schema/import-jobs.ts'
import { leftOut } from './whys.ts'

const MOST = 5

/** The lengths that invitees choose from, or null if there is one. */
export function durationsOf(
  title: string,
  duration: number,
  options: readonly number[] | null | undefined,
  lost: LeftOut[],
): readonly number[] | null {
  if (!options || options.length < 2) return null
  const all = [...new Set([duration, ...options])]
  if (all.length > MOST) lost.push(leftOut({ part: 'durations', of: title }, 'further_durations'))
  return all.slice(0, MOST)
}
