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

const ended: Reply = {
  status: 400,
  json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
}

export const googleManners: OAuthManners = {
  authorizePath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  revokePath: '/revoke',
  authentication: 'post',
  refreshTokens: 'kept',
  isOffline: (request) => request.get('access_type') === 'offline' && request.get('prompt') === 'consent',
  endings: { revoked: ended, expired: ended },
}

/** Google Calendar, REST v3: https://developers.google.com/workspace/calendar/api/v3/reference */
export function answerGoogle(world: World, account: Account, call: Call): Reply {
  const { method, path } = call
  if (path === '/calendars/primary' && method === 'GET') {
    return { status: 200, json: { id: account.email, timeZone: world.settings.timeZone ?? 'Europe/Berlin' } }
  }
  const [, calendars, calendarId, events, id] = path.split('/').map(decodeURIComponent)
  const isKnown = calendars === 'calendars' && [account.email, 'primary'].includes(calendarId!)
  if (!isKnown || events !== 'events') return refuse(404, 'notFound')
  if (id === undefined) return method === 'POST' ? insert(world, account, call) : list(world, account, call)
  const stored = account.events.get(id)
  if (!stored) return refuse(404, 'notFound')
  switch (method) {
    case 'PATCH':
      return patch(world, account, stored, call)
    case 'DELETE':
      if (stored.isDeleted) return refuse(410, 'deleted')
      if (call.query.get('sendUpdates') !== 'none') account.mails.push({ cancelled: id })
      store(account, id, { ...stored.data, status: 'cancelled' }, true)
      return { status: 204 }
    default:
      settleMeeting(account, stored)
      return { status: 200, json: shown(account.events.get(id)!) }
  }
}

/** An event as its owner makes it; `id` is made up where there is none. */
export function seedGoogle(account: Account, data: Json): string {
  const id = data.id ?? `seeded${account.events.size}v${account.version}`
  store(account, id, { status: 'confirmed', sequence: 0, iCalUID: `${id}@google.com`, ...data, id })
  return id
}

function shown({ data, version }: StoredEvent): Json {
  return { kind: 'calendar#event', etag: `"${version}"`, ...data }
}

function refuse(code: number, reason: string, headers = {}): Reply {
  return { status: code, headers, json: { error: { code, message: reason, errors: [{ reason }] } } }
}

const NOT_WITH_SYNC_TOKEN = ['iCalUID', 'orderBy', 'q', 'timeMin', 'timeMax', 'updatedMin']

function list(world: World, account: Account, { query }: Call): Reply {
  if (query.get('singleEvents') !== 'true') return refuse(400, 'this double knows single events only')
  const syncToken = query.get('syncToken')
  if (syncToken !== null && NOT_WITH_SYNC_TOKEN.some((name) => query.has(name))) {
    return refuse(400, 'syncTokenWithRequestRestrictions')
  }
  const [epoch, since, timeMin, timeMax] = syncToken?.split('_') ?? [
    account.epoch,
    0,
    Date.parse(query.get('timeMin')!),
    Date.parse(query.get('timeMax')!),
  ]
  if (Number(epoch) !== account.epoch) return refuse(410, 'fullSyncRequired')
  const matching = [...account.events.values()].filter(
    (stored) =>
      stored.version > Number(since) &&
      (syncToken === null || isTold(stored, Number(timeMin))) &&
      (syncToken !== null || (!stored.isDeleted && touches(stored.data, Number(timeMin), Number(timeMax)))),
  )
  const { pageSize = 250 } = world.settings
  const from = Number(query.get('pageToken') ?? 0)
  const until = from + Math.min(pageSize, Number(query.get('maxResults') ?? 250))
  const names = /items\((.*)\)$/.exec(query.get('fields') ?? '')?.[1]?.replace(/\([^()]*\)|\/\w+/g, '')
  const items = matching
    .slice(from, until)
    .map((stored) => withFewAttendees(shown(stored), Number(query.get('maxAttendees') ?? 1e9)))
    .map((item) => (names ? pick(item, names.replace(/\([^()]*\)/g, '').split(',')) : item))
  const isLast = until >= matching.length
  return {
    status: 200,
    json: {
      timeZone: world.settings.timeZone ?? 'Europe/Berlin',
      items,
      ...(isLast
        ? { nextSyncToken: [account.epoch, account.version, timeMin, timeMax].join('_') }
        : { nextPageToken: String(until) }),
    },
  }
}

