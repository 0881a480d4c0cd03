import type { Call, Json, Reply } from '../world.ts'
import type { Place } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { viewOf } from './check-calendar.ts'
import { readChoice, readCount, readFlag, readTime } from './check-query.ts'
import { collectEvents, type Wanted } from './collect-events.ts'
import { hash } from './make-ids.ts'
import { emptyRange, invalid, refuse } from './refuse.ts'
import { eventFields, eventsFields, selectFields } from './select-fields.ts'
import type { State } from './state.ts'
import { firstPage, type ListOf, makeCursor, nextPage, readCursor, settingsOf } from './turn-pages.ts'

const notWithSyncToken =
  'iCalUID orderBy privateExtendedProperty q sharedExtendedProperty timeMin timeMax updatedMin'
/** What a list may have changed from page to page and from one synchronization to the next. */
const free = 'alt fields key oauth_token access_token prettyPrint quotaUser userIp alwaysIncludeEmail'

/** `GET …/events`: developers.google.com/workspace/calendar/api/v3/reference/events/list and …/guides/sync. */
export function listEvents(state: State, caller: Caller, place: Place, call: Call): Reply {
  const { query } = call
  const { calendar, entry } = place
  const about = `events of ${calendar.id}`
  const list: ListOf = {
    about,
    settings: settingsOf(query, [...free.split(' '), 'pageToken', 'maxResults']),
    pageSize: readCount(query, 'maxResults', 250, 2500),
  }
  const wanted = readWanted(state, place, query, about, call.now)
  const pageToken = query.get('pageToken')
  const page = pageToken
    ? nextPage(state, list, pageToken)
    : firstPage(state, list, collectEvents(viewOf(caller, place, query), wanted, call.now), {
        ...(givesCursor(query) && {
          nextSyncToken: makeCursor(
            state,
            {
              about,
              version: calendar.version,
              settings: syncSettings(query),
              epoch: calendar.epoch,
            },
            call.now,
          ),
        }),
      })
  const json: Json = {
    kind: 'calendar#events',
    etag: `"${hash(`${calendar.id} ${calendar.version}`).slice(0, 14)}"`,
    summary: calendar.summary,
    updated: new Date(lastChange(place)).toISOString(),
    timeZone: query.get('timeZone') ?? calendar.timeZone,
    accessRole: entry.accessRole,
    defaultReminders: calendar.kind === 'primary' ? [{ method: 'popup', minutes: 10 }] : [],
    ...page,
  }
  return { status: 200, json: selectFields(json, query.get('fields'), eventsFields, { items: eventFields }) }
}

const lastChange = ({ calendar }: Place): number =>
  Math.max(0, ...[...calendar.events.values()].map(({ fields }) => Date.parse(fields.updated)))

/** Nothing that narrows a list ends with a sync token, but for a range of times: …/guides/sync, googleapis/google-api-ruby-client#312. */
function givesCursor(query: URLSearchParams): boolean {
  const narrowing = 'iCalUID orderBy privateExtendedProperty q sharedExtendedProperty updatedMin'
  return !narrowing.split(' ').some((name) => query.has(name))
}

/** These must be the same for every list that goes on from a token; a range of times is not remembered. */
function syncSettings(query: URLSearchParams): string {
  const names = ['singleEvents', 'eventTypes', 'showHiddenInvitations']
  return JSON.stringify(names.map((name) => query.getAll(name).filter((value) => value !== 'false')))
}

function readWanted(
  state: State,
  { calendar }: Place,
  query: URLSearchParams,
  about: string,
  now: number,
): Wanted {
  const isSingle = readFlag(query, 'singleEvents') ?? false
  const showDeleted = readFlag(query, 'showDeleted')
  readFlag(query, 'showHiddenInvitations')
  const orderBy = readChoice(query, 'orderBy', ['startTime', 'updated'])
  const syncToken = query.get('syncToken')
  if (syncToken !== null) {
    const wrong = notWithSyncToken.split(' ').find((name) => query.has(name))
    if (wrong !== undefined) {
      throw invalid(
        wrong === 'orderBy'
          ? 'Sync token cannot be used with non-default ordering.'
          : 'Sync token cannot be used with other request restrictions.',
        wrong,
      )
    }
    if (showDeleted === false)
      throw invalid('Sync token cannot be used with showDeleted set to false.', 'showDeleted')
  }
  if (orderBy === 'startTime' && !isSingle) {
    // googleworkspace/java-samples#52
    throw invalid('The requested ordering is not available for the particular query.', 'orderBy')
  }
  const [from, to] = [readTime(query, 'timeMin'), readTime(query, 'timeMax')]
  if (from !== null && to !== null && to <= from) throw emptyRange()
  const updatedMin = readTime(query, 'updatedMin')
  if (updatedMin !== null && updatedMin < now - 28 * 86_400_000) {
    const message = 'The requested minimum modification time lies too far in the past.'
    throw refuse(410, 'updatedMinTooLongAgo', message, { domain: 'calendar', location: 'updatedMin' })
  }
  const eventTypes = query.getAll('eventTypes')
  const types = ['birthday', 'default', 'focusTime', 'fromGmail', 'outOfOffice', 'workingLocation']
  if (eventTypes.some((type) => !types.includes(type))) throw invalid('Invalid Value', 'eventTypes')
  return {
    isSingle,
    showDeleted: showDeleted ?? false,
    orderBy,
    from,
    to,
    updatedMin,
    eventTypes,
    since:
      syncToken === null ? null : readCursor(state, syncToken, about, syncSettings(query), calendar.epoch),
    iCalUID: query.get('iCalUID'),
    text: query.get('q')?.toLowerCase() ?? null,
    properties: (['private', 'shared'] as const).flatMap((kind) =>
      query.getAll(`${kind}ExtendedProperty`).map((pair) => readPair(kind, pair)),
    ),
    maxAttendees: query.has('maxAttendees') ? readCount(query, 'maxAttendees', 1, 10_000) : null,
  }
}

function readPair(kind: 'private' | 'shared', pair: string): Wanted['properties'][number] {
  const at = pair.indexOf('=')
  if (at < 1) throw invalid('Invalid Value', `${kind}ExtendedProperty`)
  return { kind, name: pair.slice(0, at), value: pair.slice(at + 1) }
}
