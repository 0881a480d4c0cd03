import type { CalendarChanges, CalendarClient } from '../../providers/calendar/calendar-client.ts'
import type { Interval } from '../../scheduling/interval.ts'

/** Who connects a calendar waits no longer; what is not there by then comes with the first sync. */
const PATIENCE_MS = 10_000

/** Everything in the calendar; null when that takes too long. */
export async function lookThrough(client: CalendarClient, window: Interval): Promise<CalendarChanges | null> {
  const nothing = { cursor: null, etags: async () => new Map<string, string>() }
  const asked = client.listChanges(window, nothing)
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS)
  })
  // Nobody waits for an answer that comes too late, nor for a failure.
  asked.catch(() => undefined)
  try {
    const told = await Promise.race([asked, tooLate])
    return told && { ...told, isComplete: true }
  } finally {
    clearTimeout(timer)
  }
}
