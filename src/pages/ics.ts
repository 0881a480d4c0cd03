import { calendarFile } from '../booking/bookings/calendar-file.ts'
import { getBookingForInvitee } from '../booking/bookings/get-for-invitee.ts'
import { manageUrl } from '../booking/bookings/invitee-token.ts'
import { notFound } from '../platform/http/errors.ts'
import type { Page, Params } from './page.ts'
import { plain } from './respond.ts'

/** The booking as a file for the invitee's calendar. */
export async function calendarDownload(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const { booking, addressVersion, revision, updatedAt, eventType, organization } =
    await getBookingForInvitee(page.ctx, id, token)
  // Unpaid bookings do not belong in a calendar.
  if (booking.status === 'pending_payment' || booking.status === 'pending_approval')
    throw notFound('calendar file')
  const method = booking.status === 'cancelled' ? 'CANCEL' : 'PUBLISH'
  const text = calendarFile(page.ctx.env, method, {
    booking,
    revision,
    title: eventType.title,
    withWhom: organization.name,
    organizationName: organization.name,
    locale: page.locale,
    link: {
      label: page.locale.texts.manageBooking,
      url: await manageUrl(page.ctx.env, { id: booking.id, addressVersion }),
    },
    happenedAt: updatedAt,
  })
  const headers = { 'Content-Disposition': 'attachment; filename="booking.ics"' }
  return plain(page, 'text/calendar', text, { isPrivate: true, headers })
}
