import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { toldTrouble } from '../trouble.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

/** Says who came: whoever is not ticked did. */
export async function attendFromConsole(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = visit
  const asked = await ask(visit, bookingRoutes, 'recordAttendance', {
    params: { id },
    body: { no_shows: form.all('no_show'), host_absent: isChecked(form, 'host_absent') },
  })
  if (asked.ok) return seeOther(page, `/console/bookings/${id}?done=attended`)
  const trouble = toldTrouble(page.locale, asked.refusal)
  return bookingPage(visit, await loadBooking(visit, id), { attendance: trouble }, formStatus(asked.refusal))
}
