import { type SCREENS, STORED } from './screens.ts'
import { ask, studio } from './stage.ts'

const DAY_MS = 86_400_000
/** A Monday that no other walk books, at eight in UTC. */
const MONDAY = (() => {
  const day = (Math.floor(Date.now() / DAY_MS) + 35) * DAY_MS
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS + 9 * 3_600_000
})()
const iso = (days: number) => new Date(MONDAY + days * DAY_MS).toISOString()

/** Stores one of everything that has a screen of its own; answers with their screens. */
export async function storedScreens(): Promise<typeof SCREENS> {
  const live = (method: string, path: string, body: unknown = null) => ask(method, path, body, 'live')
  const create = (path: string, body: unknown) => live('POST', path, body)
  const course = await studio.offer({
    ...{ title: 'Course', slug: 'course', duration_minutes: 60, series_max: 3 },
    assignment_strategy: 'round_robin',
  })
  const circle = await studio.offer({
    ...{ title: 'Circle', slug: 'circle', duration_minutes: 60, max_attendees: 2, waitlist_enabled: true },
  })
  const [member] = await studio.host(course.id, ['Rosa Parks', 'Ida Rhodes'])
  const of = (event_type_id: string, days: number, name = 'Grace Hopper') => ({
    ...{ event_type_id, start_time: iso(days), invitee_name: name, invitee_email: 'hopper@example.com' },
  })
  const booking = await create('/v1/bookings', of(course.id, 0))
  const series = await create('/v1/series', { ...of(course.id, 1), count: 3 })
  const seat = await create('/v1/bookings', {
    ...of(circle.id, 2),
    attendees: [{ name: 'Joan Clarke', email: 'joan@example.com' }],
  })
  const entry = await create('/v1/waitlist', { ...of(circle.id, 2), invitee_email: 'clarke@example.com' })
  const hold = await create('/v1/holds', { event_type_id: course.id, start_time: iso(3) })
  const room = await create('/v1/resources', { name: 'Room' })
  const hours = await create('/v1/schedules', { name: 'Mornings', rules: [] })
  const off = await create('/v1/time-off', { member_ids: [member], start: '2090-12-24', end: '2090-12-26' })
  const ids: Readonly<Record<keyof typeof STORED, string>> = {
    booking: booking.id,
    'booking-edit': booking.id,
    'booking-move': booking.id,
    'booking-hand-over': booking.id,
    series: series.id,
    session: seat.session_id,
    'waitlist-entry': entry.id,
    hold: hold.id,
    room: room.id,
    schedule: hours.id,
    'time-off': off.data[0].id,
    member: member!,
  }
  const stored = Object.entries(ids).map(
    ([name, id]) => [name, STORED[name as keyof typeof STORED].replace(':id', id)] as const,
  )
  return [...stored, ['client', '/console/clients/one?contact=hopper@example.com']]
}
