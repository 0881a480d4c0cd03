import { calendarFeedRoutes } from '../../calendars/feeds/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { shell } from '../views/shell.tsx'
import { calendarsPage } from './overview.tsx'
import { isAdmin } from './whose.ts'

/**
 * The address is in this answer and nowhere else: a form that is sent again is answered by the same one. A feed of
 * everybody needs a proof.
 */
export async function createFeedFromConsole(request: MemberRequest): Promise<Response> {
  const { page, form } = request
  if (!isAdmin(request)) return forbiddenPage(request)
  const memberId = orNull(form, 'feed_member')
  const proof = memberId === null ? await askForProof(request, '/console/calendars') : null
  if (proof) return proof
  const asked = await ask(request, calendarFeedRoutes.createCalendarFeed, {
    body: { member_id: memberId },
  })
  if (!asked.ok) {
    const trouble = troubleOf(page.locale, asked.refusal, { fields: { member_id: 'feed_member' } })
    return calendarsPage(request, trouble, formStatus(asked.refusal))
  }
  const texts = textsOf(page.locale, calendarsTexts)
  return shell({
    request,
    title: texts.feedCreated,
    lead: texts.feedCreatedText,
    back: { to: '/console/calendars', text: texts.title },
    children: (
      <section class="panel" aria-label={texts.feedCreated}>
        <CopyLine locale={page.locale} text={asked.body.url} />
        <p class="soft">{texts.feedHow}</p>
        <div class="form-end">
          <a class="button" href="/console/calendars">
            {texts.done}
          </a>
        </div>
      </section>
    ),
  })
}

export async function revokeFeedFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(request, calendarFeedRoutes.revokeCalendarFeed, { params: { id } })
  return seeOther(request.page, '/console/calendars?done=revoked')
}
