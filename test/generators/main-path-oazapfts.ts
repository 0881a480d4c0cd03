import { ok } from '@oazapfts/runtime'
import * as api from './made/oazapfts.ts'
import { baseUrl, key, walk } from './main-path.ts'

api.defaults.baseUrl = baseUrl
api.defaults.headers = { Authorization: `Bearer ${key}` }

await walk({
  createEventType: (body) => ok(api.createEventType(body)),
  putAvailabilityRules: (id, rules) => ok(api.putAvailabilityRules(id, { rules })),
  listOpenSlots: ({ event_type_id, start, end, timezone }) =>
    ok(api.listOpenSlots(event_type_id, start, end, timezone)),
  createBooking: (body) => ok(api.createBooking(body)),
  refuseBooking: async (body) => {
    const answer = await api.createBooking(body)
    if (answer.status !== 409) throw new Error(`${answer.status} instead of 409`)
    const { error } = answer.data
    return error.code === 'conflict' ? error.details?.alternatives?.length : null
  },
  cancelBooking: (id, token) => ok(api.cancelBooking(id, {}, { token })),
  listBookings: ({ status, event_type_id }) => ok(api.listBookings({ status, eventTypeId: event_type_id })),
})
