import type { Json } from '../world.ts'
import { refuse } from './refuse.ts'

type Selection = Map<string, Selection | null>

/**
 * Partial answers: developers.google.com/workspace/calendar/api/guides/performance#partial-response.
 * `items(id,start/dateTime),nextPageToken`, `*`; tokens too are returned only on request.
 */
export function selectFields(
  json: Json,
  text: string | null,
  known: readonly string[],
  knownBelow: Readonly<Record<string, readonly string[]>> = {},
): Json {
  if (!text) return json
  const [selection, rest] = read(text)
  const wrongIn = (names: Iterable<string>, right: readonly string[]) =>
    [...names].find((name) => name !== '*' && !right.includes(name))
  const wrongBelow = Object.entries(knownBelow).map(([name, right]) =>
    wrongIn(selection.get(name)?.keys() ?? [], right),
  )
  const wrong = rest ? text : (wrongIn(selection.keys(), known) ?? wrongBelow.find(Boolean))
  if (wrong !== undefined) {
    throw refuse(400, 'invalidParameter', `Invalid field selection ${wrong}`, { location: 'fields' })
  }
  return pick(json, selection) as Json
}

/** The fields of one level, and what is left of the text. */
function read(text: string): [Selection, string] {
  const selection: Selection = new Map()
  let rest = text
  while (true) {
    const name = /^[A-Za-z*]+/.exec(rest)?.[0]
    if (!name) return [selection, rest || text]
    rest = rest.slice(name.length)
    let below: Selection | null = null
    if (rest.startsWith('(')) {
      const [inner, behind] = read(rest.slice(1))
      if (!behind.startsWith(')')) return [selection, rest]
      below = inner
      rest = behind.slice(1)
    } else if (rest.startsWith('/')) {
      const path = /^\/([A-Za-z*]+(\/[A-Za-z*]+)*(\([^()]*\))?)/.exec(rest)
      if (!path) return [selection, rest]
      below = read(path[1]!)[0]
      rest = rest.slice(path[0].length)
    }
    const before = selection.get(name)
    selection.set(name, before && below ? new Map([...before, ...below]) : below)
    if (!rest.startsWith(',')) return [selection, rest]
    rest = rest.slice(1)
  }
}

function pick(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((one) => pick(one, selection))
  if (typeof value !== 'object' || value === null) return value
  const picked: Json = {}
  for (const [name, one] of Object.entries(value)) {
    const below = selection.has(name) ? selection.get(name) : selection.get('*')
    if (below === undefined) continue
    picked[name] = below === null ? one : pick(one, below)
  }
  return picked
}

export const eventFields =
  'anyoneCanAddSelf attachments attendees attendeesOmitted birthdayProperties colorId conferenceData created creator description end endTimeUnspecified etag eventLabelId eventType extendedProperties focusTimeProperties gadget guestsCanInviteOthers guestsCanModify guestsCanSeeOtherGuests hangoutLink htmlLink iCalUID id kind location locked organizer originalStartTime outOfOfficeProperties privateCopy recurrence recurringEventId reminders sequence source start status summary transparency updated visibility workingLocationProperties'.split(
    ' ',
  )
export const eventsFields =
  'accessRole defaultReminders description etag items kind nextPageToken nextSyncToken summary timeZone updated'.split(
    ' ',
  )
export const entryFields =
  'accessRole autoAcceptInvitations backgroundColor colorId conferenceProperties dataOwner defaultReminders deleted description etag foregroundColor hidden id kind location notificationSettings primary selected summary summaryOverride timeZone'.split(
    ' ',
  )
export const entriesFields = ['etag', 'items', 'kind', 'nextPageToken', 'nextSyncToken']
export const freeBusyFields = ['calendars', 'groups', 'kind', 'timeMax', 'timeMin']
export const channelFields =
  'address expiration id kind params payload resourceId resourceUri token type'.split(' ')
