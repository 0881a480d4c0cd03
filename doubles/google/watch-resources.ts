import type { Call, Json, Reply } from '../world.ts'
import { findPlace } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { hash } from './make-ids.ts'
import { tellSync } from './notify-channels.ts'
import { readBody } from './read-body.ts'
import { invalid, notFound, refuse, required } from './refuse.ts'
import { channelFields, selectFields } from './select-fields.ts'
import type { Channel, State } from './state.ts'

/**
 * `POST …/events/watch` and `POST /users/me/calendarList/watch`:
 * developers.google.com/workspace/calendar/api/guides/push and …/v3/reference/events/watch.
 */
export function watch(state: State, caller: Caller, call: Call, asked: string | null): Reply {
  const body = readBody(call)
  const place = asked === null ? null : findPlace(state, caller.account, asked)
  if (asked !== null && !place) throw notFound()
  const kind = place?.calendar.kind
  if (kind === 'holidays' || kind === 'birthdays') {
    // KeepSoftwareSimple/compass-calendar#2111: what Google makes itself cannot be watched.
    const message = 'Push notifications are not supported by this resource.'
    throw refuse(400, 'pushNotSupportedForRequestedResource', message, { domain: 'calendar' })
  }
  checkChannel(state, body)
  const path = asked === null ? 'users/me/calendarList' : `calendars/${encodeURIComponent(asked)}/events`
  const about = place ? place.calendar.id : `list of ${caller.account.mail}`
  const channel: Channel = {
    id: body.id,
    // Of the resource, the same for every channel on it: KeepSoftwareSimple/compass-calendar#105.
    resourceId: hash(about).slice(0, 27),
    resourceUri: `https://www.googleapis.com/calendar/v3/${path}?alt=json`,
    calendarId: place?.calendar.id ?? null,
    mail: caller.account.mail,
    grant: caller.grant,
    address: body.address,
    token: body.token ?? null,
    expiresAt: expiryOf(body, call.now),
    stoppedAt: null,
    messages: 0,
    changes: 0,
  }
  state.channels.set(channel.id, channel)
  setTimeout(() => tellSync(state, channel), 20)
  return { status: 200, json: selectFields(showChannel(channel), call.query.get('fields'), channelFields) }
}

export function showChannel({ id, resourceId, resourceUri, token, expiresAt }: Channel): Json {
  return {
    kind: 'api#channel',
    id,
    resourceId,
    resourceUri,
    ...(token !== null && { token }),
    expiration: String(expiresAt),
  }
}

function checkChannel(state: State, { id, type, address, token }: Json): void {
  if (!id) throw required('Required: channel.id', 'channel.id')
  if (typeof id !== 'string' || !/^[A-Za-z0-9\-_+/=]{1,64}$/.test(id)) {
    throw invalid('Channel id must match the pattern [A-Za-z0-9\\-_\\+/=]+ and have at most 64 characters.')
  }
  if (type !== 'web_hook' && type !== 'webhook') {
    const message = `Channel type '${type}' is not supported.`
    throw refuse(400, 'push.channelTypeNotSupported', message, { domain: 'push' })
  }
  if (token != null && String(token).length > 256)
    throw invalid('Channel token is too long.', 'channel.token')
  if (!isAddress(address)) {
    const message = `WebHook callback must be HTTPS: ${address}`
    throw refuse(400, 'push.webhookUrlNotHttps', message)
  }
  // googleapis/google-api-nodejs-client#774: not even after the channel was stopped.
  if (state.channels.has(id)) throw refuse(400, 'channelIdNotUnique', `Channel id ${id} not unique`)
}

/** Google takes https alone. The double takes http to this machine as well, for there are no certificates on it. */
function isAddress(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

/** A week unless asked; `expiration` or `params.ttl`, the nearer one counts, and there is a most. */
function expiryOf({ expiration, params }: Json, now: number): number {
  const asked: number[] = []
  if (expiration != null) {
    if (!/^\d+$/.test(String(expiration)) || Number(expiration) <= now) {
      throw invalid('Invalid channel expiration.', 'channel.expiration')
    }
    asked.push(Number(expiration))
  }
  if (params?.ttl != null) {
    if (!/^\d+$/.test(String(params.ttl))) throw invalid('Invalid channel ttl.', 'channel.params.ttl')
    asked.push(now + Number(params.ttl) * 1000)
  }
  const wanted = asked.length ? Math.min(...asked) : now + 7 * 86_400_000
  return Math.floor(Math.min(wanted, now + 30 * 86_400_000) / 1000) * 1000
}

/**
 * `POST /channels/stop` with `id` and `resourceId`, by who opened it and through the same app:
 * developers.google.com/workspace/calendar/api/v3/reference/channels/stop, googleapis/google-api-nodejs-client#627.
 */
export function stopChannel(state: State, caller: Caller, call: Call): Reply {
  const { id, resourceId } = readBody(call)
  if (!id) throw required('Required: id', 'id')
  if (!resourceId) throw required('Required: resourceId', 'resourceId')
  const channel = state.channels.get(id)
  const isTheirs = channel?.mail === caller.account.mail && channel?.grant.clientId === caller.grant.clientId
  const isOver = !channel || channel.stoppedAt !== null || channel.expiresAt <= call.now
  if (!channel || !isTheirs || isOver || channel.resourceId !== resourceId) {
    const project = state.registration.projectNumber
    throw refuse(404, 'notFound', `Channel '${id}' not found for project '${project}'`)
  }
  channel.stoppedAt = call.now
  return { status: 204 }
}
