import type { components, operations, paths, webhooks } from '../../dist/typed-client/schema.ts'
import type { Api, BookingError, Event } from './main-path.ts'

type Schemas = components['schemas']

/** True where the two types are one and the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function is<_ extends true>(): void {}

type WebhookBody<K extends keyof webhooks> = webhooks[K]['post']['requestBody']['content']['application/json']

/** Never runs: the compiler has to find every mistake here, and nothing but them. */
export async function mistakes(api: Api, refusal: BookingError, event: Event): Promise<void> {
  // @ts-expect-error an invitee has an email
  await api.POST('/v1/bookings', { body: { event_type_id: '', start_time: '', invitee_name: '' } })
  // @ts-expect-error there is no such path
  await api.GET('/v1/bookingz')
  // @ts-expect-error an id is needed
  await api.GET('/v1/bookings/{id}', {})
  // @ts-expect-error there is no such status
  await api.GET('/v1/bookings', { params: { query: { status: 'done' } } })
  const orgId = ''
  // @ts-expect-error nobody is invited as the owner
  const body: Schemas['CreateInvitationInput'] = { email: '', role: 'owner' }
  await api.POST('/v1/organizations/{orgId}/invitations', { params: { path: { orgId } }, body })

  const { error } = refusal
  // @ts-expect-error not every refusal has alternatives
  error.details?.alternatives
  // @ts-expect-error no such refusal
  if (error.code === 'no_such_code') return
  // @ts-expect-error what a validation error tells is sentences
  if (error.code === 'validation_error') error.details.title satisfies number
  // @ts-expect-error a full line is no reason not to book
  if (error.code === 'conflict') error.details?.code satisfies 'no_such_reason' | undefined

  // @ts-expect-error only a rescheduled booking was somewhere before
  event.previous
  // @ts-expect-error only a booking has a host
  event.data.assigned_host
  // @ts-expect-error no such kind
  if (event.event === 'booking.exploded') return

  const { data: page } = await api.GET('/v1/public/booking-page/{orgSlug}', {
    params: { path: { orgSlug: '' } },
  })
  // @ts-expect-error an unavailable page lists nothing
  page?.event_types
}

type Meeting = 'video_a' | 'calendar_a_meet' | 'calendar_b_meet' | 'custom' | 'in_person'
type Status = 'pending_payment' | 'pending_approval' | 'confirmed' | 'rescheduled' | 'cancelled'
type Tier = 'free' | 'starter' | 'grow' | 'scale'

/** Fields with few values are unions of them. */
export function unions(): void {
  is<Same<Schemas['Booking']['status'], Status>>()
  is<Same<Schemas['EventType']['booking_cap_period'], 'daily' | 'weekly' | 'monthly' | 'total' | null>>()
  is<Same<Schemas['ListedEventType']['conferencing_provider'], Meeting | null>>()
  is<Same<Schemas['Usage']['tier'], Tier>>()
  is<Same<Schemas['Subscription']['tier'], Tier>>()
  is<Same<Schemas['Member']['role'], 'owner' | 'admin' | 'member' | 'viewer'>>()
  is<Same<Schemas['WaitlistEntry']['status'], 'waiting' | 'promoted' | 'expired' | 'cancelled'>>()
  is<Same<Schemas['CalendarConnection']['provider'], 'caldav' | 'calendar_a' | 'calendar_b' | 'ics'>>()
  is<Same<Schemas['ListingPage']['available'], boolean>>()
}

/** What webhooks bring, by kind. */
export function payloads(): void {
  is<Same<WebhookBody<'booking.created'>['event'], 'booking.created'>>()
  is<Same<WebhookBody<'booking.created'>['data'], Schemas['Booking']>>()
  is<Same<WebhookBody<'waitlist.expired'>['data'], Schemas['WaitlistEntry']>>()
  is<Same<WebhookBody<'webhook.verification'>['type'], 'webhook.verification'>>()
  is<Same<Exclude<keyof webhooks, 'webhook.verification'>, Event['event']>>()
}

/** What is not needed can be left out, and what is told is there. */
export function parameters(): void {
  type CancelQuery = operations['cancelBooking']['parameters']['query']
  is<Same<keyof NonNullable<CancelQuery>, 'token' | 'dry_run'>>()
  is<Same<NonNullable<CancelQuery>['token'], string | undefined>>()
  is<Same<NonNullable<operations['listBookings']['parameters']['query']>['limit'], number | undefined>>()
  type Success = operations['createBooking']['responses'][201]
  is<Same<Success['headers']['X-RateLimit-Remaining'], number>>()
  type Braked = paths['/v1/bookings']['post']['responses'][429]['content']['application/json']
  is<Same<Braked['retry_after'], number>>()
}
