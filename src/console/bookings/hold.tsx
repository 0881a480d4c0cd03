import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { holdRoutes } from '../../booking/holds/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownSpanText, timeText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { InviteeFields, inviteeTrouble, NOTHING_ASKED, readInvitee, withoutEmail } from './invitee-fields.tsx'

/** What is needed to confirm the hold: it is returned to its creator, and stored nowhere. */
type Held = { readonly id: string; readonly type: string; readonly token: string }

export function holdAt({ id, type, token }: Held): `/console/bookings/holds/${string}` {
  return `/console/bookings/holds/${id}?${new URLSearchParams({ type, token })}`
}

export async function showHold(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { searchParams } = request.page.url
  const [type, token] = [searchParams.get('type') ?? '', searchParams.get('token') ?? '']
  return holdPage(request, { id, type, token }, NO_TROUBLE, 200)
}

async function holdPage(
  request: MemberRequest,
  held: Held,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page, zone, member, now } = request
  const { locale } = page
  const texts = textsOf(locale, bookingFormTexts)
  const { book, title } = textsOf(locale, bookingsTexts)
  const [hold, eventType] = await Promise.all([
    need(request, holdRoutes.getHold, { params: { id: held.id } }),
    loadEventType(request, held.type),
  ])
  const [start, end] = [Date.parse(hold.start_time), Date.parse(hold.end_time)]
  const time = ownSpanText(locale, start, end, zone)
  const isOver = Date.parse(hold.expires_at) <= now
  const mayBook = isRolePermitted(member.role, 'book')
  const isBookable = hold.status === 'held' || hold.status === 'expired'
  const told = {
    held: fill(texts.heldUntil, { time: timeText(locale, Date.parse(hold.expires_at), zone) }),
    expired: texts.holdOver,
    released: texts.holdReleased,
    confirmed: texts.holdConfirmed,
  }[hold.status]
  return shell({
    request,
    title: texts.holdTitle,
    lead: eventType ? fill(texts.holdLead, { title: eventType.title, time }) : time,
    back: { to: '/console/bookings', text: title },
    status,
    children: (
      <>
        <p class="band test-band" role="status">
          {told} {hold.booking_id && <a href={`/console/bookings/${hold.booking_id}`}>{texts.openBooking}</a>}
        </p>
        {mayBook && isBookable && held.token === '' && <p class="soft">{texts.holdNoToken}</p>}
        {mayBook && isBookable && held.token !== '' && (
          <Form
            request={request}
            action={`/console/bookings/holds/${hold.id}/confirm`}
            hidden={{ token: held.token, type: held.type }}
            trouble={trouble}
            class="panel steps"
            once
          >
            <InviteeFields
              request={request}
              offered={eventType ?? NOTHING_ASKED}
              trouble={trouble}
              takesPhone
            />
            <FormEnd request={request} text={book} />
          </Form>
        )}
        {mayBook && hold.status === 'held' && !isOver && (
          <Form request={request} action={`/console/bookings/holds/${hold.id}/release`} class="inline">
            <button type="submit" class="button soft-button">
              {texts.release}
            </button>
          </Form>
        )}
      </>
    ),
  })
}

async function loadEventType(request: MemberRequest, id: string): Promise<EventType | null> {
  const asked = await ask(request, eventTypeRoutes.getEventType, { params: { id } })
  return asked.ok ? asked.body : null
}

/** Books it, also when the time to do so is over and nobody else took it. */
export async function confirmFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const held = { id, type: form.get('type') ?? '', token: form.get('token') ?? '' }
  const offered = (await loadEventType(request, held.type)) ?? NOTHING_ASKED
  const asked = await ask(request, holdRoutes.confirmHold, {
    params: { id },
    query: { token: held.token },
    body: { ...withoutEmail(readInvitee(request, offered)), if_still_free: true },
  })
  if (asked.ok) return seeOther(page, `/console/bookings/${asked.body.id}?done=booked`)
  const trouble = inviteeTrouble(request, asked.refusal, offered)
  return holdPage(request, held, trouble, formStatus(asked.refusal))
}

export async function releaseFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(request, holdRoutes.releaseHold, { params: { id } })
  return seeOther(request.page, '/console/bookings?done=released')
}
