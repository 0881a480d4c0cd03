import { randomUUID } from 'node:crypto'
import { answerOf, ask, bodyOf } from '../ask.js'

/**
 * The scheduler of `holdfast-race/naive`, which looks first and writes afterwards.
 *
 * @type {import('../types.d.ts').Adapter}
 */
export default async function naive({ url }) {
  const post = (
    /** @type {string} */ path,
    /** @type {unknown} */ body,
    /** @type {AbortSignal | undefined} */ signal,
  ) => ask('POST', `${url}${path}`, { body, signal })
  return {
    name: 'Naive',
    version: '1',
    features: new Set(['open', 'lengths', 'hosts', 'seats', 'caps', 'cancel', 'move']),
    makeHost: async () => randomUUID(),
    async makeEventType(spec) {
      const { minutes, hosts, seats, capPerDay } = spec
      const body = { minutes, seats, ...(hosts?.[0] && { host: hosts[0] }), cap_per_day: capPerDay }
      return { ...spec, id: bodyOf(await post('/event-types', body, undefined), 'event type').id }
    },
    async open({ id }, from, to) {
      const answer = await ask('GET', `${url}/open?event_type_id=${id}&from=${from}&to=${to}`)
      return bodyOf(answer, 'open starts').starts
    },
    async book({ id }, start, { email, minutes, signal }) {
      const answer = await post('/bookings', { event_type_id: id, start, minutes, email }, signal)
      return answerOf(answer, answer.body?.id)
    },
    cancel: async (id) => answerOf(await post('/cancel', { id }, undefined), id),
    move: async (id, start) => answerOf(await post('/move', { id, start }, undefined), id),
    async list({ id }) {
      const { bookings } = bodyOf(await ask('GET', `${url}/bookings?event_type_id=${id}`), 'bookings')
      return bookings.map((/** @type {any} */ { cancelled, ...booking }) => ({
        ...booking,
        isActive: !cancelled,
      }))
    },
  }
}
