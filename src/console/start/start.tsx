import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { urlAt } from '../../env.ts'
import { findDoneSteps } from '../../people/organizations/setup-steps/find-done-steps.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { startTexts } from '../../platform/i18n/console/start.ts'
import { sharedEnv } from '../ask.ts'
import { ClosedNotice } from '../event-types/closed.tsx'
import { listAll } from '../list-all.ts'
import { NAVIGATION } from '../navigation.ts'
import type { MemberRequest } from '../request.ts'
import { OwnAddress } from '../settings/own-address.tsx'
import { CopyLine } from '../views/copy-line.tsx'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { firstSetup, setupPage } from './setup-form.tsx'

/** The way to the first booking; once there is something to book, what helps next. */
export async function showStart(request: MemberRequest): Promise<Response> {
  const [eventTypes, steps] = await Promise.all([
    listAll(request, eventTypeRoutes.listEventTypes),
    findDoneSteps(sharedEnv(request), request),
  ])
  if (eventTypes.length > 0) return readyPage(request, eventTypes, steps)
  if (isRolePermitted(request.member.role, 'administer')) return setupPage(request, firstSetup(request))
  const { title, viewerText } = textsOf(request.page.locale, startTexts)
  return shell({ request, title, children: <p>{viewerText}</p> })
}

const NEXT = [
  {
    to: '/console/calendars',
    icon: 'calendar',
    title: 'calendarTitle',
    text: 'calendarText',
    step: 'calendars',
  },
  {
    to: '/console/event-types',
    icon: 'list',
    title: 'eventTypesTitle',
    text: 'eventTypesText',
    step: 'eventTypes',
  },
  { to: '/console/hours', icon: 'clock', title: 'hoursTitle', text: 'hoursText', step: 'hours' },
  { to: '/console/team', icon: 'seats', title: 'teamTitle', text: 'teamText', step: 'team' },
  { to: '/console/page', icon: 'link', title: 'pageTitle', text: 'pageText', step: 'page' },
  { to: '/console/payments', icon: 'price', title: 'paymentsTitle', text: 'paymentsText', step: 'payments' },
] as const

function readyPage(
  request: MemberRequest,
  eventTypes: readonly EventType[],
  steps: ReadonlySet<string>,
): Response {
  const { page, member } = request
  const texts = textsOf(page.locale, startTexts)
  const { bookings } = textsOf(page.locale, shellTexts)
  const address = urlAt(page.ctx.env, `/book/${member.slug}`)
  const places = NAVIGATION.filter(({ needs }) => isRolePermitted(member.role, needs)).map(({ to }) => to)
  const next = NEXT.filter(({ to }) => places.includes(to))
  const hasLook = member.logoUrl !== null || member.accentColor !== null
  const done: ReadonlySet<string> = new Set<string>([...steps, ...(hasLook ? ['page'] : [])])
  return shell({
    request,
    title: texts.readyTitle,
    lead: texts.readyLead,
    children: (
      <>
        <ClosedNotice request={request} eventTypes={eventTypes} isNamed />
        <section class="panel" aria-label={texts.pageAddress}>
          <CopyLine locale={page.locale} text={address} />
          <div class="form-end">
            <a class="button" href={`/book/${member.slug}`} target="_blank" rel="noopener">
              {texts.openPage}
              <span class="unseen"> ({page.locale.texts.opensNewTab})</span>
            </a>
            <a class="button soft-button" href="/console/bookings">
              {bookings}
            </a>
          </div>
        </section>
        {member.userEmail === '' && <OwnAddress request={request} />}
        {next.length > 0 && (
          <section class="part">
            <h2>{texts.next}</h2>
            <ul class="rows">
              {next.map(({ to, icon, title, text, step }) => (
                <li key={to}>
                  <div class="with-sign">
                    <Sign name={icon} />
                    <div>
                      <a class="row-link" href={to}>
                        {texts[title]}
                      </a>
                      <p class="soft">{texts[text]}</p>
                    </div>
                  </div>
                  {done.has(step) ? (
                    <span class="badge good">
                      <Sign name="check" />
                      {texts.stepDone}
                    </span>
                  ) : (
                    <Sign name="next" />
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </>
    ),
  })
}
