import { answerOf, ask, bodyOf } from '../ask.js'

/**
 * The plain service with PostgreSQL of the benchmarks. It has no call that makes event types: `--set event_types=id,id` names
 * half-hour ones that are open around the clock, and each storm takes the next.
 *
 * @type {import('../types.d.ts').Adapter}
 */
export default async function peer({ url, key, settings, restart }) {
  const headers = { authorization: `Bearer ${key}` }
  const ids = (settings.event_types ?? '').split(',').filter((id) => id !== '')
  return {
    name: 'Fastify with PostgreSQL',
    version: settings.version ?? '1',
    features: new Set(['open', 'cancel', 'retries', ...(restart ? /** @type {const} */ (['restart']) : [])]),
    makeHost() {
      throw new Error('its hosts are not made over HTTP')
    },
    async makeEventType(spec) {
      const id = ids.shift()
      if (id === undefined) throw new Error('name more event types in --set event_types')
      return { ...spec, id }
    },
    async open({ id }, from, to) {
      const [start, end] = [from, to - 1].map((at) => new Date(at).toISOString().slice(0, 10))
      const query = `event_type_id=${id}&start=${start}&end=${end}&timezone=UTC`
      const { slots } = bodyOf(await ask('GET', `${url}/v1/availability?${query}`), 'availability')
      return slots.map((/** @type {any} */ slot) => Date.parse(slot.start_time))
    },
    async book({ id }, start, { name, email, retryKey, signal }) {
      const start_time = new Date(start).toISOString()
      const body = { event_type_id: id, start_time, invitee_name: name, invitee_email: email }
      const more = retryKey === undefined ? {} : { 'idempotency-key': retryKey }
      const answer = await ask('POST', `${url}/v1/bookings`, {
        headers: { ...headers, ...more },
        body,
        signal,
      })
      return answerOf(answer, answer.body?.id)
    },
    cancel: async (id) =>
      answerOf(await ask('POST', `${url}/v1/bookings/${id}/cancel`, { headers, body: {} }), id),
    async list({ id }) {
      const answer = await ask('GET', `${url}/v1/bookings?event_type_id=${id}`, { headers })
      return bodyOf(answer, 'bookings').data.map((/** @type {any} */ booking) => ({
        id: booking.id,
        email: booking.invitee_email,
        start: Date.parse(booking.start_time),
        end: Date.parse(booking.end_time),
        host: null,
        isActive: booking.status === 'confirmed',
      }))
    },
    ...(restart && { restart }),
  }
}
