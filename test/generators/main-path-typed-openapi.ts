import { createApiClient } from './made/typed-openapi.ts'
import { alternativesOf, baseUrl, key, walk } from './main-path.ts'

const api = createApiClient(
  {
    fetch: ({ method, url, urlSearchParams, parameters }) => {
      if (urlSearchParams) url.search = String(urlSearchParams)
      return fetch(url, {
        method: method.toUpperCase(),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(parameters?.body !== undefined && { body: JSON.stringify(parameters.body) }),
      })
    },
  },
  baseUrl,
)

// A group of parameters must be given, even if each of them is optional.
const header = {}

await walk({
  createEventType: (body) => api.post('/v1/event-types', { header, body }),
  putAvailabilityRules: (id, rules) =>
    api.put('/v1/event-types/{id}/availability', { path: { id }, header, body: { rules } }),
  listOpenSlots: (query) => api.get('/v1/availability', { query, header }),
  createBooking: (body) => api.post('/v1/bookings', { query: {}, header, body }),
  refuseBooking: async (body) => {
    const answer = await api.post('/v1/bookings', { query: {}, header, body, withResponse: true })
    if (answer.status !== 409) throw new Error(`${answer.status} instead of 409`)
    return alternativesOf(answer.data)
  },
  cancelBooking: (id, token) =>
    api.post('/v1/bookings/{id}/cancel', { path: { id }, query: { token }, header, body: {} }),
  listBookings: (query) => api.get('/v1/bookings', { query, header }),
})
