import { timeFor } from '../../db/deadline.ts'
import type { Env } from '../../env.ts'
import { CalendarError } from '../../providers/calendar/calendar-client.ts'
import { inTime } from '../../providers/calendar/in-time.ts'

/** A request waits no longer than this for somebody else's server, and no longer than leaves time to keep what it says. */
const PATIENCE_MS = 8_000
const KEEPING_MS = 2_000

/** What a provider answers, or null where that takes longer than the request can wait. */
export function whileWaiting<T>(
  env: Env,
  ask: () => Promise<T>,
  keepingMs: number = KEEPING_MS,
): Promise<T | null> {
  return inTime(timeFor(env, PATIENCE_MS, keepingMs), ask)
}

/** The same for what a request cannot do without. Throws a CalendarError `unavailable` where it takes too long. */
export async function waitForProvider<T extends object>(env: Env, ask: () => Promise<T>): Promise<T> {
  const answer = await whileWaiting(env, ask)
  if (!answer) throw new CalendarError('unavailable', 'The server took too long to answer.')
  return answer
}
