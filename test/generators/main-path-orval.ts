import * as api from './made/orval/holdfast.ts'
import { key, walk } from './main-path.ts'

const own = { headers: { Authorization: `Bearer ${key}` } }

function must<T extends { status: number }, S extends T['status']>(answer: T, status: S) {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`)
  return answer as Extract<T, { status: S }>
}

await walk({
  createEventType: async (body) => must(await api.createEventType(body, own), 201).data,
  putAvailabilityRules: async (id, rules) => must(await api.putAvailabilityRules(id, { rules }, own), 200),
  listOpenSlots: async (query) => must(await api.listOpenSlots(query), 200).data,
  createBooking: async (body) => must(await api.createBooking(body), 201).data,
  refuseBooking: async (body) => {
    const { error } = must(await api.createBooking(body), 409).data
    return error.code === 'conflict' ? error.details?.alternatives?.length : null
  },
  cancelBooking: async (id, token) => must(await api.cancelBooking(id, {}, { token }), 200).data,
  listBookings: async (query) => must(await api.listBookings(query, own), 200).data,
})
