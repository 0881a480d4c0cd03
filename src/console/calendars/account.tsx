import { calendarRoutes } from '../../calendars/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { notFound } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { shell } from '../views/shell.tsx'
import { mayChange, mayConnect } from './whose.ts'

/** All calendars of one account, as its provider lists them now, and which of them are connected. */
export async function showAccount(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return accountPage(request, id, NO_TROUBLE, 200)
}

async function accountPage(
  request: MemberRequest,
  id: string,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  if (!mayConnect(request)) return forbiddenPage(request)
  const { page } = request
  const { data } = await need(request, calendarRoutes.listCalendarAccounts)
  const account = data.find((one) => one.id === id)
  if (!account) throw notFound('calendar account')
  if (!mayChange(request, account.member_id)) return forbiddenPage(request)
  const texts = textsOf(page.locale, calendarsTexts)
  return shell({
    request,
    title: fill(texts.otherCalendarsOf, { account: account.account_email }),
    lead: texts.accountLead,
    back: { to: '/console/calendars', text: texts.title },
    status,
    children: (
      <>
        {trouble.title && (
          <p class="band bad-band" role="alert">
            {trouble.title}
          </p>
        )}
        <ul class="rows">
          {account.calendars.map((calendar) => (
            <li key={calendar.external_id}>
              <div>
                <strong>
                  <bdi>{calendar.name}</bdi>
                </strong>
                {calendar.is_primary && <span class="soft"> · {texts.isPrimary}</span>}
                {!calendar.can_write && (
                  <span class="soft">
                    {' '}
                    · {calendar.reads === 'free_busy' ? texts.freeBusy : texts.readOnly}
                  </span>
                )}
                {calendar.owner !== null && (
                  <span class="soft">
                    {' · '}
                    <bdi>{calendar.owner}</bdi>
                  </span>
                )}
              </div>
              <div class="row-end">
                {calendar.connection_id !== null ? (
                  <a class="badge good" href={`/console/calendars#${calendar.connection_id}`}>
                    {texts.isConnected}
                  </a>
                ) : (
                  <Form
                    request={request}
                    action={`/console/calendars/accounts/${id}`}
                    hidden={{ external_id: calendar.external_id }}
                    class="inline"
                    once
                  >
                    <button type="submit" class="soft-button">
                      {texts.add}
                      <span class="unseen">: {calendar.name}</span>
                    </button>
                  </Form>
                )}
              </div>
            </li>
          ))}
        </ul>
        {account.provider === 'calendar_a' &&
          account.calendars.some(({ reads }) => reads === 'free_busy') && (
            <Form
              request={request}
              action="/console/calendars/connect/google-free-busy"
              hidden={{ member: account.member_id ?? '' }}
              class="inline"
            >
              <p>{texts.freeBusyLead}</p>
              <button type="submit" class="soft-button">
                {texts.freeBusyPermit}
              </button>
            </Form>
          )}
      </>
    ),
  })
}

export async function addFromAccount(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const asked = await ask(request, calendarRoutes.addCalendar, {
    body: { account_id: id, external_id: form.get('external_id') ?? '' },
  })
  if (asked.ok) return seeOther(page, '/console/calendars?done=added')
  return accountPage(request, id, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
