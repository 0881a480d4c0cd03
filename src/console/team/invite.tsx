import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { teamRoutes } from '../../people/team/routes.ts'
import { isRaise, isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { ask, need } from '../ask.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { roleOptions } from './roles.ts'

/**
 * Both modes share the team, so an invitation in the sandbox's outbox lets nobody join: readers of that outbox could make any
 * address a member's.
 */
export function mayInvite({ member, isTest }: MemberRequest): boolean {
  return !isTest && isRolePermitted(member.role, 'administer')
}

export async function showInvite(request: MemberRequest): Promise<Response> {
  return invitePage(request, NO_TROUBLE, 200)
}

function invitePage(request: MemberRequest, trouble: Trouble, status: number): Response {
  const { page, form } = request
  if (!mayInvite(request)) return forbiddenPage(request)
  const { locale } = page
  const texts = textsOf(locale, teamTexts)
  const value = { email: form.get('email') ?? '', role: form.get('role') ?? 'member' }
  const field = fieldsFor({ locale, trouble }, value)
  return shell({
    request,
    title: texts.invite,
    lead: texts.inviteLead,
    back: { to: '/console/team', text: texts.title },
    status,
    children: (
      <Form request={request} action="/console/team/invite" trouble={trouble} once class="panel steps">
        {field.text('email', texts.email, { inputmode: 'email', isFocused: true })}
        {field.select('role', texts.role, roleOptions(locale))}
        <FormEnd request={request} text={texts.send} />
      </Form>
    ),
  })
}

/** Sends the email. Inviting somebody who may change anything needs a proof. */
export async function inviteFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page, organizationId } = request
  if (!mayInvite(request)) return forbiddenPage(request)
  const mayChange = isRaise('viewer', form.get('role') ?? '')
  const proof = mayChange ? await askForProof(request, '/console/team/invite') : null
  if (proof) return proof
  const asked = await ask(request, teamRoutes.createInvitation, {
    params: { orgId: organizationId },
    body: { email: form.get('email') ?? '', role: form.get('role') ?? '' },
  })
  if (asked.ok) return seeOther(page, '/console/team?done=invited')
  const at = { email_is_member: 'email', invitation_pending: 'email' }
  return invitePage(request, troubleOf(page.locale, asked.refusal, { at }), formStatus(asked.refusal))
}

export async function revokeFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const params = { orgId: request.organizationId, invitationId: id }
  await need(request, teamRoutes.revokeInvitation, { params })
  return seeOther(request.page, '/console/team?done=revoked')
}
