import { configureStore } from '@reduxjs/toolkit'
import { holdfast } from './made/rtk-query.ts'
import { alternativesOf, walk } from './main-path.ts'

const { endpoints, reducer, reducerPath, middleware } = holdfast
const store = configureStore({
  reducer: { [reducerPath]: reducer },
  middleware: (defaults) => defaults().concat(middleware),
})

await walk({
  createEventType: (createEventTypeInput) =>
    store.dispatch(endpoints.createEventType.initiate({ createEventTypeInput })).unwrap(),
  putAvailabilityRules: (id, rules) =>
    store.dispatch(endpoints.putAvailabilityRules.initiate({ id, putAvailabilityInput: { rules } })).unwrap(),
  listOpenSlots: ({ event_type_id, ...days }) =>
    store.dispatch(endpoints.listOpenSlots.initiate({ eventTypeId: event_type_id, ...days })).unwrap(),
  createBooking: (createBookingInput) =>
    store.dispatch(endpoints.createBooking.initiate({ createBookingInput })).unwrap(),
  refuseBooking: async (createBookingInput) => {
    const { error } = await store.dispatch(endpoints.createBooking.initiate({ createBookingInput }))
    return alternativesOf((error as { data: never }).data)
  },
  cancelBooking: (id, token) =>
    store.dispatch(endpoints.cancelBooking.initiate({ id, token, cancelBookingInput: {} })).unwrap(),
  listBookings: ({ status, event_type_id }) =>
    store.dispatch(endpoints.listBookings.initiate({ status, eventTypeId: event_type_id })).unwrap(),
})