/** Of a series that is gone, only the occurrences of half a year are told. */
function isTold({ data, isDeleted }: StoredEvent, from: number): boolean {
  return !isDeleted || !data.recurringEventId || touches(data, from, from + 180 * 86_400_000)
}

function withFewAttendees(event: Json, most: number): Json {
  if ((event.attendees?.length ?? 0) <= most) return event
  return { ...event, attendees: event.attendees.filter(({ self }: Json) => self), attendeesOmitted: true }
}

function touches({ start, end }: Json, from: number, until: number): boolean {
  const at = (moment: Json) => Date.parse(moment.dateTime ?? moment.date)
  return at(start) < until && at(end) > from
}

function insert(world: World, account: Account, { query, body }: Call): Reply {
  const event = JSON.parse(body) as Json
  if (!/^[a-v0-9]{5,1024}$/.test(event.id ?? 'made0')) return refuse(400, 'invalid')
  if (event.id !== undefined && event.iCalUID !== undefined) return refuse(400, 'invalid')
  if (account.events.has(event.id)) return refuse(409, 'duplicate')
  if (!event.start?.dateTime || !event.end?.dateTime) return refuse(400, 'required')
  noteMails(account, query, event)
  const id = seedGoogle(account, withMeeting(world, query, event))
  return { status: 200, json: shown(account.events.get(id)!) }
}

function patch(world: World, account: Account, stored: StoredEvent, call: Call): Reply {
  const { headers, query, body } = call
  const expected = headers['if-match']
  if (expected !== undefined && expected !== `"${stored.version}"`) return refuse(412, 'conditionNotMet')
  const change = JSON.parse(body) as Json
  const { sequence } = stored.data
  if (change.sequence !== undefined && change.sequence < sequence) return refuse(400, 'invalid')
  noteMails(account, query, change)
  const data: Json = { ...stored.data, sequence: sequence + 1, ...withMeeting(world, query, change) }
  const saved = store(account, data.id, data, data.status === 'cancelled')
  return { status: 200, json: shown(saved) }
}

function noteMails(account: Account, query: URLSearchParams, event: Json): void {
  if (query.get('sendUpdates') !== 'none' || event.attendees?.length > 0) account.mails.push(event)
}

function withMeeting({ settings }: World, query: URLSearchParams, event: Json): Json {
  const { conferenceData, ...rest } = event
  if (conferenceData === undefined || query.get('conferenceDataVersion') !== '1') return rest
  const { requestId } = conferenceData.createRequest
  const { meeting = 'ready' } = settings
  if (meeting === 'ready') return { ...rest, ...meetingOf(requestId) }
  const statusCode = meeting === 'pending' ? 'pending' : 'failure'
  return { ...rest, conferenceData: { createRequest: { requestId, status: { statusCode } } } }
}

function meetingOf(requestId: string): Json {
  const uri = `https://meet.google.com/${requestId.slice(0, 12)}`
  return {
    hangoutLink: uri,
    conferenceData: {
      createRequest: { requestId, status: { statusCode: 'success' } },
      entryPoints: [{ entryPointType: 'video', uri }],
    },
  }
}

function settleMeeting(account: Account, { data }: StoredEvent): void {
  const request = data.conferenceData?.createRequest
  if (request?.status.statusCode === 'pending') {
    store(account, data.id, { ...data, ...meetingOf(request.requestId) })
  }
}
