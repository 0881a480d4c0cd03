import { type Interval, intersect, mergeIntervals } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarChanges, CalendarClient, ExternalEvent, Since } from './calendar-client.ts'
import { compareEtags } from './compare-etags.ts'

/** When somebody is busy in `range`, in any order; `signal` ends the wait. Throws a CalendarError. */
export type ReadBusy = (range: Interval, signal?: AbortSignal) => Promise<readonly Interval[]>

/**
 * So much is asked for at a time. Google refuses a quarter of a year as too long (`timeRangeTooLong`, without a documented
 * limit), Graph 62 days and more: https://learn.microsoft.com/graph/api/calendar-getschedule
 */
const PIECE_MS = 50 * DAY_MS
/** The window begins and ends at such steps, so that it seldom cuts busy time elsewhere than before. */
const STEP_MS = 7 * DAY_MS

/** A calendar of which only free and busy times are shared: each stretch of busy time is an event without a name. */
export function openFreeBusy(read: ReadBusy): CalendarClient {
  const listEvents = async (range: Interval, signal?: AbortSignal) =>
    eventsOf(await whole(read, range, signal))
  return {
    listEvents,
    listChanges: async (window, since) => changesSince(await listEvents(stepped(window)), since),
    findEvent: async () => null,
    writeEvent: async () => {
      throw readOnly()
    },
    removeEvent: async () => {
      throw readOnly()
    },
  }
}

function stepped({ start, end }: Interval): Interval {
  return { start: Math.floor(start / STEP_MS) * STEP_MS, end: Math.ceil(end / STEP_MS) * STEP_MS }
}

async function whole(read: ReadBusy, range: Interval, signal?: AbortSignal): Promise<readonly Interval[]> {
  const busy: Interval[] = []
  for (let { start } = range; start < range.end; start += PIECE_MS) {
    busy.push(...(await read({ start, end: Math.min(start + PIECE_MS, range.end) }, signal)))
  }
  return intersect(mergeIntervals(busy), [range])
}

function eventsOf(busy: readonly Interval[]): ExternalEvent[] {
  return busy.map((time) => {
    const id = `busy/${time.start}/${time.end}`
    return { id, uid: id, etag: 'busy', time, busy: [time] }
  })
}

/** Without news, nothing is compared and written. */
async function changesSince(events: readonly ExternalEvent[], since: Since): Promise<CalendarChanges> {
  const cursor = `busy1 ${events.length} ${checksumOf(events)}`
  const unclear = { count: 0, earliest: null }
  if (since.cursor === null) return { changed: events, gone: [], isComplete: true, cursor, unclear }
  if (since.cursor === cursor) return { changed: [], gone: [], isComplete: false, cursor, unclear }
  return { ...compareEtags(events, await since.etags()), cursor, unclear }
}

/** FNV-1a, twice with other beginnings. */
function checksumOf(events: readonly ExternalEvent[]): string {
  const text = events.map(({ id }) => id).join()
  const hash = (seed: number) => {
    let sum = seed
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
    return (sum >>> 0).toString(36)
  }
  return `${hash(0x811c9dc5)}-${hash(0x1b873593)}`
}

function readOnly(): CalendarError {
  return new CalendarError('refused', 'Only free and busy times of this calendar are shared.')
}
