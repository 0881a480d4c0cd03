import { teamRoutes } from '../../people/team/routes.ts'
import type { Invitation, Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import { isAdmin, loadMembers, nameOf } from '../hours/people.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { Face } from './face.tsx'
import { mayInvite } from './invite.tsx'
import { roleName } from './roles.ts'
import { teamShell } from './team-shell.tsx'

const ORDER = ['owner', 'admin', 'member', 'viewer'] as const

/** Everybody who works here, and who is asked to. */
export async function showTeam(request: MemberRequest): Promise<Response> {
  const { page, organizationId, isTest } = request
  const texts = textsOf(page.locale, teamTexts)
  const [members, { data: invitations }] = await Promise.all([
    loadMembers(request),
    need(request, teamRoutes.listInvitations, {
      params: { orgId: organizationId },
    }),
  ])
  const administers = isAdmin(request)
  const sorted = members.toSorted(
    (a, b) =>
      ORDER.indexOf(a.role) - ORDER.indexOf(b.role) || nameOf(a).localeCompare(nameOf(b), page.locale.tag),
  )
  return teamShell({
    request,
    here: '/console/team',
    actions: mayInvite(request) && (
      <a class="button" href="/console/team/invite">
        <Sign name="plus" />
        {texts.invite}
      </a>
    ),
    children: (
      <>
        {administers && isTest && <p class="soft">{texts.inviteLive}</p>}
        <ul class="rows">
          {sorted.map((one) => (
            <MemberRow key={one.id} request={request} member={one} />
          ))}
        </ul>
        {invitations.length > 0 && (
          <section class="part">
            <h2>{texts.invitations}</h2>
            <ul class="rows">
              {invitations.map((invitation) => (
                <InvitationRow
                  key={invitation.id}
                  request={request}
                  invitation={invitation}
                  mayRevoke={administers}
                />
              ))}
            </ul>
          </section>
        )}
      </>
    ),
  })
}

function MemberRow({ request, member }: { readonly request: MemberRequest; readonly member: Member }) {
  const { locale } = request.page
  const { id, user_email: email, role } = member
  const name = nameOf(member)
  return (
    <li class="with-face">
      <Face member={member} />
      <div>
        <a class="row-link" href={`/console/team/${id}`}>
          <bdi>{name}</bdi>
        </a>
        {email !== '' && email !== name && (
          <p class="soft">
            <bdi>{email}</bdi>
          </p>
        )}
      </div>
      <div class="row-end">
        {id === request.member.memberId && <span class="badge good">{textsOf(locale, teamTexts).you}</span>}
        <span class="badge">{roleName(locale, role)}</span>
      </div>
    </li>
  )
}

type InvitationProps = {
  readonly request: MemberRequest
  readonly invitation: Invitation
  readonly mayRevoke: boolean
}

function InvitationRow({ request, invitation, mayRevoke }: InvitationProps) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, teamTexts)
  const { id, email, role, expires_at } = invitation
  return (
    <li class="wraps">
      <div>
        <strong>
          <bdi>{email}</bdi>
        </strong>
        <p class="soft">
          {fill(texts.invitedUntil, { time: ownShortMomentText(locale, Date.parse(expires_at), zone) })}
        </p>
      </div>
      <div class="row-end">
        <span class="badge">{roleName(locale, role)}</span>
        {mayRevoke && (
          <Form request={request} action={`/console/team/invitations/${id}/revoke`} class="inline">
            <button type="submit" class="soft-button" aria-label={fill(texts.revokeOf, { email })}>
              {texts.revoke}
            </button>
          </Form>
        )}
      </div>
    </li>
  )
}
