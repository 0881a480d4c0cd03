import { client } from './made/hey-api/client.gen.ts'
import * as api from './made/hey-api/index.ts'
import { baseUrl, key, walk } from './main-path.ts'

client.setConfig({ baseUrl, auth: key })

await walk({
  createEventType: async (body) => (await api.createEventType({ body })).data!,
  putAvailabilityRules: (id, rules) => api.putAvailabilityRules({ path: { id }, body: { rules } }),
  listOpenSlots: async (query) => (await api.listOpenSlots({ query })).data!,
  createBooking: async (body) => (await api.createBooking({ body })).data!,
  refuseBooking: async (body) => {
    const { error } = await api.createBooking({ body })
    return error?.error.code === 'conflict' ? error.error.details?.alternatives?.length : null
  },
  cancelBooking: async (id, token) => (await api.cancelBooking({ path: { id }, query: { token } })).data!,
  listBookings: async (query) => (await api.listBookings({ query })).data!,
})
