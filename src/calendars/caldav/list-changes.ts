import type { Interval } from '../../core/interval.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { together, type Unclear } from '../../platform/icalendar/unclear-events.ts'
import type { CalendarChanges, Since } from '../client/calendar-client.ts'
import { type CaldavCalendar, isItself, listedId } from './calendar-resource.ts'
import { propfind, syncCollection } from './dav-reports.ts'
import { fetchResources, listEtags } from './fetch-resources.ts'
import { expectSuccess } from './judge-answer.ts'
import { childrenOf, has, parseXml, readMultistatus, textAt } from './multistatus.ts'

const MAX_PAGES = 100

/**
 * The prefixes of a cursor: a sync token, or a collection tag (empty where the server has none). Their number grows when
 * events are read in another way, so that all of them are read again.
 */
const [TOKEN, TAG] = ['sync3:', 'ctag3:']

/** What of a resource could not be understood, by its id. */
type UnclearById = ReadonlyMap<string, Unclear>

/** The limit of remembered ids, in characters; the empty id counts all others. */
const MOST_NAMED = 100_000

/**
 * What happened in a calendar (RFC 6578; else by the collection tag and etags). The first time, and whenever the
 * server has forgotten the cursor, all events that touch the window. Later what changed, at any time.
 */
export async function listChanges(
  calendar: CaldavCalendar,
  window: Interval,
  since: Since,
): Promise<CalendarChanges> {
  const [cursor = '', ...lines] = since.cursor?.split('\n') ?? []
  const [prefix] = [TOKEN, TAG].filter((known) => cursor.startsWith(known))
  if (prefix === undefined) return listAll(calendar, window)
  const unclear = new Map(lines.map(readUnclear))
  const known = cursor.slice(prefix.length)
  if (prefix === TAG) return compareEtags(calendar, window, known, unclear, since)
  return (await syncSince(calendar, window, known, unclear, since)) ?? listAll(calendar, window)
}

type Line = readonly [count: number, date: string | null, uid: string | null, id: string]

/** The unclear events, and a cursor that remembers them with one resource per line. */
function withUnclear(cursor: string, unclear: UnclearById): Pick<CalendarChanges, 'cursor' | 'unclear'> {
  let room = MOST_NAMED
  const [named, others] = [[] as Line[], [] as Unclear[]]
  for (const [id, one] of unclear) {
    const { date = null, uid = null } = one.earliest ?? {}
    room -= id.length + (uid?.length ?? 0)
    if (id !== '' && room >= 0) named.push([one.count, date, uid, id])
    else others.push(one)
  }
  const rest = together(others)
  if (rest.count > 0) named.push([rest.count, rest.earliest!.date, rest.earliest!.uid, ''])
  const lines = named.map((line) => JSON.stringify(line))
  return { cursor: [cursor, ...lines].join('\n'), unclear: together(unclear.values()) }
}

function readUnclear(line: string): readonly [id: string, unclear: Unclear] {
  const [count, date, uid, id] = JSON.parse(line) as Line
  return [id, { count, earliest: { date, uid } }]
}

async function listAll(calendar: CaldavCalendar, window: Interval): Promise<CalendarChanges> {
  // The cursor is read before the events, so that changes in between are reported twice rather than never.
  const cursor = await firstCursor(calendar)
  const etags = await listEtags(calendar, window)
  const { events, unclear } = await fetchResources(calendar, [...etags.keys()], window)
  return { changed: events, gone: [], isComplete: true, ...withUnclear(cursor, unclear) }
}

/** What a calendar reports since a token; the later of two reports about one event counts. */
type Reported = {
  readonly changed: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
  readonly token: string
}

/** Null where the server no longer knows the token or answers such questions, or where what changed may be among all others. */
async function syncSince(
  calendar: CaldavCalendar,
  window: Interval,
  token: string,
  unclear: UnclearById,
  since: Since,
): Promise<CalendarChanges | null> {
  const reported = await askSince(calendar, token)
  if (reported === null || isBefore(reported.token, token)) return null
  const { gone } = reported
  // DAViCal answers an unknown token with everything and no deletions, SabreDAV one of the future with nothing.
  const missed = since.isThorough ? (await findDiffering(calendar, window, since)).asked : []
  const changed = new Set([...reported.changed, ...[...missed].filter((id) => !gone.has(id))])
  if (unclear.has('') && [...changed, ...gone].some((id) => !unclear.has(id))) return null
  const still = [...unclear].filter(([id]) => !changed.has(id) && !gone.has(id))
  return fetchChanged(calendar, window, changed, gone, TOKEN + reported.token, still)
}

