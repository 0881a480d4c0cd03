import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

/** Records attendance: everybody who is not ticked came. */
export async function attendFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const asked = await ask(request, bookingRoutes.recordAttendance, {
    params: { id },
    body: { no_shows: form.all('no_show'), host_absent: isChecked(form, 'host_absent') },
  })
  const back = form.get('from') === 'overview' ? '/console/overview' : `/console/bookings/${id}`
  if (asked.ok) return seeOther(page, `${back}?done=attended`)
  const trouble = troubleOf(page.locale, asked.refusal)
  return bookingPage(
    request,
    await loadBooking(request, id),
    { attendance: trouble },
    formStatus(asked.refusal),
  )
}
