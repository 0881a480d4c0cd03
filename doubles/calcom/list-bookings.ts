import type { Call, Json, Reply } from '../world.ts'
import { refuse } from './refuse.ts'
import { showBooking, showOldBooking } from './show-bookings.ts'
import { type Cal, listed, type Stored } from './state.ts'
import { pagination, partOf } from './turn-pages.ts'

const OVER = ['cancelled', 'rejected']

/** A booking can have several: unconfirmed ones are upcoming, so are those of series. */
const STATUSES: Readonly<Record<string, (one: Stored, now: number) => boolean>> = {
  upcoming: (one, now) => Date.parse(one.end) >= now && !OVER.includes(one.status),
  recurring: (one, now) =>
    Date.parse(one.end) >= now && one.recurringBookingUid !== undefined && !OVER.includes(one.status),
  past: (one, now) => Date.parse(one.end) <= now && !OVER.includes(one.status),
  cancelled: (one) => OVER.includes(one.status),
  unconfirmed: (one, now) => Date.parse(one.end) >= now && one.status === 'pending',
}

const SORTS = { sortStart: 'start', sortEnd: 'end', sortCreated: 'createdAt', sortUpdatedAt: 'updatedAt' }

/** cal.com/docs/api-reference/v2/bookings/get-all-bookings; also those where the caller is only an attendee. */
export function listBookings(cal: Cal, call: Call, user: Stored): Reply {
  const isMine = (one: Stored) =>
    one._hostId === user.id || one.attendees.some(({ email }: Json) => email === user.email)
  return pageOf(cal, call, isMine)
}

/** cal.com/docs/api-reference/v2/teams-bookings: those of the event types of the team, with any host. */
export function listTeamBookings(cal: Cal, call: Call, teamId: number): Reply {
  return pageOf(cal, call, (one) => cal.records.event_types.get(one.eventTypeId)?.teamId === teamId)
}

function pageOf(cal: Cal, call: Call, isIn: (one: Stored) => boolean): Reply {
  const { query, now } = call
  const statuses = query.get('status')?.split(',') ?? []
  if (statuses.some((status) => !Object.hasOwn(STATUSES, status.trim())))
    return refuse(call, 400, 'Invalid status. Allowed are upcoming, recurring, past, cancelled, unconfirmed')
  const part = partOf(call, 100)
  if ('refusal' in part) return part.refusal
  const dates = ['afterStart', 'beforeEnd', 'afterCreatedAt', 'beforeCreatedAt', 'afterUpdatedAt'] as const
  const wrong = dates.find((name) => query.has(name) && Number.isNaN(Date.parse(query.get(name)!)))
  if (wrong) return refuse(call, 400, `${wrong} must be a valid ISO 8601 date.`)
  const isWithin = (name: string, at: string, sign: 1 | -1) =>
    !query.has(name) || sign * (Date.parse(at) - Date.parse(query.get(name)!)) >= 0
  const ids = (query.get('eventTypeIds') ?? query.get('eventTypeId'))?.split(',').map(Number)
  const all = listed(cal, 'bookings')
    .filter(isIn)
    .filter((one) => statuses.length === 0 || statuses.some((status) => STATUSES[status.trim()]!(one, now)))
    .filter((one) => isWithin('afterStart', one.start, 1) && isWithin('beforeEnd', one.end, -1))
    .filter(
      (one) => isWithin('afterCreatedAt', one.createdAt, 1) && isWithin('beforeCreatedAt', one.createdAt, -1),
    )
    .filter((one) => isWithin('afterUpdatedAt', one.updatedAt ?? one.createdAt, 1))
    .filter((one) => ids === undefined || ids.includes(one.eventTypeId))
    .filter((one) => isOf(one, query.get('attendeeEmail')))
  for (const [name, field] of Object.entries(SORTS)) {
    const direction = query.get(name)
    if (direction !== null)
      all.sort((a, b) => (direction === 'desc' ? -1 : 1) * (a[field] < b[field] ? -1 : 1))
  }
  const data = all.slice(part.skip, part.skip + part.take).map((one) => showBooking(cal, one))
  return {
    status: 200,
    json: { status: 'success', data, pagination: pagination(all.length, data.length, part.take, part.skip) },
  }
}

const isOf = (one: Stored, email: string | null): boolean =>
  email === null || one.attendees.some((attendee: Json) => attendee.email === email)

/** Without the header: another form, and ten of them. */
export function listOldBookings(cal: Cal, user: Stored): Reply {
  const all = listed(cal, 'bookings').filter(({ _hostId }) => _hostId === user.id)
  const bookings = all.slice(0, 10).map(showOldBooking)
  const nextCursor = all.length > 10 ? 10 : null
  return { status: 200, json: { status: 'success', data: { bookings, recurringInfo: [], nextCursor } } }
}
