import { CALENDAR_ID } from './credentials.ts'
import {
  type Account,
  type Call,
  type Json,
  pick,
  type Reply,
  type StoredEvent,
  store,
  type World,
} from './exchange.ts'
import type { OAuthManners } from './oauth-double.ts'

const grantRefused = (description: string): Reply => ({
  status: 400,
  json: { error: 'invalid_grant', error_description: description },
})

export const microsoftManners: OAuthManners = {
  authorizePath: '/common/oauth2/v2.0/authorize',
  tokenPath: '/common/oauth2/v2.0/token',
  revokePath: null,
  authentication: 'post',
  refreshTokens: 'added',
  isOffline: (request) => (request.get('scope') ?? '').split(' ').includes('offline_access'),
  endings: {
    revoked: grantRefused('AADSTS50173: The provided grant has expired due to it being revoked.'),
    expired: grantRefused('AADSTS700082: The refresh token has expired due to inactivity.'),
  },
}

/** Microsoft Graph 1.0: https://learn.microsoft.com/graph/api/resources/event */
export function answerMicrosoft(world: World, account: Account, call: Call): Reply {
  const { method, path, query } = call
  switch (path) {
    case '/me':
      return { status: 200, json: { mail: account.email, userPrincipalName: `upn-${account.email}` } }
    case '/me/calendar':
      return { status: 200, json: { id: CALENDAR_ID, name: 'Calendar' } }
    case '/me/mailboxSettings/timeZone':
      return { status: 200, json: { value: world.settings.timeZone ?? 'W. Europe Standard Time' } }
  }
  if (!/outlook\.timezone="UTC"/.test(call.headers.prefer ?? '')) {
    return refuse(400, 'this double answers in UTC only')
  }
  const parts = path.split('/').slice(2).map(decodeURIComponent)
  if (parts[0] === 'calendars' && parts[1] === CALENDAR_ID) {
    if (parts[2] === 'calendarView')
      return parts[3] === 'delta' ? delta(world, account, call) : view(world, account, call)
    if (parts[2] === 'events')
      return method === 'POST' ? create(world, account, call) : filter(account, query)
  }
  if (parts[0] !== 'events') return refuse(404, 'ErrorItemNotFound')
  const stored = account.events.get(parts[1]!)
  if (!stored || stored.isDeleted) return refuse(404, 'ErrorItemNotFound')
  if (parts[2] === 'instances') return page(world, call, occurrencesOf(stored).filter(within(query)))
  switch (method) {
    case 'PATCH':
      return patch(account, stored, call)
    case 'DELETE':
      store(account, stored.data.id, stored.data, true)
      return { status: 204 }
    default:
      settleMeeting(account, stored)
      return { status: 200, json: projected(shown(account.events.get(parts[1]!)!), query) }
  }
}

/**
 * An event as its owner makes it; `start` and `end` are `YYYY-MM-DDTHH:MM:SS` in UTC. With `occurrences` it is a
 * series, each of them `{id, start, end}` and whatever it has different from the others.
 */
export function seedMicrosoft(account: Account, data: Json): string {
  const id = data.id ?? `AAMkSeeded${account.events.size}v${account.version}=`
  const type = data.occurrences ? 'seriesMaster' : 'singleInstance'
  store(account, id, { type, iCalUId: `040000008200E${id}`, showAs: 'busy', ...data, id })
  return id
}

function refuse(status: number, code: string): Reply {
  return { status, json: { error: { code, message: code } } }
}

function timed(data: Json): Json {
  const moment = (time: Json | string) => ({
    dateTime: `${(typeof time === 'string' ? time : time.dateTime).slice(0, 19)}.0000000`,
    timeZone: 'UTC',
  })
  return { ...data, start: moment(data.start), end: moment(data.end) }
}

function shown({ data: { occurrences: _, ...data }, version }: StoredEvent): Json {
  return { '@odata.etag': `W/"${version}"`, body: { contentType: 'text', content: '' }, ...timed(data) }
}

function occurrencesOf(stored: StoredEvent): Json[] {
  const { data } = stored
  if (!data.occurrences) return [shown(stored)]
  return data.occurrences.map((one: Json) =>
    shown({
      ...stored,
      data: { ...data, ...one, type: 'occurrence', seriesMasterId: data.id },
    }),
  )
}

function within(query: URLSearchParams): (event: Json) => boolean {
  const [from, until] = [Date.parse(query.get('startDateTime')!), Date.parse(query.get('endDateTime')!)]
  return ({ start, end }) => Date.parse(`${start.dateTime}Z`) < until && Date.parse(`${end.dateTime}Z`) > from
}

/** What `$select` and `$expand` leave of an event; extended properties come when they are expanded only. */
function projected(event: Json, query: URLSearchParams): Json {
  const names = query.get('$select')?.split(',') ?? Object.keys(event)
  const expanded = query.get('$expand')?.startsWith('singleValueExtendedProperties')
    ? ['singleValueExtendedProperties']
    : []
  const kept = names.filter((name) => name !== 'singleValueExtendedProperties')
  return pick(event, ['@odata.etag', ...kept, ...expanded])
}

