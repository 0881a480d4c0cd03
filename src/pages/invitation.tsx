import { urlAt } from '../env.ts'
import { addressOf } from '../people/sign-in/code.ts'
import { findSession, openSession } from '../people/sign-in/sessions.ts'
import { acceptOwnInvitation, getOwnInvitation } from '../people/team/invitations/own-invitation.ts'
import type { Member } from '../people/team/schema.ts'
import { Refused } from '../platform/http/errors.ts'
import { momentText, usableZone } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { realNow } from '../platform/limits/clock.ts'
import { ERRORS } from '../platform/reasons/error-codes.ts'
import { deviceOf } from './device.ts'
import type { Page } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { keepSession, sessionTokenOf, withCookie } from './session-cookie.ts'
import { Brand } from './views/brand.tsx'
import { Document, tintClass } from './views/document.tsx'
import { HiddenFields } from './views/hidden-fields.tsx'
import { Notice } from './views/notice.tsx'
import { Problems } from './views/problems.tsx'

type Found = Awaited<ReturnType<typeof getOwnInvitation>>

/** Why it was not accepted, where its status does not say so. */
type Problem = 'already_member' | 'team_full' | 'failed'

const COLOR = '#3b82f6'

/** The link in an invitation's email leads here: a button accepts, not opening the address. */
export async function showInvitation(page: Page): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  return shown(page, await getOwnInvitation(page.ctx, token), token)
}

export async function answerInvitation(page: Page): Promise<Response> {
  const token = (await readForm(page)).get('token') ?? ''
  let signedIn: Page
  try {
    const member = await acceptOwnInvitation(page.ctx, token)
    if (!member) {
      const found = await getOwnInvitation(page.ctx, token)
      return shown(page, found, token, { problem: 'already_member', status: 409 })
    }
    signedIn = await signIn(page, member)
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code === 'unauthorized') throw error
    const found = await getOwnInvitation(page.ctx, token)
    const { code } = error.refusal
    const problem = code === 'plan_limit_exceeded' ? 'team_full' : 'failed'
    return shown(page, found, token, { problem, status: ERRORS[code].status })
  }
  return seeOther(signedIn, `/invitations?token=${encodeURIComponent(token)}`)
}

/**
 * Signs them in to this organization alone: the email proves the address, and the sender of the invitation may be its reader. A
 * session with that address stays.
 */
async function signIn(page: Page, { id: memberId, user_email }: Member): Promise<Page> {
  const { ctx } = page
  const email = addressOf(user_email)
  const former = sessionTokenOf(page)
  const present = former === null ? null : await findSession(ctx.env, former, realNow())
  if (present?.session.memberId === null && present.session.email === email) return page
  const visitor = {
    ipAddress: ctx.ipAddress,
    requestId: ctx.requestId,
    device: deviceOf(ctx.request),
    former,
    now: realNow(),
  }
  const opened = await openSession(ctx.env, { memberId, email }, visitor, false)
  return opened ? withCookie(page, keepSession(opened.token)) : page
}

function shown(
  page: Page,
  found: Found,
  token: string,
  { problem = null, status = 200 }: { readonly problem?: Problem | null; readonly status?: number } = {},
): Response {
  const { branding, name } = found.organization
  const color = branding.accent_color ?? COLOR
  const title = fill(page.locale.emails.invitationHeading, { org: name })
  return html(
    page,
    <Document
      page={page}
      title={title}
      colors={[color]}
      showsProduct={!branding.remove_branding}
      ownLinks={branding}
      isPrivate
    >
      <div class={`card narrow ${tintClass(color)}`}>
        <Brand page={page} branding={branding} orgName={name} href={null} />
        <Invitation page={page} found={found} token={token} problem={problem} />
      </div>
    </Document>,
    { status, isPrivate: true },
  )
}

type Props = {
  readonly page: Page
  readonly found: Found
  readonly token: string
  readonly problem: Problem | null
}

function Invitation({ page, found, token, problem }: Props) {
  const { texts, emails } = page.locale
  const { name: org } = found.organization
  const console = (
    <p class="links">
      <a class="button" href={urlAt(page.ctx.env, '/console')}>
        {emails.openConsole}
      </a>
    </p>
  )
  switch (found.status) {
    case 'accepted':
      return (
        <Notice title={fill(emails.invitationAccepted, { org })} icon="check" tone="good">
          {console}
        </Notice>
      )
    case 'expired':
    case 'revoked': {
      const title = found.status === 'expired' ? emails.invitationExpired : emails.invitationRevoked
      return (
        <Notice title={title} icon="cross" tone="plain">
          <p>{fill(emails.askAgain, { org })}</p>
        </Notice>
      )
    }
    case 'pending':
      if (problem === 'already_member') {
        return (
          <Notice title={fill(emails.alreadyMember, { org })} icon="check" tone="plain">
            {console}
          </Notice>
        )
      }
      return (
        <Notice title={fill(emails.invitationHeading, { org })} icon="person" tone="plain">
          {problem === 'failed' && <Problems page={page} title={texts.failedTitle} />}
          {problem === 'team_full' && <Problems page={page} title={fill(emails.teamFull, { org })} />}
          <p>{textOf(page, found)}</p>
          <p class="soft">
            <bdi>{found.email}</bdi>
          </p>
          <form method="post" action="/invitations" data-once={texts.sending}>
            <HiddenFields fields={[['token', token]]} />
            <button type="submit" class="button">
              {emails.joinTeam}
            </button>
          </form>
          <p class="soft">{fill(emails.whyInvited, { org })}</p>
        </Notice>
      )
  }
}

function textOf({ locale, zone }: Page, { role, expiresAt, organization }: Found): string {
  const { emails } = locale
  const roles = { admin: emails.roleAdmin, member: emails.roleMember, viewer: emails.roleViewer }
  const time = momentText(locale, expiresAt, zone ?? usableZone(organization.timezone))
  return fill(emails.invitationText, { org: organization.name, role: roles[role], time })
}
