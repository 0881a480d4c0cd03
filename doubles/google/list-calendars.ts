import type { Call, Json, Reply } from '../world.ts'
import { calendarOf, findPlace } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { readChoice, readCount, readFlag } from './check-query.ts'
import { hash } from './make-ids.ts'
import { tellChannels } from './notify-channels.ts'
import { invalid, notFound } from './refuse.ts'
import { entriesFields, entryFields, selectFields } from './select-fields.ts'
import { type Account, type Entry, roles, type State } from './state.ts'
import { firstPage, type ListOf, makeCursor, nextPage, readCursor, settingsOf } from './turn-pages.ts'

/** `GET /users/me/calendarList`: developers.google.com/workspace/calendar/api/v3/reference/calendarList/list. */
export function listCalendars(state: State, { account }: Caller, call: Call): Reply {
  const { query } = call
  const least = readChoice(query, 'minAccessRole', roles)
  const ownOnly = readFlag(query, 'showOwnOrganizationOnly') ?? false
  const showDeleted = readFlag(query, 'showDeleted')
  const showHidden = readFlag(query, 'showHidden')
  const syncToken = query.get('syncToken')
  const about = `list of ${account.mail}`
  if (syncToken !== null) {
    const wrong = ['minAccessRole', 'showOwnOrganizationOnly'].find((name) => query.has(name))
    if (wrong !== undefined)
      throw invalid('Sync token cannot be used with other request restrictions.', wrong)
    if (showDeleted === false || showHidden === false) {
      const name = showDeleted === false ? 'showDeleted' : 'showHidden'
      throw invalid(`Sync token cannot be used with ${name} set to false.`, name)
    }
  }
  const since = syncToken === null ? null : readCursor(state, syncToken, about, '', 0)
  const domain = account.mail.split('@')[1]
  const entries = account.entries.filter((entry) => {
    // Deleted and hidden ones always come to who asks what changed.
    if (since !== null) return entry.version > since
    if (entry.isDeleted && !showDeleted) return false
    if (entry.isHidden && !showHidden) return false
    if (least && roles.indexOf(entry.accessRole) < roles.indexOf(least)) return false
    return !ownOnly || calendarOf(state, account.mail, entry.calendarId)?.owner.endsWith(`@${domain}`)
  })
  const list: ListOf = {
    about,
    settings: settingsOf(query, ['pageToken', 'maxResults', 'fields']),
    pageSize: readCount(query, 'maxResults', 100, 250),
  }
  const version = Math.max(0, ...account.entries.map((entry) => entry.version))
  const pageToken = query.get('pageToken')
  const page = pageToken
    ? nextPage(state, list, pageToken)
    : firstPage(
        state,
        list,
        entries.map((entry) => showEntry(state, account, entry)),
        {
          ...(!query.has('minAccessRole') &&
            !query.has('showOwnOrganizationOnly') && {
              nextSyncToken: makeCursor(state, { about, version, settings: '', epoch: 0 }, call.now),
            }),
        },
      )
  const json = {
    kind: 'calendar#calendarList',
    etag: `"${hash(`${account.mail} ${version}`).slice(0, 14)}"`,
    ...page,
  }
  return { status: 200, json: selectFields(json, query.get('fields'), entriesFields, { items: entryFields }) }
}

const etagOf = (entry: Entry) => `"${1_700_000_000_000_000 + entry.version * 2000}"`

/** Of a calendar that left the list, only what it was: …/v3/reference/calendarList#deleted. */
export function showEntry(state: State, account: Account, entry: Entry): Json {
  const calendar = calendarOf(state, account.mail, entry.calendarId)!
  const isPrimary = entry.calendarId === account.mail
  const canMeet = state.settings.meeting !== 'refused'
  return {
    kind: 'calendar#calendarListEntry',
    etag: etagOf(entry),
    id: entry.calendarId,
    summary: calendar.summary,
    timeZone: calendar.timeZone,
    colorId: isPrimary ? '14' : '8',
    backgroundColor: isPrimary ? '#9fe1e7' : '#16a765',
    foregroundColor: '#000000',
    accessRole: entry.accessRole,
    defaultReminders: isPrimary ? [{ method: 'popup', minutes: 10 }] : [],
    conferenceProperties: { allowedConferenceSolutionTypes: canMeet ? ['hangoutsMeet'] : [] },
    ...(calendar.kind === 'secondary' && { dataOwner: calendar.owner }),
    // Listed only if true.
    ...(isPrimary && { primary: true }),
    ...(entry.isSelected && { selected: true }),
    ...(entry.isHidden && { hidden: true }),
    ...(entry.isDeleted && { deleted: true }),
  }
}

/** `GET /users/me/calendarList/{id}`: …/v3/reference/calendarList/get. */
export function getEntry(state: State, { account }: Caller, call: Call, id: string): Reply {
  const place = findPlace(state, account, id)
  if (!place) throw notFound()
  const json = showEntry(state, account, place.entry)
  return { status: 200, json: selectFields(json, call.query.get('fields'), entryFields) }
}

export function changeEntry(state: State, account: Account, entry: Entry, change: Partial<Entry>): void {
  Object.assign(entry, change, { version: ++state.version })
  tellChannels(state, null, account.mail)
}

/** `GET /calendars/{id}`, which wants a scope of its own: …/v3/reference/calendars/get. */
export function getCalendar(state: State, { account }: Caller, call: Call, id: string): Reply {
  const place = findPlace(state, account, id)
  if (!place) throw notFound()
  const { calendar, entry } = place
  const json = {
    kind: 'calendar#calendar',
    etag: etagOf(entry),
    id: calendar.id,
    summary: calendar.summary,
    timeZone: calendar.timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
    ...(calendar.kind === 'secondary' && { dataOwner: calendar.owner }),
  }
  return { status: 200, json: selectFields(json, call.query.get('fields'), entryFields) }
}
