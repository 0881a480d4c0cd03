import { seeOther } from '../../pages/respond.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { PictureForm, sendPicture } from '../team/picture-form.tsx'
import {
  type Profile,
  ProfileFields,
  readProfile,
  shownPicture,
  typedProfile,
} from '../team/profile-fields.tsx'
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
  return yourselfPage(request, member, {}, 200)
}

/** What was typed or uploaded, and what is wrong with it. */
type Sent = { readonly typed?: Partial<Profile>; readonly trouble?: Trouble; readonly picture?: Trouble }

function yourselfPage(
  request: MemberRequest,
  member: Profile,
  { typed, trouble = NO_TROUBLE, picture }: Sent,
  status: number,
): Response {
  const value = { ...typedProfile(request, member), ...typed }
  return settingsShell({
    request,
    here: '/console/settings',
    status,
    children: (
      <div class="part steps">
        <OwnAddress request={request} />
        <PictureForm
          request={request}
          action="/console/settings/picture"
          url={member.avatar_url}
          trouble={picture}
        />
        <Form
          request={request}
          action="/console/settings"
          hidden={shownPicture(request, member)}
          trouble={trouble}
          class="steps"
        >
          <ProfileFields request={request} value={value} trouble={trouble} />
          <FormEnd request={request} />
        </Form>
      </div>
    ),
  })
}

export async function changeYourself(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const typed = readProfile(form)
  const asked = await ask(request, memberRoutes.updateMember, { ...paramsOf(request), body: typed })
  if (asked.ok) return seeOther(page, '/console/settings?done=1')
  const trouble = troubleOf(page.locale, asked.refusal)
  const member = await need(request, memberRoutes.getMember, paramsOf(request))
  return yourselfPage(request, member, { typed, trouble }, formStatus(asked.refusal))
}

export async function saveOwnPicture(request: MemberRequest): Promise<Response> {
  const wrong = await sendPicture(request, paramsOf(request).params)
  if (!wrong) return seeOther(request.page, '/console/settings?done=1')
  const member = await need(request, memberRoutes.getMember, paramsOf(request))
  return yourselfPage(request, member, { picture: wrong.trouble }, wrong.status)
}
