import { client } from '../../dist/generators/hey-api/client.gen.ts'
import {
  cancelBooking,
  createBooking,
  createEventType,
  listBookings,
  listOpenSlots,
  putAvailabilityRules,
} from '../../dist/generators/hey-api/index.ts'

const {
  HOLDFAST_URL: baseUrl,
  HOLDFAST_KEY: auth,
  DAY: day,
  SLUG: slug,
} = process.env as Record<string, string>
client.setConfig({ baseUrl: baseUrl!, auth: auth! })

const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))
const { data: made } = await createEventType({ body: { title: 'Call', slug: slug!, duration_minutes: 30 } })
const id = made!.id
await putAvailabilityRules({ path: { id }, body: { rules } })
const query = { event_type_id: id, start: day!, end: day!, timezone: 'UTC' }
const { data: open } = await listOpenSlots({ query })
const body = {
  event_type_id: id,
  start_time: open!.slots[0]!.start_time,
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
}
const { data: booking } = await createBooking({ body })
const { error } = await createBooking({ body })
const refused = error?.error.code === 'conflict' ? error.error.details?.alternatives?.length : null
const { data: cancelled } = await cancelBooking({
  path: { id: booking!.id },
  query: { token: booking!.cancel_token },
})
const { data: page } = await listBookings({
  query: { status: ['cancelled', 'confirmed'], event_type_id: [id] },
})
console.log(JSON.stringify([booking!.status, refused, cancelled!.status, page!.data.length]))
