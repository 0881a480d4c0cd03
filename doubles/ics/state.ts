import { randomBytes } from 'node:crypto'

/** One address of the host, as `PUT /control/feeds {path, …}` sets it. */
export type Feed = {
  /** VEVENTs, their lines parted by LF. */
  events: string[]
  /** Of the calendar, such as `X-WR-TIMEZONE`, `X-PUBLISHED-TTL` or `REFRESH-INTERVAL;VALUE=DURATION`. */
  properties: Record<string, string>
  /** The whole body instead, as it is. */
  text: string | null
  /** Hosts say text/html, text/plain and application/octet-stream too; null says none. */
  contentType: string | null
  lineEnd: 'CRLF' | 'LF'
  hasByteOrderMark: boolean
  /** A comment property fills the calendar up to that size. */
  padToBytes: number | null
  /** Compressed where the request takes that, or whether it does or not. */
  gzip: 'never' | 'asked' | 'always'
  etag: 'strong' | 'weak' | 'none'
  hasLastModified: boolean
  /** Whether If-None-Match and If-Modified-Since are looked at. */
  answersConditions: boolean
  /** Each answer has the DTSTAMP of now, so that no two are alike. */
  stampsEachAnswer: boolean
  /** Whether the length is sent before the body. */
  hasLength: boolean
  redirect: { to: string; status: 301 | 302 | 303 | 307 | 308 } | null
  failure: Failure | null
}

/**
 * What is there instead of the calendar: a page with 200, a page of Google's for a secret address that was reset, 404, 410,
 * Outlook's 500 and 503, 401 with a challenge, 403 for who does not say what it is, 429.
 */
export type Failure =
  | 'login page'
  | 'reset'
  | 'missing'
  | 'gone'
  | 'broken'
  | 'unavailable'
  | 'wants a password'
  | 'wants a browser'
  | 'too many'

export type KeptFeed = Feed & { changedAt: number }

export function newFeed(now: number): KeptFeed {
  return {
    events: [],
    properties: {},
    text: null,
    contentType: 'text/calendar; charset=UTF-8',
    lineEnd: 'CRLF',
    hasByteOrderMark: false,
    padToBytes: null,
    gzip: 'asked',
    etag: 'strong',
    hasLastModified: true,
    answersConditions: true,
    stampsEachAnswer: false,
    hasLength: true,
    redirect: null,
    failure: null,
    changedAt: now,
  }
}

/** As Google and Outlook write the addresses of an account's calendar. */
export function secretPaths(email: string): { google: string; outlook: string } {
  const token = () => randomBytes(16).toString('hex')
  return {
    google: `/calendar/ical/${encodeURIComponent(email)}/private-${token()}/basic.ics`,
    outlook: `/owa/calendar/${token()}@example.com/${token()}${token()}/calendar.ics`,
  }
}