function page(world: World, call: Call, events: readonly Json[], last: Json = {}): Reply {
  const { query, base, path, headers } = call
  const preferred = /odata\.maxpagesize=(\d+)/.exec(headers.prefer ?? '')?.[1]
  const asked = Number(query.get('$top') ?? preferred ?? 10)
  const from = Number(query.get('$skip') ?? 0)
  const until = from + Math.min(asked, world.settings.pageSize ?? 250)
  const next = new URLSearchParams(query)
  next.set('$skip', String(until))
  const value = events.slice(from, until).map((event) => projected(event, query))
  const isLast = until >= events.length
  return {
    status: 200,
    json: { value, ...(isLast ? last : { '@odata.nextLink': `${base}${path}?${next}` }) },
  }
}

function view(world: World, account: Account, call: Call): Reply {
  const events = [...account.events.values()].filter(({ isDeleted }) => !isDeleted).flatMap(occurrencesOf)
  return page(world, call, events.filter(within(call.query)))
}

/** Of an occurrence, a delta says its time and its series only; of deleted occurrences, nothing. */
function delta(world: World, account: Account, call: Call): Reply {
  const { query, base, path } = call
  if (['$select', '$expand', '$filter', '$orderby', '$search'].some((name) => query.has(name))) {
    return refuse(400, 'ErrorInvalidUrlQuery')
  }
  const [epoch, since, from, until] = query.get('$deltatoken')?.split('_') ?? [
    account.epoch,
    0,
    query.get('startDateTime')!,
    query.get('endDateTime')!,
  ]
  if (Number(epoch) !== account.epoch) return refuse(410, 'syncStateNotFound')
  const range = within(new URLSearchParams({ startDateTime: String(from), endDateTime: String(until) }))
  const changed = [...account.events.entries()].filter(([, { version }]) => version > Number(since))
  const items = changed.flatMap(([id, stored]): Json[] => {
    const inside = stored.isDeleted ? [] : occurrencesOf(stored).filter(range)
    if (inside.length === 0) return since === 0 ? [] : [{ id, '@removed': { reason: 'deleted' } }]
    if (!stored.data.occurrences) return inside.map(({ singleValueExtendedProperties: _, ...event }) => event)
    const names = ['@odata.etag', 'id', 'type', 'seriesMasterId', 'start', 'end']
    return [shown(stored), ...inside.map((one) => pick(one, names))]
  })
  const token = [account.epoch, account.version, from, until].join('_')
  const link = `${base}${path}?${new URLSearchParams({ $deltatoken: token })}`
  return page(world, call, items, { '@odata.deltaLink': link })
}

function create(world: World, account: Account, { body }: Call): Reply {
  const { transactionId, singleValueExtendedProperties = [], ...event } = JSON.parse(body) as Json
  if (event.attendees?.length > 0) account.mails.push(event)
  const same = [...account.events.values()].find(
    ({ data, isDeleted }) => transactionId && !isDeleted && data.transactionId === transactionId,
  )
  if (same) {
    return world.settings.duplicates === 'refuse'
      ? refuse(409, 'ErrorDuplicateTransactionId')
      : { status: 201, json: shown(same) }
  }
  const properties = singleValueExtendedProperties.map(({ id, value }: Json) => ({
    id: upperGuid(id),
    value,
  }))
  const data = { ...event, transactionId, singleValueExtendedProperties: properties }
  const id = seedMicrosoft(account, withMeeting(world, data))
  return { status: 201, json: withoutProperties(shown(account.events.get(id)!)) }
}

function withoutProperties({ singleValueExtendedProperties: _, ...event }: Json): Json {
  return event
}

function upperGuid(id: string): string {
  return id.replace(/\{[^}]*\}/, (guid) => guid.toUpperCase())
}

function withMeeting({ settings }: World, event: Json): Json {
  if (!event.isOnlineMeeting) return event
  const { meeting = 'ready' } = settings
  const joinUrl = `https://teams.microsoft.com/l/meetup-join/${event.transactionId}`
  return meeting === 'ready'
    ? { ...event, onlineMeeting: { joinUrl } }
    : { ...event, onlineMeeting: null, ...(meeting === 'pending' && { laterUrl: joinUrl }) }
}

function settleMeeting(account: Account, { data: { laterUrl, ...data } }: StoredEvent): void {
  if (laterUrl) store(account, data.id, { ...data, onlineMeeting: { joinUrl: laterUrl } })
}

function patch(account: Account, stored: StoredEvent, { headers, body }: Call): Reply {
  const expected = headers['if-match']
  if (expected !== undefined && expected !== `W/"${stored.version}"`) {
    return refuse(412, 'ErrorIrresolvableConflict')
  }
  const change = JSON.parse(body) as Json
  if (change.attendees?.length > 0) account.mails.push(change)
  // The text holds the meeting: who overwrites one loses the other.
  const lost = change.body && stored.data.onlineMeeting ? { isOnlineMeeting: false, onlineMeeting: null } : {}
  const saved = store(account, stored.data.id, { ...stored.data, ...change, ...lost })
  return { status: 200, json: withoutProperties(shown(saved)) }
}

function filter(account: Account, query: URLSearchParams): Reply {
  const asked = /ep\/id eq '([^']+)' and ep\/value eq '((?:[^']|'')*)'/.exec(query.get('$filter') ?? '')
  if (!asked) return refuse(400, 'ErrorInvalidUrlQueryFilter')
  const [id, value] = [asked[1]!.toLowerCase(), asked[2]!.replaceAll("''", "'")]
  const found = [...account.events.values()].filter(
    ({ data, isDeleted }) =>
      !isDeleted &&
      data.singleValueExtendedProperties?.some(
        (one: Json) => one.id.toLowerCase() === id && one.value === value,
      ),
  )
  return { status: 200, json: { value: found.map((stored) => projected(shown(stored), query)) } }
}
