import type { Interval } from '../../scheduling/interval.ts'
import { type CalendarChanges, CalendarError, type Since } from '../calendar/calendar-client.ts'
import { type CaldavCalendar, idOf, isItself } from './calendar-resource.ts'
import { propfind, syncCollection } from './dav-reports.ts'
import { fetchResources, listEtags } from './fetch-resources.ts'
import { expectSuccess } from './judge-answer.ts'
import { childrenOf, has, parseXml, readMultistatus, textAt } from './multistatus.ts'

const MAX_PAGES = 100

/** The prefixes of a cursor: a sync token, or a collection tag (empty where the server has none). */
const [TOKEN, TAG] = ['sync:', 'ctag:']

/** How many events of a resource are left out, by its id. */
type Skipped = ReadonlyMap<string, number>

/** Resources are remembered by their ids, so many characters in all; the empty one stands for all others. */
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
  const skipped = new Map(lines.map((line) => [line.replace(/^\d+ /, ''), Number.parseInt(line, 10)]))
  if (cursor.startsWith(TOKEN)) {
    const token = cursor.slice(TOKEN.length)
    return (await syncSince(calendar, window, token, skipped)) ?? listAll(calendar, window)
  }
  if (cursor.startsWith(TAG)) return compareEtags(calendar, window, cursor.slice(TAG.length), skipped, since)
  return listAll(calendar, window)
}

/** What is told of events that are left out: how many, and a cursor that remembers them, each on a line of its own. */
function withSkipped(cursor: string, skipped: Skipped): Pick<CalendarChanges, 'cursor' | 'skipped'> {
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
  let room = MOST_NAMED
  const named = [...skipped].filter(([id]) => {
    room -= id.length
    return id !== '' && room >= 0
  })
  const all = sum([...skipped.values()])
  const others = all - sum(named.map(([, count]) => count))
  const lines = [...named, ...(others > 0 ? [['', others] as const] : [])]
  return { cursor: [cursor, ...lines.map(([id, count]) => `${count} ${id}`)].join('\n'), skipped: all }
}

async function listAll(calendar: CaldavCalendar, window: Interval): Promise<CalendarChanges> {
  // The cursor is read before the events: what changes meanwhile is reported twice rather than never.
  const cursor = await currentCursor(calendar)
  const etags = await listEtags(calendar, window)
  const { events, skipped } = await fetchResources(calendar, [...etags.keys()], window)
  return { changed: events, gone: [], isComplete: true, ...withSkipped(cursor, skipped) }
}

/** Null where the server no longer knows the token or answers such questions, or where what changed may be among all others. */
async function syncSince(
  calendar: CaldavCalendar,
  window: Interval,
  since: string,
  skipped: Skipped,
): Promise<CalendarChanges | null> {
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
      const id = idOf(href, calendar.url)
      if (id === null || isItself(calendar, id)) isCut ||= status === 507
      else if (status === 404 || status === 410) {
        gone.add(id)
        changed.delete(id)
      } else {
        changed.add(id)
        gone.delete(id)
      }
    }
    if (!isCut) {
      if (skipped.has('') && [...changed, ...gone].some((id) => !skipped.has(id))) return null
      const still = [...skipped].filter(([id]) => !changed.has(id) && !gone.has(id))
      return fetchChanged(calendar, window, changed, gone, TOKEN + syncToken, still)
    }
    token = syncToken
  }
  return null
}

/**
 * The answers that mean: start over. A refused password is not among them, nor is a server in trouble; but 507 is
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
    status === 501 ||
    status === 507 ||
    (status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status))
  )
}

async function compareEtags(
  calendar: CaldavCalendar,
  window: Interval,
  tag: string,
  skipped: Skipped,
  since: Since,
): Promise<CalendarChanges> {
  const cursor = await currentCursor(calendar)
  if (tag !== '' && cursor === TAG + tag) {
    return { changed: [], gone: [], isComplete: false, ...withSkipped(cursor, skipped) }
  }
  // What changed may be among all others here, too.
  if (skipped.has('')) return listAll(calendar, window)
  const [listed, known] = [await listEtags(calendar, window), await since.etags()]
  const changed = [...listed].filter(([id, etag]) => etag === null || known.get(id) !== etag)
  // A known event that is not listed is gone, or has moved out of the window.
  const lost = [...known.keys()].filter((id) => !listed.has(id))
  const asked = new Set([...changed.map(([id]) => id), ...lost])
  const still = [...skipped].filter(([id]) => listed.has(id) && !asked.has(id))
  return fetchChanged(calendar, window, asked, new Set(), cursor, still)
}

async function fetchChanged(
  calendar: CaldavCalendar,
  window: Interval,
  changed: ReadonlySet<string>,
  gone: ReadonlySet<string>,
  cursor: string,
  skipped: Iterable<readonly [string, number]>,
): Promise<CalendarChanges> {
  const found = await fetchResources(calendar, [...changed], window)
  return {
    changed: found.events,
    gone: [...gone, ...found.gone],
    isComplete: false,
    ...withSkipped(cursor, new Map([...skipped, ...found.skipped])),
  }
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
