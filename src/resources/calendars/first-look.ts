import type { Env } from '../../env.ts'
import type { CalendarChanges, CalendarClient } from '../../providers/calendar/calendar-client.ts'
import type { Interval } from '../../scheduling/interval.ts'
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
