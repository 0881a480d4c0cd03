import { findCalendar } from '../../calendars/find-calendar.ts'
import { conferencingRoutes } from '../../calendars/meetings/routes.ts'
import { calendarRoutes } from '../../calendars/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { notFound } from '../../platform/http/errors.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import { need } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { shell } from '../views/shell.tsx'
import { memberIn } from './choose.tsx'
import { mayChange, mayChangeCalendar } from './whose.ts'

/** What it means to disconnect a calendar, before it is done. */
export async function askToDisconnect(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page } = request
  const { locale } = page
  const connection = await findCalendar(page.ctx.env, request, id, request.now)
  if (!connection) throw notFound('calendar connection')
  if (!mayChangeCalendar(request, connection)) return forbiddenPage(request)
  const { upcoming_booking_count: upcoming } = connection
  const texts = textsOf(locale, calendarsTexts)
  const meaning = [
    ...(connection.checks_busy ? [texts.disconnectBusy] : []),
    ...(upcoming > 0
      ? [`${pluralText(locale, texts.disconnectUpcoming, upcoming)} ${texts.disconnectWrites}`]
      : []),
    ...(connection.receives_bookings ? [texts.disconnectReceives] : []),
    texts.disconnectLast,
  ]
  return confirmation(request, {
    title: texts.disconnectTitle,
    what: `${connection.name} · ${connection.account_email}`,
    meaning,
    action: `/console/calendars/${id}/disconnect`,
  })
}

export async function disconnectFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(request, calendarRoutes.disconnectCalendar, { params: { id } })
  return seeOther(request.page, '/console/calendars?done=disconnected')
}

export async function askToDisconnectZoom(request: MemberRequest): Promise<Response> {
  if (!mayChange(request, memberIn(request))) return forbiddenPage(request)
  const texts = textsOf(request.page.locale, calendarsTexts)
  return confirmation(request, {
    title: texts.zoomDisconnectTitle,
    what: texts.zoom,
    meaning: [texts.zoomDisconnectText],
    action: '/console/calendars/zoom/disconnect',
    hidden: { member: memberIn(request) },
  })
}

export async function disconnectZoomFromConsole(request: MemberRequest): Promise<Response> {
  await need(request, conferencingRoutes.disconnectConferencing, {
    params: { provider: 'video_a' },
    query: { member_id: memberIn(request) },
  })
  return seeOther(request.page, '/console/calendars?done=zoomDisconnected')
}

type Confirmation = {
  readonly title: string
  readonly what: string
  readonly meaning: readonly string[]
  readonly action: `/console/${string}`
  readonly hidden?: Readonly<Record<string, string>>
}

function confirmation(
  request: MemberRequest,
  { title, what, meaning, action, hidden = {} }: Confirmation,
): Response {
  const texts = textsOf(request.page.locale, calendarsTexts)
  return shell({
    request,
    title,
    back: { to: '/console/calendars', text: texts.title },
    children: (
      <Form request={request} action={action} hidden={hidden} class="panel steps">
        <p>
          <strong>
            <bdi>{what}</bdi>
          </strong>
        </p>
        <ul class="bullets">
          {meaning.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <div class="form-end">
          <button type="submit" class="button danger">
            {texts.disconnect}
          </button>
          <a class="button soft-button" href="/console/calendars">
            {texts.keep}
          </a>
        </div>
      </Form>
    ),
  })
}
