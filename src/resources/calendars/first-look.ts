import type { CalendarChanges, CalendarClient } from '../../providers/calendar/calendar-client.ts'
import type { Interval } from '../../scheduling/interval.ts'

/** Connecting a calendar waits no longer than this; the first sync reads the rest. */
const PATIENCE_MS = 10_000

/** Everything in the calendar; null when that takes too long. */
export async function lookThrough(client: CalendarClient, window: Interval): Promise<CalendarChanges | null> {
  const nothing = { cursor: null, etags: async () => new Map<string, string>() }
  const asked = client.listChanges(window, nothing)
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS)
  })
  // A late answer is ignored, and so is a late failure.
  asked.catch(() => undefined)
  try {
    const told = await Promise.race([asked, tooLate])
    return told && { ...told, isComplete: true }
  } finally {
    clearTimeout(timer)
  }
}
