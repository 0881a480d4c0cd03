import type { Call, Json, Reply } from '../world.ts'
import { refuse } from './refuse.ts'
import { type Cal, listed, type Stored, shown } from './state.ts'

const success = (data: unknown): Reply => ({ status: 200, json: { status: 'success', data } })

/** Those of the caller, without the team's and without fields that are hidden: calcom/cal.diy#13137. Not in pages. */
export function listEventTypes(cal: Cal, call: Call, user: Stored): Reply {
  const mine = listed(cal, 'event_types').filter((one) => one.ownerId === user.id)
  if (mine.length === 0 && cal.settings.noEventTypes === 'is refused')
    return refuse(call, 404, 'Event types not found')
  return success(inOrder(call, mine).map((one) => showMine(one, ({ hidden }) => hidden !== true)))
}

export function getEventType(cal: Cal, call: Call, user: Stored, id: string): Reply {
  const one = cal.records.event_types.get(Number(id))
  if (one?.ownerId !== user.id) return refuse(call, 404, `Event type with id ${id} not found`)
  return success(showMine(one, () => true))
}

/** Everybody may read these; the copies of managed ones name what they are of here alone. */
export function listTeamEventTypes(cal: Cal, call: Call, teamId: number): Reply {
  const all = listed(cal, 'event_types').filter((one) => one.teamId === teamId)
  return success(inOrder(call, all).map(shown))
}

function inOrder({ query }: Call, all: Stored[]): Stored[] {
  const sign = query.get('sortCreatedAt') === 'desc' ? -1 : 1
  return query.has('sortCreatedAt') ? all.sort((a, b) => sign * (a.id - b.id)) : all
}

function showMine(one: Stored, isKept: (field: Json) => boolean): Json {
  const {
    teamId: _,
    team: __,
    hosts: ___,
    schedulingType: ____,
    parentEventTypeId: _____,
    ...rest
  } = shown(one)
  return { ...rest, bookingFields: (one.bookingFields as Json[]).filter(isKept) }
}

/** The form of 2024-04-15: calcom/cal.diy#14192. */
export function listOldEventTypes(cal: Cal, user: Stored): Reply {
  const mine = listed(cal, 'event_types').filter((one) => one.ownerId === user.id)
  const eventTypes = mine.map((one) => ({
    id: one.id,
    teamId: null,
    schedulingType: null,
    userId: user.id,
    metadata: null,
    description: one.description,
    hidden: one.hidden,
    slug: one.slug,
    length: one.lengthInMinutes,
    title: one.title,
    requiresConfirmation: !one.confirmationPolicy.disabled,
    minimumBookingNotice: one.minimumBookingNotice,
  }))
  const profile = { slug: user.username, name: user.name, image: user.avatarUrl }
  const group = { teamId: null, bookerUrl: 'https://cal.com', membershipRole: null, profile, eventTypes }
  return success({ eventTypeGroups: [group], profiles: [profile] })
}
