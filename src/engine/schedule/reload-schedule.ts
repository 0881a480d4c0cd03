import type { Answers, Db, Statement } from '../../platform/db/client.ts'
import { isTooBig } from '../../platform/db/passing-failure.ts'
import type { AskedMs, RealMs } from '../../platform/limits/clock.ts'
import { decodeSchedule } from './decode-schedule.ts'
import { baseOf, queriesFor, type Wanted } from './load-schedule.ts'
import type { RawSchedule } from './queries.ts'
import { decodeResources } from './resources/decode-resources.ts'
import { mergeResources } from './resources/merge-resources.ts'
import type { RawResource } from './resources/queries.ts'
import type { Schedule } from './schedule.ts'
import { isStillTrue } from './version.ts'

/**
 * Whether a known schedule can be loaded again by what changed in it: its hosts. What time changed is not marked, and expired
 * holds of hosts would be missing.
 */
export function isReloadable(known: Schedule, now: RealMs): boolean {
  return known.hosts.length > 0 && !known.hasExpired && isStillTrue(known, now)
}

/**
 * Loads a known schedule again, with other queries `beside` it, in one round trip: the event type's own part, and only the
 * hosts who changed, with their calendars. Null if everybody may have changed.
 */
export async function reloadSchedule<Q extends Statement[]>(
  db: Db,
  known: Schedule,
  wanted: Omit<Wanted, 'range'>,
  now: AskedMs,
  ...beside: Q
): Promise<{ readonly schedule: Schedule | null; readonly beside: Answers<Q> } | null> {
  const { range } = known
  const base = baseOf(range)
  const asked = queriesFor(db, known.eventType.id, { ...wanted, range }, base, now, known)
  let answers: readonly unknown[]
  try {
    answers = await db.batch([...asked, ...beside])
  } catch (error) {
    if (isTooBig(error)) return null
    throw error
  }
  const [raw] = answers[0] as RawSchedule[]
  const others = answers.slice(asked.length) as unknown as Answers<Q>
  if (!raw) return { schedule: null, beside: others }
  const { changes } = raw
  if (changes === null) return null
  const rows = answers[1] as RawResource[]
  const schedule = decodeSchedule(
    raw,
    (from) => mergeResources(known, decodeResources(rows, from), changes, from),
    { range, seatsAt: wanted.seatsAt },
    base,
    now,
  )
  return { schedule, beside: others }
}
