import { isMovableTo } from '../../booking/bookings/dragged/movable.ts'
import { restoreEvent } from '../../booking/bookings/dragged/restore-event.ts'
import { moveToEvent } from '../../pages/dragged.tsx'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { callerOf, sharedEnv } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

/** Moves the booking to its event, or the event back. */
export async function placeEventFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, form, member, now } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const booking = await loadBooking(request, id)
  const event = booking.out_of_sync
  if (event === null) return bookingPage(request, booking, {}, 409)
  const ctx = { ...page.ctx, env: sharedEnv(request), caller: callerOf(request), now, claim: null }
  if (form.get('answer') === 'restore') {
    await restoreEvent(ctx, booking)
    return seeOther(page, `/console/bookings/${id}?done=eventRestored`)
  }
  if (form.get('answer') !== 'move' || !isMovableTo(booking, event))
    return bookingPage(request, booking, {}, 422)
  const asked = await moveToEvent(ctx, booking, event)
  if (asked.ok) return seeOther(page, `/console/bookings/${id}?done=moved`)
  const trouble = troubleOf(page.locale, asked.refusal)
  return bookingPage(request, booking, { event: trouble }, formStatus(asked.refusal))
}
