import { type Call, call, type Json } from './app.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from './factories.ts'

export const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS
/** A Monday or any other day: the event types are open around the clock. */
export const FIRST = dayFromNow(7) + 36_000_000

/** The starts of a series a week apart. */
export function weeks(count: number, first = FIRST): string[] {
  return Array.from({ length: count }, (_, at) => iso(first + at * WEEK_MS))
}

/** An organization with an event type that takes series, and what its callers do. */
export async function seriesWorld(input: Json = {}, mode: 'live' | 'test' = 'test') {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail })
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const settings = { reminder_intervals: [60], series_max: 52, ...input }
  const { id } = await createEventType(key, settings)
  const email = `${unique('ada')}@example.com`
  const invitee = { event_type_id: id, invitee_name: 'Ada Lovelace', invitee_email: email }
  const create = (body: Json, asked: Call = { key }, query = '') =>
    call('POST', `/v1/series${query}`, { ...asked, body: { ...invitee, ...body } })
  const weekly = (count: number, body: Json = {}, asked: Call = { key }, query = '') =>
    create({ start_time: iso(FIRST), count, ...body }, asked, query)
  const book = (start: number, body: Json = {}) =>
    call('POST', '/v1/bookings', {
      key,
      body: {
        ...invitee,
        invitee_email: `${unique('grace')}@example.com`,
        start_time: iso(start),
        ...body,
      },
    })
  const read = (seriesId: string) => call('GET', `/v1/series/${seriesId}`, { key })
  const cancel = (seriesId: string, body: Json = {}, asked: Call = { key }, query = '') =>
    call('POST', `/v1/series/${seriesId}/cancel${query}`, { ...asked, body })
  const booked = async () => (await call('GET', '/v1/bookings?limit=100', { key })).body.data as any[]
  const events = async () => (await call('GET', '/v1/events?limit=100', { key })).body.data as any[]
  return { organization, ownerEmail, key, id, email, create, weekly, book, read, cancel, booked, events }
}

/** When the bookings of an answer start. */
export function startsIn(body: { bookings: { start_time: string }[] }): string[] {
  return body.bookings.map(({ start_time }) => start_time)
}
