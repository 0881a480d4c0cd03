import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { typedFields } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { HostField, loadHosts } from './host-field.tsx'
import { Jump } from './jump.tsx'
import { NotifyField, notifiesInvitee, notifyIn } from './notify-field.tsx'
import { OnPurposeFields, overrideIn, startIn } from './on-purpose.tsx'
import { loadWeek, OpenTimes } from './open-times.tsx'

/** Another time for a booking. The address names what is booked, so that both are asked for at the same time. */
export async function showMove(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { searchParams } = request.page.url
  const eventTypeId = searchParams.get('type')
  const duration = Number(searchParams.get('duration'))
  if (eventTypeId === null || !Number.isSafeInteger(duration) || duration < 1) {
    const { event_type_id, start_time, end_time } = await need(request, bookingRoutes.getBooking, {
      params: { id },
    })
    const minutes = Math.round((Date.parse(end_time) - Date.parse(start_time)) / MINUTE_MS)
    return seeOther(request.page, `/console/bookings/${id}/move?type=${event_type_id}&duration=${minutes}`)
  }
  return movePage(
    request,
    id,
    { eventTypeId, duration, memberId: searchParams.get('member') || null },
    NO_TROUBLE,
    200,
  )
}

type What = {
  readonly eventTypeId: string
  readonly duration: number
  /** The chosen host; null keeps it as it is, if that is possible. */
  readonly memberId: string | null
}

async function movePage(
  request: MemberRequest,
  id: string,
  what: What,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const [booking, found, hosts] = await Promise.all([
    need(request, bookingRoutes.getBooking, { params: { id } }),
    loadWeek(request, { ...what, moved: id }),
    loadHosts(request, what.eventTypeId),
  ])
  const slots = found.slots.filter((one) => one.start_time !== booking.start_time)
  // What comes next may be its own time, which is taken for everybody else.
  const week = slots.length > 0 ? { ...found, slots } : { ...(await loadWeek(request, what)), slots }
  const time = ownSpanText(locale, Date.parse(booking.start_time), Date.parse(booking.end_time), zone)
  const own = `/console/bookings/${booking.id}` as const
  const hidden = { type: what.eventTypeId, duration: String(what.duration) }
  const chosen = what.memberId === null ? {} : { member: what.memberId }
  const query = new URLSearchParams({ ...hidden, ...chosen })
  const field = typedFields(request, trouble)
  return shell({
    request,
    title: texts.moveTitle,
    lead: fill(texts.moveLead, { time }),
    back: { to: own, text: booking.invitee_name },
    status,
    children: (
      <>
        <Jump request={request} action={`${own}/move`} hidden={hidden} first={week.first}>
          {booking.assigned_host && (
            <HostField request={request} name="member" value={what.memberId} hosts={hosts} />
          )}
        </Jump>
        <Form
          request={request}
          action={`${own}/move`}
          hidden={{ ...hidden, ...chosen }}
          trouble={trouble}
          class="panel"
        >
          <OpenTimes request={request} week={week} linkTo={(first) => `${own}/move?${query}&from=${first}`} />
          <OnPurposeFields request={request} trouble={trouble} hasTime />
          {field.text('reason', texts.reasonLabel, { hint: texts.reasonHint, isOptional: true })}
          <NotifyField request={request} isSent={trouble !== NO_TROUBLE} />
          <FormEnd request={request} text={texts.moveTo} />
        </Form>
      </>
    ),
  })
}

export async function moveFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const texts = textsOf(page.locale, bookingsTexts)
  const memberId = orNull(form, 'member')
  const what = { eventTypeId: form.get('type') ?? '', duration: Number(form.get('duration')), memberId }
  const start = startIn(request)
  if (!start) return movePage(request, id, what, { title: texts.needTime }, 422)
  const asked = await ask(request, bookingRoutes.rescheduleBooking, {
    params: { id },
    body: {
      new_start_time: start,
      ...(memberId !== null && { member_id: memberId }),
      reason: orNull(form, 'reason'),
      ...overrideIn(request),
      ...notifyIn(request),
    },
  })
  if (asked.ok)
    return seeOther(page, `/console/bookings/${id}?done=moved${notifiesInvitee(request) ? '' : 'Quietly'}`)
  return movePage(request, id, what, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
