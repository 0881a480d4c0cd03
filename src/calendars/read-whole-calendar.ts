import type { Interval } from '../core/interval.ts'
import type { Env } from '../env.ts'
import type { CalendarChanges, CalendarClient } from './client/calendar-client.ts'
import { whileWaiting } from './wait-for-provider.ts'

/** Everything in the calendar; null when that takes too long, and is left to the first sync. */
export async function lookThrough(
  env: Env,
  client: CalendarClient,
  window: Interval,
): Promise<CalendarChanges | null> {
  const nothing = { cursor: null, etags: async () => new Map<string, string>() }
  const told = await whileWaiting(env, () => client.listChanges(window, nothing))
  return told && { ...told, isComplete: true }
}
