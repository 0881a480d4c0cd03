import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { toldTrouble } from '../trouble.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

export async function cancelFromConsole(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  const reason = orNull(visit.form, 'reason')
  const asked = await ask(visit, bookingRoutes, 'cancelBooking', {
    params: { id },
    body: reason === null ? {} : { reason },
  })
  if (asked.ok) return seeOther(visit.page, `/console/bookings/${id}?done=wasCancelled`)
  const booking = await loadBooking(visit, id)
  const trouble = toldTrouble(visit.page.locale, asked.refusal)
  return bookingPage(visit, booking, { cancel: trouble }, formStatus(asked.refusal))
}
