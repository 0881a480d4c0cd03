import { seeOther } from '../../pages/respond.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { type Profile, ProfileFields, readProfile } from '../team/profile-fields.tsx'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { OwnAddress } from './own-address.tsx'
import { settingsShell } from './settings-shell.tsx'

function paramsOf({ organizationId, member }: MemberRequest) {
  return { params: { orgId: organizationId, memberId: member.memberId } }
}

export async function showYourself(request: MemberRequest): Promise<Response> {
  const member = await need(request, memberRoutes.getMember, paramsOf(request))
  return yourselfPage(request, member, NO_TROUBLE, 200)
}

function yourselfPage(request: MemberRequest, value: Profile, trouble: Trouble, status: number): Response {
  return settingsShell({
    request,
    here: '/console/settings',
    status,
    children: (
      <div class="part steps">
        <OwnAddress request={request} />
        <Form request={request} action="/console/settings" trouble={trouble} class="steps">
          <ProfileFields request={request} value={value} trouble={trouble} />
          <FormEnd request={request} />
        </Form>
      </div>
    ),
  })
}

export async function changeYourself(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const body = readProfile(form)
  const asked = await ask(request, memberRoutes.updateMember, { ...paramsOf(request), body })
  if (asked.ok) return seeOther(page, '/console/settings?done=1')
  return yourselfPage(request, body, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
