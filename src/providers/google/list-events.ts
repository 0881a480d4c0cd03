import * as z from 'zod'
import type { Interval } from '../../scheduling/interval.ts'
import { type CalendarChanges, CalendarError, type ExternalEvent } from '../calendar/calendar-client.ts'
import { readCursor, widened, writeCursor } from '../calendar/sync-cursor.ts'
import type { Api } from '../oauth/api.ts'
import { EVENT_FIELDS, GoogleEvent, isCancelled, readEvent } from './google-event.ts'

const Page = z.object({
  items: z.array(z.unknown()).default([]),
  timeZone: z.string().optional(),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
})

type Listing = {
  readonly events: readonly ExternalEvent[]
  readonly gone: readonly string[]
  readonly skipped: number
  readonly syncToken: string | null
  /** Whether occurrences of a series are among what is gone. */
  readonly isSeriesCut: boolean
}

const MAX_PAGES = 100

/**
 * The same in every request: a sync token goes with no others. Each occurrence of a series comes as an event of
 * its own. Of the attendees only the owner is asked for.
 */
const QUERY = {
  singleEvents: 'true',
  maxResults: '1000',
  maxAttendees: '1',
  fields: `timeZone,nextPageToken,nextSyncToken,items(${EVENT_FIELDS})`,
}

/** The events of a calendar that touch `range`. */
export async function listGoogleEvents(
  api: Api,
  path: string,
  range: Interval,
  signal?: AbortSignal,
): Promise<readonly ExternalEvent[]> {
  const listing = await list(api, path, range, rangeQuery(range), signal)
  return listing!.events
}

/**
 * Incremental synchronization: https://developers.google.com/workspace/calendar/api/guides/sync. A token goes
 * with neither timeMin nor timeMax; those of the full synchronization hold. Google answers 410 when it
 * no longer knows the token. Of a deleted series it lists the occurrences of only half a year, so where any
 * occurrence is gone, everything is read again too.
 */
export async function listGoogleChanges(
  api: Api,
  path: string,
  window: Interval,
  cursor: string | null,
): Promise<CalendarChanges> {
  const known = readCursor(cursor, window)
  const changes = known && (await list(api, path, known.window, { syncToken: known.token }))
  if (known && changes && !changes.isSeriesCut) return toChanges(changes, known.window, false)
  const wide = widened(window)
  return toChanges((await list(api, path, wide, rangeQuery(wide)))!, wide, true)
}

function toChanges(listing: Listing, window: Interval, isComplete: boolean): CalendarChanges {
  const { events, gone, skipped, syncToken } = listing
  const cursor = syncToken === null ? null : writeCursor({ token: syncToken, window })
  return { changed: events, gone, isComplete, cursor, skipped }
}

function rangeQuery({ start, end }: Interval): Record<string, string> {
  return { timeMin: new Date(start).toISOString(), timeMax: new Date(end).toISOString() }
}

/** All pages; null when the sync token is too old. */
async function list(
  api: Api,
  path: string,
  within: Interval,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Listing | null> {
  const events: ExternalEvent[] = []
  const gone: string[] = []
  let skipped = 0
  let isSeriesCut = false
  let pageToken: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { status, json } = await api({
      path,
      query: { ...QUERY, ...query, ...(pageToken !== undefined && { pageToken }) },
      // Google answers 400 to a token that was cut or mixed up.
      expects: 'syncToken' in query ? [400, 410] : [],
      signal,
    })
    if (status >= 400) return null
    const page = Page.safeParse(json)
    if (!page.success) throw new CalendarError('unusable', 'Google Calendar sent no list of events.')
    const { items, timeZone = null, nextPageToken, nextSyncToken = null } = page.data
    for (const item of items) {
      const parsed = GoogleEvent.safeParse(item)
      const event = parsed.success ? readEvent(parsed.data, timeZone, within) : null
      if (parsed.success && isCancelled(parsed.data)) {
        gone.push(parsed.data.id)
        isSeriesCut ||= parsed.data.recurringEventId !== undefined
      } else if (event === null) skipped++
      else events.push(event)
    }
    if (nextPageToken === undefined) {
      return { events, gone, skipped, syncToken: nextSyncToken, isSeriesCut }
    }
    pageToken = nextPageToken
  }
  throw new CalendarError('unusable', 'The Google calendar has more events than can be read.')
}
