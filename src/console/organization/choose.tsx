import { seeOther } from '../../pages/respond.ts'
import { workIn } from '../../people/sign-in/sessions.ts'
import { isSignUpOpen } from '../../people/sign-in/sign-up.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { SignedInRequest } from '../request.ts'
import { entryPage } from '../views/entry-page.tsx'
import { Form } from '../views/form.tsx'
import { roleText } from '../views/shell.tsx'

/** The choice of an organization, for people who belong to several. */
export async function showOrganizations(request: SignedInRequest): Promise<Response> {
  const { page, memberships, session } = request
  const texts = textsOf(page.locale, shellTexts)
  if (memberships.length === 0) {
    if (isSignUpOpen(page.ctx.env) && session.memberId === null) {
      return seeOther(page, '/console/organizations/new')
    }
    return entryPage({
      page,
      title: texts.noMembershipTitle,
      lead: texts.noMembershipText,
      status: 403,
      children: <SignOut request={request} />,
    })
  }
  return entryPage({
    page,
    title: texts.chooseOrganization,
    children: (
      <>
        <ul class="choice">
          {memberships.map((member) => (
            <li key={member.id}>
              <Form
                request={request}
                action="/console/organizations"
                hidden={{ organization_id: member.id }}
                class="inline"
              >
                <button type="submit" class="choose">
                  <span class="tile" aria-hidden="true">
                    {[...member.name][0]?.toUpperCase()}
                  </span>
                  <bdi>{member.name}</bdi>
                  <span class="soft">{roleText({ page, member })}</span>
                </button>
              </Form>
            </li>
          ))}
        </ul>
        <SignOut request={request} />
      </>
    ),
  })
}

function SignOut({ request }: { readonly request: SignedInRequest }) {
  return (
    <Form request={request} action="/console/sign-out" class="inline">
      <button type="submit" class="link">
        {textsOf(request.page.locale, shellTexts).signOut}
      </button>
    </Form>
  )
}

export async function chooseOrganization(request: SignedInRequest): Promise<Response> {
  const { page, form, session, memberships } = request
  const chosen = memberships.find(({ id }) => id === form.get('organization_id'))
  if (!chosen) return showOrganizations(request)
  await workIn(page.ctx.env, session.id, { organizationId: chosen.id, isTest: false })
  return seeOther(page, '/console')
}
