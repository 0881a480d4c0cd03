import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

/** Shows the link on the page that was asked for it, and never in an address. */
export async function linkFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const [asked, booking] = await Promise.all([
    ask(request, bookingRoutes.getManageLink, { params: { id } }),
    loadBooking(request, id),
  ])
  if (asked.ok) return bookingPage(request, { ...booking, link: asked.body.url }, {}, 200)
  const trouble = troubleOf(request.page.locale, asked.refusal)
  return bookingPage(request, booking, { emails: trouble }, formStatus(asked.refusal))
}

export async function resendFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const asked = await ask(request, bookingRoutes.resendEmails, {
    params: { id },
    body: { to: isChecked(request.form, 'everybody') ? 'everybody' : 'invitee' },
  })
  if (asked.ok) return seeOther(request.page, `/console/bookings/${id}?done=resent`)
  const trouble = troubleOf(request.page.locale, asked.refusal)
  return bookingPage(request, await loadBooking(request, id), { emails: trouble }, formStatus(asked.refusal))
}
