import type { Client } from 'openapi-fetch'
import type { components, paths } from '../../dist/typed-client/schema.ts'

type Schemas = components['schemas']
export type Api = Client<paths>
export type Event = Schemas['Event']
export type BookingError = NonNullable<Awaited<ReturnType<typeof bookSlot>>['error']>

const WEEK = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

export async function offer(organization: Api, slug: string): Promise<string> {
  const made = await organization.POST('/v1/event-types', {
    body: { title: 'Intro call', slug, duration_minutes: 30, booking_page_enabled: true },
  })
  if (!made.data) throw new Error(made.error.error.message)
  const { id } = made.data
  await organization.PUT('/v1/event-types/{id}/availability', {
    params: { path: { id } },
    body: { rules: WEEK },
  })
  return id
}

/** What the page is called, and which other pages there are. */
export async function look(invitee: Api, orgSlug: string, eventSlug: string) {
  const page = await invitee.GET('/v1/public/booking-page/{orgSlug}/{eventSlug}', {
    params: { path: { orgSlug, eventSlug } },
  })
  const listing = await invitee.GET('/v1/public/booking-page/{orgSlug}', { params: { path: { orgSlug } } })
  return {
    title: page.data?.available ? page.data.event_type.title : null,
    slugs: listing.data?.available ? listing.data.event_types.map((each) => each.slug) : [],
  }
}

export async function openStarts(invitee: Api, eventTypeId: string, date: string): Promise<string[]> {
  const { data } = await invitee.GET('/v1/availability', {
    params: { query: { event_type_id: eventTypeId, start: date, end: date, timezone: 'UTC' } },
  })
  return data?.slots.map((slot) => slot.start_time) ?? []
}

/** With the four fields that a booking needs, and nothing else. */
export function bookSlot(invitee: Api, event_type_id: string, start_time: string) {
  const body = { event_type_id, start_time, invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }
  return invitee.POST('/v1/bookings', { body })
}

/** As the invitee, with nothing but the booking's token. */
export async function moveAndCancel(invitee: Api, booking: Schemas['CreatedBooking'], start: string) {
  const params = { path: { id: booking.id }, query: { token: booking.cancel_token } }
  const moved = await invitee.POST('/v1/bookings/{id}/reschedule', {
    params,
    body: { new_start_time: start },
  })
  const cancelled = await invitee.POST('/v1/bookings/{id}/cancel', { params })
  return [moved.data?.status, cancelled.data?.status]
}

export function tellRefusal({ error }: BookingError): string {
  switch (error.code) {
    case 'validation_error':
      return Object.keys(error.details).join(', ')
    case 'conflict':
      return `try ${error.details?.alternatives?.[0] ?? 'another day'}`
    case 'no_host_available':
      return `${error.details.hosts_checked} hosts are busy at ${error.details.requested_time}`
    default:
      return error.message
  }
}

export function tellEvent(event: Event): string {
  switch (event.event) {
    case 'booking.rescheduled':
      return `${event.data.invitee_name} from ${event.previous.start_time} to ${event.data.start_time}`
    case 'waitlist.promoted':
    case 'waitlist.expired':
      return `${event.data.invitee_name} is ${event.data.status}`
    case 'calendar.disconnected':
    case 'calendar.restored':
      return `${event.data.name} is ${event.data.status}`
    case 'payment.refunded':
    case 'payment.disputed':
      return `${event.data.refunded_amount} of ${event.data.amount} went back, and it is ${event.data.status}`
    case 'series.created':
      return `${event.data.bookings.length} bookings of one series`
    case 'member.removed':
      return `${event.data.user_email} left ${event.unassigned.length} bookings`
    case 'import.finished':
      return `${event.data.made.bookings} bookings came from ${event.data.source}`
    default:
      return `${event.data.invitee_name} is ${event.data.status} for ${event.data.start_time}`
  }
}

/** All events so far, a page at a time. */
export async function readFeed(organization: Api): Promise<Event[]> {
  const events: Event[] = []
  for (let isMore = true; isMore; ) {
    const query = { after: events.at(-1)?.sequence ?? 0, limit: 2 }
    const { data } = await organization.GET('/v1/events', { params: { query } })
    events.push(...(data?.data ?? []))
    isMore = data?.has_more ?? false
  }
  return events
}
