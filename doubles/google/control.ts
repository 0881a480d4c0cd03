import { DONE, NO_CONTROL, put, wrong } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { accountOf, addCalendar, calendarOf } from './accounts.ts'
import { controlEvents } from './control-events.ts'
import { endGrant } from './end-grants.ts'
import { changeEntry } from './list-calendars.ts'
import { isZone } from './local-time.ts'
import { makeConference } from './make-conferences.ts'
import type { Account, State } from './state.ts'
import { storeEvent } from './store-event.ts'
import { showChannel } from './watch-resources.ts'

/** What a test does as the owner of an account, as Google or as who registered the app. */
export function control(state: State, call: Call): Reply {
  const account = accountOf(state, (call.query.get('as') ?? 'owner@example.com').toLowerCase())
  const [, first = '', id = '', third = ''] = call.path.split('/').map(decodeURIComponent)
  const body: Json = call.body ? JSON.parse(call.body) : {}
  if (first === 'events') return controlEvents(state, account, call, body, id, third)
  switch (`${call.method} ${[first, id && '*', third].filter(Boolean).join('/')}`) {
    case 'GET ':
      return { status: 200, json: look(state, account) }
    case 'PUT ':
      return setWorld(state, account, body)
    case 'PUT registration':
      return put(state.registration, body)
    case 'POST calendars':
      return makeCalendar(state, account, body)
    case 'DELETE calendars/*':
    case 'POST calendars/*/restore':
      return changeCalendar(state, account, call.method, id)
    case 'POST end':
      return endGrants(state, account, body.how)
    case 'POST expire':
      for (const token of state.tokens.values()) {
        if (token.grant.mail === account.mail) token.expiresAt = call.now
      }
      return DONE
    case 'POST forget':
      state.cursors.clear()
      state.pages.clear()
      state.forgotten++
      return DONE
    default:
      return NO_CONTROL
  }
}

function look(state: State, account: Account): Json {
  const calendars = account.entries.map((entry) => ({
    entry,
    calendar: calendarOf(state, account.mail, entry.calendarId)!,
  }))
  const events = calendars.flatMap(({ calendar }) =>
    [...calendar.events.values()].map(({ fields, hasMovedAway, isPurged }) => ({
      ...fields,
      calendar: calendar.id,
      deleted: fields.status === 'cancelled' || isPurged,
      has_moved_away: hasMovedAway,
    })),
  )
  const now = state.frame.now()
  return {
    mails: account.mails,
    meetings: events.flatMap(({ id, conferenceData }: Json) =>
      conferenceData ? [{ event_id: id, ...conferenceData }] : [],
    ),
    events,
    calendars: calendars.map(({ entry, calendar }) => ({
      id: calendar.id,
      name: calendar.summary,
      timeZone: calendar.timeZone,
      kind: calendar.kind,
      accessRole: entry.accessRole,
      hidden: entry.isHidden,
      selected: entry.isSelected,
      gone: calendar.isGone,
    })),
    channels: [...state.channels.values()]
      .filter(({ mail }) => mail === account.mail)
      .map((channel) => ({
        ...showChannel(channel),
        address: channel.address,
        calendar: channel.calendarId,
        messages: channel.messages,
        stopped: channel.stoppedAt !== null,
        live: channel.stoppedAt === null && channel.expiresAt > now && channel.grant.ended === null,
      })),
    grants: state.grants
      .filter(({ mail }) => mail === account.mail)
      .map(({ id, scopes, refreshToken, ended, madeAt, endsAt }) => ({
        id,
        scopes,
        has_refresh_token: refreshToken !== null,
        ended: ended ?? (endsAt !== null && endsAt <= now ? 'expired' : null),
        made_at: madeAt,
      })),
  }
}

function setWorld(state: State, account: Account, body: Json): Reply {
  if (body.timeZone !== undefined) {
    if (!isZone(body.timeZone)) return wrong('There is no such time zone.')
    for (const { calendarId } of account.entries) {
      calendarOf(state, account.mail, calendarId)!.timeZone = body.timeZone
    }
  }
  if (body.meeting === 'ready' || body.meeting === 'failed') settleConferences(state, body.meeting)
  return put(state.settings, body)
}

/** What was pending comes to its end, which changes the event. */
function settleConferences(state: State, outcome: 'ready' | 'failed'): void {
  for (const calendar of state.calendars.values()) {
    for (const { fields } of calendar.events.values()) {
      const request = fields.conferenceData?.createRequest
      if (request?.status?.statusCode !== 'pending') continue
      storeEvent(state, calendar, { ...fields, ...makeConference(request.requestId, outcome) })
    }
  }
}

/** `{name, canWrite?, accessRole?, kind?, hidden?, selected?, timeZone?, owner?}` → `{id}`. */
function makeCalendar(state: State, account: Account, body: Json): Reply {
  if (!body.name) return wrong('A calendar has a name.')
  const calendar = addCalendar(state, account, {
    name: body.name,
    kind: body.kind ?? 'secondary',
    accessRole: body.accessRole ?? (body.canWrite === false || body.kind === 'holidays' ? 'reader' : 'owner'),
    isHidden: body.hidden ?? false,
    isSelected: body.selected ?? true,
    ...(body.timeZone && { timeZone: body.timeZone }),
    ...(body.owner && { owner: body.owner }),
  })
  const entry = account.entries.at(-1)!
  changeEntry(state, account, entry, {})
  return { status: 201, json: { id: calendar.id } }
}

/** A calendar goes away or comes back, which ends its sync tokens: …/guides/sync#full_sync_required_by_server. */
function changeCalendar(state: State, account: Account, method: string, id: string): Reply {
  const wanted = id === 'primary' ? account.mail : id
  const entry = account.entries.find(({ calendarId }) => calendarId === wanted)
  const calendar = calendarOf(state, account.mail, wanted)
  if (!entry || !calendar) return { status: 404, json: { error: 'There is no such calendar.' } }
  calendar.isGone = method === 'DELETE'
  calendar.epoch++
  changeEntry(state, account, entry, { isDeleted: method === 'DELETE' })
  return DONE
}

function endGrants(state: State, account: Account, how: string): Reply {
  if (how !== 'revoked' && how !== 'expired' && how !== 'removed' && how !== 'reauth') {
    return wrong('A grant ends as revoked, expired, removed or reauth.')
  }
  for (const grant of state.grants) if (grant.mail === account.mail) endGrant(grant, how)
  if (how === 'removed') account.isRemoved = true
  return DONE
}
