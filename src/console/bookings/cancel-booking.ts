import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { notifiesInvitee, notifyIn } from './notify-field.tsx'
import { bookingPage, loadBooking } from './show-booking.tsx'

export async function cancelFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const reason = orNull(request.form, 'reason')
  const asked = await ask(request, bookingRoutes.cancelBooking, {
    params: { id },
    body: { ...(reason !== null && { reason }), ...notifyIn(request) },
  })
  if (asked.ok)
    return seeOther(
      request.page,
      `/console/bookings/${id}?done=wasCancelled${notifiesInvitee(request) ? '' : 'Quietly'}`,
    )
  const booking = await loadBooking(request, id)
  const trouble = troubleOf(request.page.locale, asked.refusal)
  return bookingPage(request, booking, { cancel: trouble }, formStatus(asked.refusal))
}
