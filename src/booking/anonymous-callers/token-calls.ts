import { MINUTE_MS } from '../../core/time-units.ts'
import type { Db } from '../../platform/db/client.ts'
import { Refused, tooOften } from '../../platform/http/errors.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { windowStart } from '../../platform/limits/window.ts'
import { countUpTo, selectUpTo } from './statements.ts'

/** Limit of calls with a booking's token per minute. */
const CALLS_A_MINUTE = 60

/** Counts a call with the right token, as a statement whose rows `assertCalled` reads. */
export function countTokenCall(db: Db, id: string, realNow: AskedMs, version = 0) {
  return countUpTo(db, ...countOf(id, realNow, version))
}

/** Checks whether there is room for one, without counting it. */
export function selectTokenCall(db: Db, id: string, realNow: AskedMs, version = 0) {
  return selectUpTo(db, ...countOf(id, realNow, version))
}

/** Each version of a token has calls of its own, so that an ended one uses up none of the current one. */
function countOf(id: string, realNow: AskedMs, version: number) {
  const subject = version === 0 ? id : `${id}/${version}`
  return [`calls/${subject}`, windowStart(realNow, MINUTE_MS) + MINUTE_MS, CALLS_A_MINUTE] as const
}

export function assertCalled(rows: Awaited<ReturnType<typeof countTokenCall>>, realNow: AskedMs): void {
  if (rows.length > 0) return
  const waitMs = MINUTE_MS - (realNow % MINUTE_MS)
  throw new Refused(tooOften('calls_per_booking_minute', waitMs, { most: CALLS_A_MINUTE }))
}
