import { seeOther } from '../../pages/respond.ts'
import { workIn } from '../../people/sign-in/sessions.ts'
import { isSignUpOpen } from '../../people/sign-in/sign-up.ts'
import type { SignedInRequest } from '../request.ts'
import { makeOrganization } from './make-organization.ts'
import { newOrganizationForm, readNewOrganization } from './new-organization-form.tsx'

/** Only with a proven address, and only where anybody may. */
function mayCreate({ page, session }: SignedInRequest): boolean {
  return isSignUpOpen(page.ctx.env) && session.memberId === null && session.email !== ''
}

function ownForm({ csrf }: SignedInRequest) {
  return { action: '/console/organizations/new', hidden: [['csrf', csrf]] as const, asksEmail: false }
}

export async function showNew(request: SignedInRequest): Promise<Response> {
  if (!mayCreate(request)) return seeOther(request.page, '/console/organizations')
  return newOrganizationForm(request.page, readNewOrganization(request.page, new Map()), ownForm(request))
}

export async function createOwn(request: SignedInRequest): Promise<Response> {
  const { page, form, session } = request
  if (!mayCreate(request)) return seeOther(page, '/console/organizations')
  const wanted = { ...readNewOrganization(page, form), email: session.email }
  const made = await makeOrganization(page, wanted, false)
  if ('trouble' in made) return newOrganizationForm(page, wanted, ownForm(request), made.trouble)
  await workIn(page.ctx.env, session.id, { organizationId: made.organizationId, isTest: false })
  return seeOther(page, '/console')
}
