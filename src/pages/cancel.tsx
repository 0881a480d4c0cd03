import { getBookingForInvitee } from '../booking/bookings/get-for-invitee.ts'
import { bookingRoutes } from '../booking/bookings/routes.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { ask } from './ask.ts'
import { bookingPage } from './manage.tsx'
import type { Page, Params } from './page.ts'
import { readForm } from './read-form.ts'
import { seeOther } from './respond.ts'
import { shownRefusal } from './show-refusal.ts'

/** Cancels with the token that the form carries; cancelling again shows the same end. */
export async function cancelPage(page: Page, { id = '' }: Params): Promise<Response> {
  const form = await readForm(page)
  const token = form.get('token') ?? ''
  const reason = (form.get('reason') ?? '').replace(/\r\n/g, '\n').trim()
  const found = await getBookingForInvitee(page.ctx, id, token)
  const { id: bookingId } = found.booking
  const asked = await ask(page.ctx, bookingRoutes.cancelBooking, {
    params: { id: bookingId },
    query: { token },
    body: reason === '' ? {} : { reason },
  })
  if (asked.ok) return seeOther(page, `/bookings/${bookingId}?token=${encodeURIComponent(token)}`)
  const told = shownRefusal(page, asked.refusal, { start: null, zone: 'UTC', name: '', email: '' })
  return bookingPage(page, found, token, told, reason, formStatus(asked.refusal))
}
