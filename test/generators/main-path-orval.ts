import {
  cancelBooking,
  createBooking,
  createEventType,
  listBookings,
  listOpenSlots,
  putAvailabilityRules,
} from '../../dist/generators/orval/holdfast.ts'

const { HOLDFAST_KEY: key, DAY: day, SLUG: slug } = process.env as Record<string, string>
const own = { headers: { Authorization: `Bearer ${key}` } }

function must<T extends { status: number }, S extends T['status']>(answer: T, status: S) {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`)
  return answer as Extract<T, { status: S }>
}

const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))
const made = must(await createEventType({ title: 'Call', slug: slug!, duration_minutes: 30 }, own), 201)
const { id } = made.data
must(await putAvailabilityRules(id, { rules }, own), 200)
const query = { event_type_id: id, start: day!, end: day!, timezone: 'UTC' }
const open = must(await listOpenSlots(query), 200).data
const body = {
  event_type_id: id,
  start_time: open.slots[0]!.start_time,
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
}
const booking = must(await createBooking(body), 201).data
const { error } = must(await createBooking(body), 409).data
const refused = error.code === 'conflict' ? error.details?.alternatives?.length : null
const cancelled = must(await cancelBooking(booking.id, {}, { token: booking.cancel_token }), 200).data
const page = must(
  await listBookings({ status: ['cancelled', 'confirmed'], event_type_id: [id] }, own),
  200,
).data
console.log(JSON.stringify([booking.status, refused, cancelled.status, page.data.length]))
