import { calendarRoutes } from '../../calendars/routes.ts'
import { urlAt } from '../../env.ts'
import { keepConnecting } from '../../pages/connecting-cookie.ts'
import type { Params } from '../../pages/page.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { nothingHere } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { leaveFor } from '../views/leave.tsx'
import { shell } from '../views/shell.tsx'
import { memberIn } from './choose.tsx'
import { InviteForm } from './invite.tsx'
import { calendarsPage } from './overview.tsx'
import { isSentTo, SENT_TO } from './providers.ts'

/**
 * Where people of an organization come back to. One that sends its people back to hosts of its own alone is asked for
 * none: who went from here in this browser is known by its cookie, and others read on our page how it ended.
 */
function backTo({ page, member }: MemberRequest): { readonly redirect_url?: string } {
  const url = urlAt(page.ctx.env, '/console/calendars')
  const hosts = member.allowedRedirectHosts
  return hosts === null || hosts.includes(new URL(url).host) ? { redirect_url: url } : {}
}

/** Sends somebody to the provider of their account; for somebody else there is a link that they are sent. */
export async function goToProvider(request: MemberRequest, { way = '' }: Params): Promise<Response> {
  if (!isSentTo(way) || !SENT_TO[way].isOffered(request.page.ctx.env)) return nothingHere(request)
  const memberId = memberIn(request)
  const query = { member_id: memberId, ...backTo(request) }
  const asked = await (way === 'google-free-busy'
    ? ask(request, SENT_TO[way].route, { query: { ...query, free_busy: 'true' } })
    : ask(request, SENT_TO[way].route, { query }))
  if (!asked.ok)
    return calendarsPage(request, troubleOf(request.page.locale, asked.refusal), formStatus(asked.refusal))
  const { url } = asked.body
  const isOwn = memberId === request.member.memberId
  return isOwn ? leaveFor(request, url, await keepConnecting(url)) : linkPage(request, memberId, url)
}

async function linkPage(request: MemberRequest, memberId: string, url: string): Promise<Response> {
  const { page } = request
  const texts = textsOf(page.locale, calendarsTexts)
  const owner = (await loadMembers(request)).find(({ id }) => id === memberId)
  return shell({
    request,
    title: fill(texts.linkFor, { name: owner ? nameOf(owner) : '' }),
    lead: texts.linkForLead,
    back: { to: '/console/calendars', text: texts.title },
    children: (
      <section class="panel" aria-label={texts.connect}>
        <CopyLine locale={page.locale} text={url} />
        <p>
          <a href={url} rel="noreferrer">
            {texts.linkOpen}
          </a>
        </p>
        <InviteForm request={request} memberId={memberId} />
      </section>
    ),
  })
}

/** The link by which an administrator of Microsoft 365 agrees for everybody. */
export async function showAdministrator(request: MemberRequest): Promise<Response> {
  const { page } = request
  if (!SENT_TO.microsoft.isOffered(page.ctx.env)) return nothingHere(request)
  const { url } = await need(request, calendarRoutes.askMicrosoftAdministrator, {
    query: backTo(request),
  })
  const texts = textsOf(page.locale, calendarsTexts)
  return shell({
    request,
    title: texts.administrator,
    lead: texts.administratorLead,
    back: { to: '/console/calendars/connect', text: texts.connect },
    children: (
      <section class="panel" aria-label={texts.administrator}>
        <CopyLine locale={page.locale} text={url} />
        <p>
          <a href={url} rel="noreferrer">
            {texts.administratorOpen}
          </a>
        </p>
      </section>
    ),
  })
}
