import * as z from 'zod'
import type { Interval } from '../../core/interval.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import type { UnclearById } from '../client/sync-cursor.ts'
import type { Api } from '../oauth/api.ts'
import { EVENT_FIELDS, GoogleEvent, isCancelled, readEvent } from './google-event.ts'

const Page = z.object({
  items: z.array(z.unknown()).default([]),
  timeZone: z.string().optional(),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
})

export type Listing = {
  readonly events: readonly ExternalEvent[]
  /** Ids of what was deleted, and of occurrences that left `within`. */
  readonly gone: readonly string[]
  /** The series of which occurrences were deleted, with the ids of those. */
  readonly cut: ReadonlyMap<string, readonly string[]>
  readonly unclear: readonly UnclearById[]
  readonly syncToken: string | null
  /** The calendar's; null where it is not told. */
  readonly timeZone: string | null
}

type Asked = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** What the busy times are cut to. */
  readonly within: Interval
  /** Whether events that are marked free block time, too. */
  readonly countsFree: boolean
  /** Statuses for which there is no list. */
  readonly expects?: readonly number[]
  readonly signal?: AbortSignal | undefined
}

const MAX_PAGES = 100

/** Of the attendees only the owner is asked for. */
const QUERY = {
  maxResults: '2500',
  maxAttendees: '1',
  fields: `timeZone,nextPageToken,nextSyncToken,items(${EVENT_FIELDS})`,
}

/** All pages of a list of events; null where it is answered with one of the statuses that are expected. */
export async function readPages(api: Api, asked: Asked): Promise<Listing | null> {
  const { path, query, within, countsFree, expects = [], signal } = asked
  const events: ExternalEvent[] = []
  const gone: string[] = []
  const cut = new Map<string, string[]>()
  const unclear: UnclearById[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { status, json } = await api({
      path,
      query: { ...QUERY, ...query, ...(pageToken !== undefined && { pageToken }) },
      expects: [404, ...expects],
      signal,
    })
    if (expects.includes(status)) return null
    if (status === 404) throw new CalendarError('absent', 'The Google account has no such calendar any more.')
    const page = Page.safeParse(json)
    if (!page.success) throw new CalendarError('unusable', 'Google Calendar sent no list of events.')
    const { items, timeZone = null, nextPageToken, nextSyncToken = null } = page.data
    for (const item of items) {
      const parsed = GoogleEvent.safeParse(item)
      if (!parsed.success) {
        unclear.push({ id: '', uid: null, date: null })
        continue
      }
      const { id, recurringEventId: series } = parsed.data
      const { event, unclear: name } = readEvent(parsed.data, timeZone, within, countsFree)
      if (name !== null) unclear.push({ id, ...name })
      if (isCancelled(parsed.data)) {
        gone.push(id)
        if (series !== undefined) idsIn(cut, series).push(id)
      } else if (event === null) {
      } else if (series !== undefined && isBeyond(event, within)) gone.push(event.id)
      else events.push(event)
    }
    if (nextPageToken === undefined) return { events, gone, cut, unclear, syncToken: nextSyncToken, timeZone }
    pageToken = nextPageToken
  }
  throw new CalendarError('unusable', 'The Google calendar has more events than can be read.')
}

function idsIn(cut: Map<string, string[]>, series: string): string[] {
  const ids = cut.get(series) ?? []
  cut.set(series, ids)
  return ids
}

/** A changed series without end lists years of occurrences, and those far away are never needed. */
function isBeyond({ time }: ExternalEvent, within: Interval): boolean {
  return time !== null && (time.end <= within.start || time.start >= within.end)
}
