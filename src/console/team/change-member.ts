import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { isRaise, isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, need } from '../ask.ts'
import { numberIn, orNull } from '../form.ts'
import { askForProof, isProven } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { sendPicture } from './picture-form.tsx'
import { readProfile } from './profile-fields.tsx'
import { loadMember, memberPage } from './show-member.tsx'

/** The profile, and as an administrator the role and the limits too. A higher role needs a proof. */
export async function changeMember(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page, organizationId, member: self } = request
  const isAdmin = isRolePermitted(self.role, 'administer')
  const params = { orgId: organizationId, memberId: id }
  const wanted = form.get('role')
  if (isAdmin && wanted && !isProven(request)) {
    const { role } = await need(request, memberRoutes.getMember, { params })
    const proof = isRaise(role, wanted) ? await askForProof(request, `/console/team/${id}`) : null
    if (proof) return proof
  }
  const decided = isAdmin
    ? {
        ...(form.has('role') && { role: form.get('role') }),
        ...(form.has('default_schedule_id') && { default_schedule_id: orNull(form, 'default_schedule_id') }),
        max_bookings_per_day: numberIn(form, 'max_bookings_per_day'),
        max_bookings_per_week: numberIn(form, 'max_bookings_per_week'),
      }
    : {}
  const body = { ...readProfile(form), ...decided }
  const asked = await ask(request, memberRoutes.updateMember, { params, body })
  if (asked.ok) return seeOther(page, `/console/team/${id}?done=saved`)
  const { refusal } = asked
  if (refusal.code === 'forbidden') return forbiddenPage(request)
  const typed = body as Partial<Member>
  const change = troubleOf(page.locale, refusal)
  return memberPage(request, await loadMember(request, id), { change, typed, status: formStatus(refusal) })
}

/** The picture of a member, as an administrator or as the member. */
export async function savePicture(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const params = { orgId: request.organizationId, memberId: id }
  const wrong = await sendPicture(request, params)
  if (!wrong) return seeOther(request.page, `/console/team/${id}?done=saved`)
  const { trouble: picture, status } = wrong
  return memberPage(request, await loadMember(request, id), { picture, status })
}

export async function removeFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, organizationId, form } = request
  const params = { orgId: organizationId, memberId: id }
  const query = form.get('bookings') === 'reassign' ? { bookings: 'reassign' as const } : {}
  const asked = await ask(request, memberRoutes.removeMember, { params, query })
  if (asked.ok) return seeOther(page, '/console/team?done=removed')
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const remove = troubleOf(page.locale, asked.refusal)
  return memberPage(request, await loadMember(request, id), { remove, status: formStatus(asked.refusal) })
}

/** Makes a member the owner, after the current owner has proven who they are. */
export async function giveAway(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, organizationId, member: self } = request
  if (!isRolePermitted(self.role, 'own')) return forbiddenPage(request)
  const proof = await askForProof(request, `/console/team/${id}`)
  if (proof) return proof
  const asked = await ask(request, memberRoutes.transferOwnership, {
    params: { orgId: organizationId },
    body: { member_id: id },
  })
  if (asked.ok) return seeOther(page, '/console/team?done=transferred')
  const transfer = troubleOf(page.locale, asked.refusal)
  return memberPage(request, await loadMember(request, id), { transfer, status: formStatus(asked.refusal) })
}
