import { answerOf, ask, bodyOf } from '../ask.js'

const VERSIONS = {
  schedules: '2024-06-11',
  'event-types': '2024-06-14',
  slots: '2024-09-04',
  bookings: '2024-08-13',
}
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const PAGE = 100

/**
 * Cal.com by its API v2 with an API key of one user (docs/api-reference/v2): each part of the API has a version of its own in
 * `cal-api-version`. Event types belong to that user, who is the host of all of them, so two event types share a host.
 *
 * @type {import('../types.d.ts').Adapter}
 */
export default async function calCom({ url, key, settings, restart }) {
  /** @param {string} method @param {keyof typeof VERSIONS} part @param {string} path @param {{ body?: unknown, signal?: AbortSignal | undefined }} [options] */
  const call = (method, part, path, options) => {
    const headers = { authorization: `Bearer ${key}`, 'cal-api-version': VERSIONS[part] }
    return ask(method, `${url}/v2/${part}${path}`, { headers, ...options })
  }
  let made = 0
  const unique = () => `race-${Date.now().toString(36)}-${++made}`
  const schedule = {
    name: unique(),
    timeZone: 'UTC',
    isDefault: false,
    availability: [{ days: DAYS, startTime: '00:00', endTime: '23:59' }],
  }
  const { data: hours } = bodyOf(await call('POST', 'schedules', '', { body: schedule }), 'schedule')
  const owner = 'the user of the key'

  return {
    name: 'Cal.com',
    version: settings.version ?? 'API v2',
    features: new Set([
      'open',
      'lengths',
      'hosts',
      'seats',
      'caps',
      'approval',
      'cancel',
      ...(restart ? /** @type {const} */ (['restart']) : []),
    ]),
    makeHost: async () => owner,
    async makeEventType(spec) {
      const { minutes, lengths, seats = 1, capPerDay, approval } = spec
      const body = {
        title: 'Race',
        slug: unique(),
        lengthInMinutes: minutes,
        scheduleId: hours.id,
        minimumBookingNotice: 0,
        ...(lengths && { lengthInMinutesOptions: lengths, slotInterval: Math.min(...lengths) }),
        ...(seats > 1 && {
          seats: { seatsPerTimeSlot: seats, showAttendeeInfo: true, showAvailabilityCount: true },
        }),
        ...(capPerDay !== undefined && { bookingLimitsCount: { day: capPerDay } }),
        ...(approval && { confirmationPolicy: { type: 'always', blockUnconfirmedBookingsInBooker: false } }),
      }
      const { data } = bodyOf(await call('POST', 'event-types', '', { body }), 'event type')
      return { ...spec, id: String(data.id) }
    },
    async open({ id }, from, to) {
      const [start, end] = [from, to - 1].map((at) => new Date(at).toISOString())
      const path = `?eventTypeId=${id}&start=${start}&end=${end}&timeZone=UTC`
      const { data } = bodyOf(await call('GET', 'slots', path), 'slots')
      return Object.values(data).flatMap((day) =>
        day.map((/** @type {any} */ slot) => Date.parse(slot.start)),
      )
    },
    async book({ id }, start, { name, email, minutes, signal }) {
      const body = {
        eventTypeId: Number(id),
        start: new Date(start).toISOString(),
        attendee: { name, email, timeZone: 'UTC', language: 'en' },
        ...(minutes !== undefined && { lengthInMinutes: minutes }),
      }
      const answer = await call('POST', 'bookings', '', { body, signal })
      return answerOf(answer, answer.body?.data?.uid)
    },
    approve: async (id) => answerOf(await call('POST', 'bookings', `/${id}/confirm`, { body: {} }), id),
    async cancel(id) {
      const body = { cancellationReason: 'Race' }
      return answerOf(await call('POST', 'bookings', `/${id}/cancel`, { body }), id)
    },
    async list({ id }) {
      const all = []
      for (let skip = 0; ; skip += PAGE) {
        const path = `?eventTypeId=${id}&take=${PAGE}&skip=${skip}`
        const { data, pagination } = bodyOf(await call('GET', 'bookings', path), 'bookings')
        all.push(...data)
        if (!pagination?.hasNextPage) break
      }
      return all.map((booking) => ({
        id: booking.uid,
        email: booking.attendees?.[0]?.email ?? '',
        start: Date.parse(booking.start),
        end: Date.parse(booking.end),
        host: owner,
        isActive: booking.status === 'accepted' || booking.status === 'pending',
      }))
    },
    ...(restart && { restart }),
  }
}
