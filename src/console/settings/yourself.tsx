import { seeOther } from '../../pages/respond.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { type Profile, ProfileFields, readProfile } from '../team/profile-fields.tsx'
import { NO_TROUBLE, type Trouble, toldTrouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { OwnAddress } from './own-address.tsx'
import { settingsShell } from './settings-shell.tsx'

function paramsOf({ organizationId, member }: MemberRequest) {
  return { params: { orgId: organizationId, memberId: member.memberId } }
}

export async function showYourself(visit: MemberRequest): Promise<Response> {
  const member = await need<Member>(visit, memberRoutes, 'getMember', paramsOf(visit))
  return yourselfPage(visit, member, NO_TROUBLE, 200)
}

function yourselfPage(visit: MemberRequest, value: Profile, trouble: Trouble, status: number): Response {
  return settingsShell({
    visit,
    here: '/console/settings',
    status,
    children: (
      <div class="part steps">
        <OwnAddress visit={visit} />
        <Form visit={visit} action="/console/settings" trouble={trouble} class="steps">
          <ProfileFields visit={visit} value={value} trouble={trouble} />
          <FormEnd visit={visit} />
        </Form>
      </div>
    ),
  })
}

export async function changeYourself(visit: MemberRequest): Promise<Response> {
  const { form, page } = visit
  const body = readProfile(form)
  const asked = await ask(visit, memberRoutes, 'updateMember', { ...paramsOf(visit), body })
  if (asked.ok) return seeOther(page, '/console/settings?done=1')
  return yourselfPage(visit, body, toldTrouble(page.locale, asked.refusal), formStatus(asked.refusal))
}
