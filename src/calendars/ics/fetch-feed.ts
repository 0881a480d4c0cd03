import { MINUTE_MS } from '../../core/time-units.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import { readBody, TooLongAnswer } from '../client/read-body.ts'
import { retryAfterOf } from '../oauth/retry-after.ts'

/** A calendar that is only read, at an address which is its password. */
export type Feed = {
  readonly fetch: Fetch
  readonly url: string
  /** Judges each address before a request goes to it, also those that it redirects to. */
  readonly mayReach: (url: string) => boolean
}

/** What a host sent with a body, to ask later whether it is unchanged (RFC 9110, section 13.1). */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null }

type FetchedFeed = Validators & { readonly text: string }

const MAX_REDIRECTS = 5
const TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Gets a feed within ten seconds; null where it is still what `known` says. Throws CalendarErrors: `absent` where there is no
 * calendar, `refused` where it wants a password, `overlong` beyond 4 MiB, `unavailable` and `unusable` as everywhere.
 */
export async function fetchFeed(
  feed: Feed,
  known: Validators | null,
  wanted?: AbortSignal,
): Promise<FetchedFeed | null> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const signal = wanted ? AbortSignal.any([wanted, deadline]) : deadline
  const response = await follow(feed, known, signal)
  if (response.status === 304 && known !== null) return null
  const failure = failureOf(response)
  if (failure !== null) {
    response.body?.cancel().catch(() => {})
    throw failure
  }
  const { headers } = response
  const text = await readBody(response, MAX_BYTES, signal).catch((error) => {
    if (error instanceof TooLongAnswer)
      throw new CalendarError('overlong', 'The calendar is larger than 4 MiB.')
    throw error
  })
  expectCalendar(text)
  return { text, etag: headers.get('ETag'), lastModified: settledDateOf(headers) }
}

async function follow(feed: Feed, known: Validators | null, signal: AbortSignal): Promise<Response> {
  let { url } = feed
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!feed.mayReach(url)) {
      throw new CalendarError('unusable', 'The calendar redirects to an address that is not allowed.')
    }
    const response = await send(feed, url, known, signal)
    if (!REDIRECTS.includes(response.status)) return response
    response.body?.cancel().catch(() => {})
    const target = response.headers.get('Location')
    const next = target === null ? null : URL.parse(withoutWebcal(target), url)
    if (next === null) throw new CalendarError('unusable', 'The calendar redirects without saying where.')
    url = next.href
  }
  throw new CalendarError('unusable', 'The calendar redirects too often.')
}

async function send({ fetch }: Feed, url: string, known: Validators | null, signal: AbortSignal) {
  try {
    return await fetch(url, {
      redirect: 'manual',
      signal,
      headers: {
        Accept: 'text/calendar, */*;q=0.5',
        // Some hosts refuse clients that do not look like a browser (franc6/ics_calendar#75).
        'User-Agent': 'Mozilla/5.0 (compatible; Holdfast/1.0)',
        ...(known?.etag && { 'If-None-Match': known.etag }),
        ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
      },
    })
  } catch {
    throw new CalendarError(
      'unavailable',
      signal.aborted ? 'The calendar took too long to answer.' : 'The calendar does not answer.',
    )
  }
}

/** Null if the feed could change again within that second (RFC 9110, section 8.8.2.2). */
function settledDateOf(headers: Headers): string | null {
  const told = headers.get('Last-Modified')
  const age = Date.parse(headers.get('Date') ?? '') - Date.parse(told ?? '')
  return age >= MINUTE_MS ? told : null
}

/** Null for 2xx. */
function failureOf({ status, headers }: Response): CalendarError | null {
  if (status >= 200 && status < 300) return null
  if (status === 404 || status === 410)
    return new CalendarError('absent', 'There is no calendar at this address any more.')
  if (status === 401 || status === 403 || status === 407)
    return new CalendarError('refused', 'The calendar cannot be read with its address alone.')
  if (status >= 500 || [408, 425, 429].includes(status))
    return new CalendarError(
      'unavailable',
      `The calendar answered with status ${status}.`,
      retryAfterOf(headers),
    )
  return new CalendarError('unusable', `The calendar answered with status ${status}.`)
}

/**
 * The body decides, for hosts call it what they like. A page to sign in at stands where an address is over
 * (AWildLeon/Glance-iCal-Events#10); what was cut off would free the time of all that is missing.
 */
function expectCalendar(text: string): void {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text)) {
    throw new CalendarError('absent', 'There is no calendar at this address.')
  }
  if (!/END:VCALENDAR/i.test(text.slice(-1000))) {
    throw new CalendarError('unusable', 'The calendar ended in the middle.')
  }
}

/** `webcal:` is the scheme by which programs take a feed for a calendar; it is https. */
function withoutWebcal(url: string): string {
  return url.replace(/^\s*webcals?:/i, 'https:')
}
