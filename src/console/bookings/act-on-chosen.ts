import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { bookingListTexts } from '../../platform/i18n/console/booking-lists.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { type Trouble, troubleOf } from '../trouble.ts'
import { ACTS, type Act, DONE } from './chosen-form.tsx'
import { bookingList } from './list.tsx'
import { notifyIn } from './notify-field.tsx'

/** What is refused stays as it was, and is named with its reason. */
export async function actOnChosen(request: MemberRequest): Promise<Response> {
  const { page, form } = request
  const texts = textsOf(page.locale, bookingListTexts)
  const act = ACTS.find((one) => one === form.get('act')) ?? 'cancel'
  const ids = [...new Set(form.all('booking'))]
  const list = new URLSearchParams(form.get('list'))
  if (ids.length === 0) return shownAgain(request, list, { title: texts.nothingChosen })
  const refused: string[] = []
  for (const id of ids) {
    const refusal = await actOn(request, act, id)
    if (refusal) refused.push(refusal)
  }
  const done = ids.length - refused.length
  if (refused.length === 0) {
    list.delete('after')
    list.set('done', DONE[act])
    list.set('n', String(done))
    return seeOther(page, `/console/bookings?${list}`)
  }
  const title = [
    ...(done > 0 ? [pluralText(page.locale, texts[DONE[act]], done)] : []),
    pluralText(page.locale, texts.refused, refused.length),
    ...new Set(refused),
  ].join(' ')
  return shownAgain(request, list, { title })
}

async function actOn(request: MemberRequest, act: Act, id: string): Promise<string | null> {
  const params = { id }
  const reason = orNull(request.form, 'reason')
  const body = { ...(reason !== null && { reason }), ...notifyIn(request) }
  const asked =
    act === 'approve'
      ? await ask(request, bookingRoutes.approveBooking, { params })
      : await ask(request, bookingRoutes.cancelBooking, { params, body })
  return asked.ok ? null : (troubleOf(request.page.locale, asked.refusal).title ?? null)
}

/** The list that the form was sent from, as it is now. */
function shownAgain(request: MemberRequest, list: URLSearchParams, trouble: Trouble): Promise<Response> {
  const url = new URL(`/console/bookings?${list}`, request.page.url)
  return bookingList({ ...request, page: { ...request.page, url } }, trouble, 422)
}
