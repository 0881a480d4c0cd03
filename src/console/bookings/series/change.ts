import { seriesRoutes } from '../../../booking/series/routes.ts'
import type { Params } from '../../../pages/page.ts'
import { seeOther } from '../../../pages/respond.ts'
import type { Acted } from '../../../platform/http/act-as.ts'
import { formStatus } from '../../../platform/http/form-status.ts'
import { ask } from '../../ask.ts'
import { orNull } from '../../form.ts'
import type { MemberRequest } from '../../request.ts'
import { troubleOf } from '../../trouble.ts'
import { notifyIn } from '../notify-field.tsx'
import { loadSeries, seriesPage } from './show.tsx'

/** Cancels its bookings from one on. */
export async function cancelSeriesFromConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  const { form, page } = request
  const from = orNull(form, 'from')
  const body = { ...(from !== null && { from }), reason: orNull(form, 'reason'), ...notifyIn(request) }
  const asked = await ask(request, seriesRoutes.cancelSeries, { params: { id }, body })
  if (asked.ok) return seeOther(page, `/console/bookings/series/${id}?done=wasCancelled`)
  const cancel = troubleOf(page.locale, asked.refusal)
  return seriesPage(request, await loadSeries(request, id), { cancel }, formStatus(asked.refusal))
}

export async function approveSeriesFromConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  return decided(request, id, await ask(request, seriesRoutes.approveSeries, { params: { id } }), 'approved')
}

export async function declineSeriesFromConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  const body = { reason: orNull(request.form, 'decline_reason') }
  const asked = await ask(request, seriesRoutes.declineSeries, { params: { id }, body })
  return decided(request, id, asked, 'declined')
}

async function decided(
  request: MemberRequest,
  id: string,
  asked: Acted<unknown>,
  done: 'approved' | 'declined',
): Promise<Response> {
  if (asked.ok) return seeOther(request.page, `/console/bookings/series/${id}?done=${done}`)
  const decide = troubleOf(request.page.locale, asked.refusal)
  return seriesPage(request, await loadSeries(request, id), { decide }, formStatus(asked.refusal))
}
