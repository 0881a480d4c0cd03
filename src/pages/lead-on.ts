import type { InviteeBooking } from '../booking/bookings/get-for-invitee.ts'
import { redirectHostsOf, refuseRedirect } from '../platform/http/redirect-hosts.ts'
import type { Page } from './page.ts'

/**
 * Where somebody is sent who has just booked, with what that site may know: never a token, nor who booked. Null where
 * the event type leads nowhere, to a host that is no longer allowed, or the booking is not made yet.
 */
export function leadOn(
  { ctx, url }: Page,
  { booking, eventType, organization }: InviteeBooking,
): string | null {
  const { searchParams } = url
  const hasJustBooked = searchParams.has('booked') || searchParams.get('redirect_status') === 'succeeded'
  const isMade = booking.status === 'confirmed'
  if (!hasJustBooked || !isMade || eventType.redirectUrl === null) return null
  const hosts = redirectHostsOf(ctx.env, organization.redirectHosts)
  if (refuseRedirect(ctx.env, hosts, eventType.redirectUrl) !== null) return null
  const to = new URL(eventType.redirectUrl)
  to.searchParams.set('booking_id', booking.id)
  to.searchParams.set('event_type_id', booking.event_type_id)
  to.searchParams.set('status', booking.status)
  to.searchParams.set('start_time', booking.start_time)
  return to.href
}
