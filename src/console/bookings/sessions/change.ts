import { bookingRoutes } from '../../../booking/bookings/routes.ts'
import { sessionRoutes } from '../../../booking/sessions/routes.ts'
import type { Params } from '../../../pages/page.ts'
import { seeOther } from '../../../pages/respond.ts'
import { formStatus } from '../../../platform/http/form-status.ts'
import { bookingsTexts } from '../../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../../platform/i18n/console/catalogue.ts'
import { ask } from '../../ask.ts'
import { orNull } from '../../form.ts'
import type { MemberRequest } from '../../request.ts'
import { troubleOf } from '../../trouble.ts'
import { notifyIn } from '../notify-field.tsx'
import { overrideIn, startIn } from '../on-purpose.tsx'
import { loadSession, sessionPage } from './show.tsx'

export async function moveSessionFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const start = startIn(request)
  if (start === null) {
    const title = textsOf(page.locale, bookingsTexts).needTime
    return sessionPage(request, id, await loadSession(request, id), { move: { title } }, 422)
  }
  const reason = orNull(form, 'reason')
  const body = { new_start_time: start, reason, ...overrideIn(request), ...notifyIn(request) }
  const asked = await ask(request, sessionRoutes.rescheduleSession, { params: { id }, body })
  if (asked.ok) return seeOther(page, `/console/bookings/sessions/${id}?done=moved`)
  const trouble = troubleOf(page.locale, asked.refusal)
  return sessionPage(
    request,
    id,
    await loadSession(request, id),
    { move: trouble },
    formStatus(asked.refusal),
  )
}

export async function cancelSessionFromConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  const { form, page } = request
  const bookings = await loadSession(request, id)
  const body = { reason: orNull(form, 'reason') }
  const asked = await ask(request, sessionRoutes.cancelSession, { params: { id }, body })
  const type = bookings[0]!.event_type_id
  if (asked.ok) return seeOther(page, `/console/bookings/sessions?type=${type}&done=wasCancelled`)
  const trouble = troubleOf(page.locale, asked.refusal)
  return sessionPage(request, id, bookings, { cancel: trouble }, formStatus(asked.refusal))
}

/** Records attendance of each of its bookings: everybody who is not ticked came. */
export async function attendSessionFromConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  const { form, page } = request
  const bookings = await loadSession(request, id)
  const missing = new Set(form.all('no_show'))
  for (const { id: bookingId, attendees, host_absent } of bookings) {
    const no_shows = attendees.map((one) => one.id).filter((one) => missing.has(one))
    const asked = await ask(request, bookingRoutes.recordAttendance, {
      params: { id: bookingId },
      body: { no_shows, host_absent },
    })
    if (asked.ok) continue
    const trouble = troubleOf(page.locale, asked.refusal)
    return sessionPage(request, id, bookings, { attendance: trouble }, formStatus(asked.refusal))
  }
  return seeOther(page, `/console/bookings/sessions/${id}?done=attended`)
}