/** Follows an answer that comes in pieces. Null where the server no longer knows the token or has none. */
async function askSince(calendar: CaldavCalendar, since: string): Promise<Reported | null> {
  const [changed, gone] = [new Set<string>(), new Set<string>()]
  let token = since
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await syncCollection(calendar, calendar.url, token)
    if (isForgotten(answer)) return null
    expectSuccess(answer)
    const { resources, syncToken } = readMultistatus(answer.body)
    if (syncToken === null) return null
    let isCut = false
    for (const { href, status } of resources) {
      const id = listedId(calendar, href)
      if (id === null || isItself(calendar, id)) isCut ||= status === 507
      else if (status === 404 || status === 410) {
        gone.add(id)
        changed.delete(id)
      } else {
        changed.add(id)
        gone.delete(id)
      }
    }
    token = syncToken
    if (!isCut) return { changed, gone, token }
  }
  return null
}

/** Whether a calendar counts from a smaller number than before, as one that was made again or restored does. */
function isBefore(token: string, known: string): boolean {
  const [one, other] = [token, known].map((each) => /^(.*?)(\d{1,15})$/.exec(each))
  return one != null && other != null && one[1] === other[1] && Number(one[2]) < Number(other[2])
}

/**
 * The answers that mean: start over. A server in trouble is not among them; but 507 is
 * (python-caldav/caldav#340).
 */
function isForgotten({ status, body }: { status: number; body: string }): boolean {
  if (status === 403) {
    try {
      const { name, root } = parseXml(body)
      return name === 'error' && (has(root, 'valid-sync-token') || has(root, 'supported-report'))
    } catch {
      return false
    }
  }
  return (
    status === 501 || status === 507 || (status >= 400 && status < 500 && ![408, 425, 429].includes(status))
  )
}

async function compareEtags(
  calendar: CaldavCalendar,
  window: Interval,
  tag: string,
  unclear: UnclearById,
  since: Since,
): Promise<CalendarChanges> {
  const cursor = await currentCursor(calendar)
  if (tag !== '' && cursor === TAG + tag && !since.isThorough) {
    return { changed: [], gone: [], isComplete: false, ...withUnclear(cursor, unclear) }
  }
  // What changed may be among all others here, too.
  if (unclear.has('')) return listAll(calendar, window)
  const { listed, asked } = await findDiffering(calendar, window, since)
  const still = [...unclear].filter(([id]) => listed.has(id) && !asked.has(id))
  return fetchChanged(calendar, window, asked, new Set(), cursor, still)
}

/** The ids whose etags in the window are not the known ones. A known event that is not listed is gone, or has left the window. */
async function findDiffering(
  calendar: CaldavCalendar,
  window: Interval,
  since: Since,
): Promise<{ readonly listed: ReadonlyMap<string, unknown>; readonly asked: ReadonlySet<string> }> {
  const [listed, known] = [await listEtags(calendar, window), await since.etags()]
  const changed = [...listed].filter(([id, etag]) => etag === null || known.get(id) !== etag)
  const lost = [...known.keys()].filter((id) => !listed.has(id))
  return { listed, asked: new Set([...changed.map(([id]) => id), ...lost]) }
}

async function fetchChanged(
  calendar: CaldavCalendar,
  window: Interval,
  changed: ReadonlySet<string>,
  gone: ReadonlySet<string>,
  cursor: string,
  unclear: Iterable<readonly [string, Unclear]>,
): Promise<CalendarChanges> {
  const found = await fetchResources(calendar, [...changed], window)
  return {
    changed: found.events,
    gone: [...gone, ...found.gone],
    isComplete: false,
    ...withUnclear(cursor, new Map([...unclear, ...found.unclear])),
  }
}

/** A token as a report gives it: the property of SOGo is a second ahead. */
async function firstCursor(calendar: CaldavCalendar): Promise<string> {
  const cursor = await currentCursor(calendar)
  if (!cursor.startsWith(TOKEN)) return cursor
  const reported = await askSince(calendar, '').catch((error) => {
    // The list of all there ever was may be longer than that of the window.
    if (error instanceof CalendarError) return null
    throw error
  })
  return reported === null ? cursor : TOKEN + reported.token
}

async function currentCursor(calendar: CaldavCalendar): Promise<string> {
  const { resources } = await propfind(calendar, calendar.url, 0, [
    'D:sync-token',
    'D:supported-report-set',
    'CS:getctag',
  ])
  const props = resources[0]?.props
  if (props === undefined) throw new CalendarError('unusable', 'The server sent nothing about the calendar.')
  const reports = childrenOf(props, 'supported-report-set').flatMap((set) =>
    childrenOf(set, 'supported-report'),
  )
  const isOffered =
    reports.length === 0 ||
    reports.some((each) => childrenOf(each, 'report').some((kind) => has(kind, 'sync-collection')))
  const token = textAt(props, 'sync-token')
  return token !== null && isOffered ? TOKEN + token : TAG + (textAt(props, 'getctag') ?? '')
}
