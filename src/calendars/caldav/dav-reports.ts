import type { Interval } from '../../core/interval.ts'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import { utcTime } from '../../platform/icalendar/content-lines.ts'
import { askServer, type DavAccount, type DavAnswer } from './dav-request.ts'
import { expectSuccess } from './judge-answer.ts'
import { type DavResource, escapeXml, type Multistatus, readMultistatus } from './multistatus.ts'

const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"'
const XML_TYPE = 'application/xml; charset=utf-8'

/** The properties that are asked for, with the prefixes D (WebDAV), C (CalDAV) and CS (calendarserver.org). */
export type PropertyName = `${'D' | 'C' | 'CS'}:${string}`

/** RFC 4918, section 9.1. */
export async function propfind(
  account: DavAccount,
  url: string,
  depth: 0 | 1,
  names: readonly PropertyName[],
): Promise<Multistatus & { readonly url: string }> {
  const answer = await askServer(account, {
    method: 'PROPFIND',
    url,
    headers: { Depth: String(depth), 'Content-Type': XML_TYPE },
    body: document('D:propfind', propsOf(names)),
  })
  expectSuccess(answer)
  return { ...readMultistatus(answer.body), url: answer.url }
}

/** Where on earth a date begins first, and where last. */
const DATE_MARGIN_MS = 14 * HOUR_MS

/**
 * The events that touch `range` (RFC 4791, section 9.9), and some beside it: servers take dates and floating times for
 * UTC's (Radicale's filter.py), or for those of a zone that is not the one we read them in.
 */
function inRange({ start, end }: Interval): string {
  return `<C:time-range start="${utcTime(start - DATE_MARGIN_MS)}" end="${utcTime(end + DATE_MARGIN_MS)}"/>`
}

/** The events whose UID has `text` in it (RFC 4791, sections 9.7.2 and 9.7.5); some servers answer with all of them. */
export function withUid(text: string): string {
  return `<C:prop-filter name="UID"><C:text-match collation="i;octet">${escapeXml(text)}</C:text-match></C:prop-filter>`
}

/** The events that a filter finds, each series as one (RFC 4791, section 7.8). */
export async function queryCalendar(
  account: DavAccount,
  url: string,
  filter: string,
  names: readonly PropertyName[],
  signal?: AbortSignal,
): Promise<Multistatus> {
  return readMultistatus(await askCalendar(account, url, filter, names, signal))
}

async function askCalendar(
  account: DavAccount,
  url: string,
  filter: string,
  names: readonly PropertyName[],
  signal?: AbortSignal,
): Promise<string> {
  const body = `${propsOf(names)}<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter>`
  const answer = await report(account, url, 1, document('C:calendar-query', body), signal)
  expectSuccess(answer)
  return answer.body
}

/** Xandikos leaves the names of prefixes to Python. Before 0.3 it finds a series by its first time only. */
const XANDIKOS = /^(<\?xml[^>]*\?>)?\s*<ns0:multistatus[\s/>]/
const SERIES = ['RRULE', 'RDATE'].map((name) => `<C:prop-filter name="${name}"/>`)

/** Radicale has Python write the declaration. Before 3.7.8 it takes a DURATION of whole days for none. */
const RADICALE = /^<\?xml version='1\.0' encoding='utf-8'\?>\s*<multistatus xmlns="DAV:"/
const MOST_DAYS_MS = 366 * DAY_MS

/** The filters that a server needs beside a time range, which it shows by how it writes. */
function moreFilters(body: string, { start, end }: Interval): readonly string[] {
  if (XANDIKOS.test(body)) return SERIES
  if (!RADICALE.test(body)) return []
  // Radicale takes the first filter for the time range.
  return [`${inRange({ start: start - MOST_DAYS_MS, end })}<C:prop-filter name="DURATION"/>`]
}

/** The events that touch `range`; some servers list others, too. */
export async function queryRange(
  account: DavAccount,
  url: string,
  range: Interval,
  names: readonly PropertyName[],
  signal?: AbortSignal,
): Promise<readonly DavResource[]> {
  const body = await askCalendar(account, url, inRange(range), names, signal)
  const { resources } = readMultistatus(body)
  const filters = moreFilters(body, range)
  if (filters.length === 0) return resources
  const more = await Promise.all(filters.map((filter) => queryCalendar(account, url, filter, names, signal)))
  const all = [...resources, ...more.flatMap((each) => each.resources)]
  return [...new Map(all.map((each) => [each.href, each])).values()]
}

/** The named resources with their data (RFC 4791, section 7.9). */
export async function multiget(
  account: DavAccount,
  url: string,
  hrefs: readonly string[],
  signal?: AbortSignal,
): Promise<Multistatus> {
  const named = hrefs.map((href) => `<D:href>${escapeXml(href)}</D:href>`).join('')
  const body = `${propsOf(['D:getetag', 'C:calendar-data'])}${named}`
  const answer = await report(account, url, 1, document('C:calendar-multiget', body), signal)
  expectSuccess(answer)
  return readMultistatus(answer.body)
}

/** What changed since a token (RFC 6578, section 3.2). The status is not judged here: the token may be refused. */
export function syncCollection(account: DavAccount, url: string, token: string): Promise<DavAnswer> {
  const body = `<D:sync-token>${escapeXml(token)}</D:sync-token><D:sync-level>1</D:sync-level>${propsOf(['D:getetag'])}`
  return report(account, url, 0, document('D:sync-collection', body))
}

function report(account: DavAccount, url: string, depth: 0 | 1, body: string, signal?: AbortSignal) {
  const headers = { Depth: String(depth), 'Content-Type': XML_TYPE }
  return askServer(account, { method: 'REPORT', url, headers, body, signal })
}

function propsOf(names: readonly PropertyName[]): string {
  return `<D:prop>${names.map((name) => `<${name}/>`).join('')}</D:prop>`
}

function document(root: string, body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><${root} ${NAMESPACES}>${body}</${root}>`
}
