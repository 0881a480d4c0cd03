import { waitUntil } from 'cloudflare:workers'
import type { Env } from '../env.ts'
import { timeFor } from '../platform/db/deadline.ts'
import { CalendarError } from '../platform/icalendar/calendar-error.ts'
import { inTime } from './client/in-time.ts'

/** A request waits no longer than this for somebody else's server, and no longer than leaves time to keep what it says. */
const PATIENCE_MS = 8_000
const KEEPING_MS = 2_000
const ANSWERING_MS = 1_000

/** What a provider answers, or null where that takes longer than the request can wait. */
export function whileWaiting<T>(env: Env, ask: () => Promise<T>): Promise<T | null> {
  return inTime(timeFor(env, PATIENCE_MS, KEEPING_MS), ask)
}

/** The same for what a request cannot do without. Throws a CalendarError `unavailable` where it takes too long. */
export async function waitForProvider<T extends object>(env: Env, ask: () => Promise<T>): Promise<T> {
  const answer = await whileWaiting(env, ask)
  if (!answer) throw new CalendarError('unavailable', 'The server took too long to answer.')
  return answer
}

/** Whether `work` at a provider finished while the request could wait. Otherwise it continues in the background. */
export async function isOverInTime(env: Env, work: () => Promise<unknown>): Promise<boolean> {
  const going = work()
  waitUntil(going)
  return (await inTime(timeFor(env, PATIENCE_MS, ANSWERING_MS), () => going.then(() => true))) !== null
}
