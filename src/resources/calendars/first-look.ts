import { timeFor } from '../../db/deadline.ts'
import type { Env } from '../../env.ts'
import type { CalendarChanges, CalendarClient } from '../../providers/calendar/calendar-client.ts'
import { inTime } from '../../providers/calendar/in-time.ts'
import type { Interval } from '../../scheduling/interval.ts'

/** Connecting a calendar waits no longer than this, and no longer than leaves time to keep it; the first sync reads the rest. */
const PATIENCE_MS = 8_000
const KEEPING_MS = 2_000

/** Everything in the calendar; null when that takes too long. */
export async function lookThrough(
  env: Env,
  client: CalendarClient,
  window: Interval,
): Promise<CalendarChanges | null> {
  const nothing = { cursor: null, etags: async () => new Map<string, string>() }
  const told = await inTime(timeFor(env, PATIENCE_MS, KEEPING_MS), () => client.listChanges(window, nothing))
  return told && { ...told, isComplete: true }
}
