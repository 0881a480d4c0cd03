import { setConfig } from '@kubb/plugin-client/clients/fetch'
import * as api from './made/kubb/client.ts'
import { alternativesOf, baseUrl, key, walk } from './main-path.ts'

setConfig({
  baseURL: baseUrl,
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
})

await walk({
  createEventType: (body) => api.createEventType(body),
  putAvailabilityRules: (id, rules) => api.putAvailabilityRules(id, { rules }),
  listOpenSlots: (query) => api.listOpenSlots(query),
  createBooking: (body) => api.createBooking(body),
  // Its client returns refusals as it returns results.
  refuseBooking: async (body) => alternativesOf((await api.createBooking(body)) as never),
  cancelBooking: (id, token) => api.cancelBooking(id, {}, { token }),
  listBookings: (query) => api.listBookings(query),
})
