import { Holdfast } from './made/swagger-typescript-api/holdfast.ts'
import { baseUrl, key, walk } from './main-path.ts'

const { v1 } = new Holdfast({
  baseUrl,
  baseApiParams: { headers: { Authorization: `Bearer ${key}` } },
})

await walk({
  createEventType: async (body) => (await v1.createEventType(body)).data,
  putAvailabilityRules: (id, rules) => v1.putAvailabilityRules(id, { rules }),
  listOpenSlots: async (query) => (await v1.listOpenSlots(query)).data,
  createBooking: async (body) => (await v1.createBooking(body)).data,
  refuseBooking: async (body) => {
    const { error } = await v1.createBooking(body).catch((refused) => refused as Awaited<typeof refused>)
    return error.error.code === 'conflict' ? error.error.details?.alternatives?.length : null
  },
  cancelBooking: async (id, token) => (await v1.cancelBooking(id, { token })).data,
  listBookings: async (query) => (await v1.listBookings(query)).data,
})
