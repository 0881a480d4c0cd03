import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownSpanText } from '../../platform/i18n/format.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { typedFields } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { NotifyField, notifiesInvitee, notifyIn } from './notify-field.tsx'
import { OnPurposeFields, overrideIn } from './on-purpose.tsx'

/** Another host for a booking. The address names its event type, so that both are read at the same time. */
export async function showHandOver(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'book')) return forbiddenPage(request)
  const type = request.page.url.searchParams.get('type')
  if (type !== null) return handOverPage(request, id, type, NO_TROUBLE, 200)
  const { event_type_id } = await need(request, bookingRoutes.getBooking, { params: { id } })
  return seeOther(request.page, `/console/bookings/${id}/hand-over?type=${event_type_id}`)
}

async function handOverPage(
  request: MemberRequest,
  id: string,
  type: string,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingChangeTexts)
  const { reasonLabel } = textsOf(locale, bookingsTexts)
  const params = { id: type }
  const [booking, eventType, hosts, members] = await Promise.all([
    need(request, bookingRoutes.getBooking, { params: { id } }),
    need(request, eventTypeRoutes.getEventType, { params }),
    need(request, hostRoutes.listHosts, { params }),
    loadMembers(request),
  ])
  const isCollective = eventType.assignment_strategy === 'none'
  const takesPart = (memberId: string) => booking.hosts.some(({ member_id }) => member_id === memberId)
  const canChange = hosts.data.filter(({ part }) => isCollective || part === 'pool')
  const options = canChange.map(({ member_id: value, member_email: email }) => {
    const member = members.find((one) => one.id === value)
    return { value, text: member ? nameOf(member) : email }
  })
  const givers = options.filter(({ value }) => takesPart(value))
  const takers = options.filter(({ value }) => !takesPart(value))
  const isOfSeveral = !booking.needs_host && (isCollective || booking.hosts.length > 1)
  const field = typedFields(request, trouble)
  const time = ownSpanText(locale, Date.parse(booking.start_time), Date.parse(booking.end_time), zone)
  return shell({
    request,
    title: texts.handOverTitle,
    lead: `${booking.event_type.title} · ${time}`,
    back: { to: `/console/bookings/${id}`, text: booking.invitee_name },
    status,
    children: (
      <Form
        request={request}
        action={`/console/bookings/${id}/hand-over`}
        hidden={{ type }}
        trouble={trouble}
        class="panel"
      >
        <p class="soft">{booking.session_id === null ? texts.handOverText : texts.handOverSession}</p>
        {isOfSeveral &&
          field.select('from', texts.handOverFrom, [{ value: '', text: texts.choose }, ...givers])}
        {field.select('to', texts.handOverTo, [{ value: '', text: texts.anybodyFree }, ...takers], {
          isOptional: true,
        })}
        {field.text('reason', reasonLabel, { isOptional: true })}
        <OnPurposeFields request={request} trouble={trouble} />
        <NotifyField request={request} isSent={trouble !== NO_TROUBLE} />
        <FormEnd request={request} text={texts.handOver} />
      </Form>
    ),
  })
}

export async function handOverFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const type = form.get('type') ?? ''
  if (form.has('from') && !form.get('from')) {
    const { needFrom } = textsOf(page.locale, bookingChangeTexts)
    return handOverPage(request, id, type, { title: needFrom, fields: { from: needFrom } }, 422)
  }
  const asked = await ask(request, bookingRoutes.reassignBooking, {
    params: { id },
    body: {
      member_id: orNull(form, 'to'),
      from_member_id: orNull(form, 'from'),
      reason: orNull(form, 'reason'),
      ...overrideIn(request),
      ...notifyIn(request),
    },
  })
  if (asked.ok) {
    const done = notifiesInvitee(request) ? 'handedOver' : 'handedOverQuietly'
    return seeOther(page, `/console/bookings/${id}?done=${done}`)
  }
  const trouble = troubleOf(page.locale, asked.refusal, {
    fields: { member_id: 'to', from_member_id: 'from' },
    at: { not_a_host: 'to', no_other_host: 'to', needs_from_member: 'from', not_its_host: 'from' },
  })
  return handOverPage(request, id, type, trouble, formStatus(asked.refusal))
}
