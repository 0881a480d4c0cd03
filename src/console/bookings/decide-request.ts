import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

export async function approveFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const asked = await ask(request, bookingRoutes.approveBooking, { params: { id } })
  return decided(request, id, asked, 'approved')
}

export async function declineFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const body = { reason: orNull(request.form, 'decline_reason') }
  const asked = await ask(request, bookingRoutes.declineBooking, { params: { id }, body })
  return decided(request, id, asked, 'declined')
}

/** Back to where it was decided: the list, or the booking. */
async function decided(
  request: MemberRequest,
  id: string,
  asked: Acted<unknown>,
  done: 'approved' | 'declined',
): Promise<Response> {
  const { page, form } = request
  if (asked.ok) {
    const isFromList = form.get('from') === 'requests'
    return seeOther(page, `/console/bookings${isFromList ? '?view=requests&' : `/${id}?`}done=${done}`)
  }
  const trouble = troubleOf(page.locale, asked.refusal, {
    fields: { reason: 'decline_reason' },
  })
  return bookingPage(request, await loadBooking(request, id), { decide: trouble }, formStatus(asked.refusal))
}
