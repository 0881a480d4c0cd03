import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { addressOf } from '../../people/sign-in/code.ts'
import {
  entryBy,
  readConsoleLink,
  returnConsoleLink,
  useConsoleLink,
} from '../../people/sign-in/console-link.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { makeOrganization } from '../organization/make-organization.ts'
import { newOrganizationForm, readNewOrganization } from '../organization/new-organization-form.tsx'
import type { AnonymousRequest } from '../request.ts'
import { entryPage } from '../views/entry-page.tsx'
import { brakeGuess } from './code.tsx'
import { comeIn } from './come-in.ts'
import { overPage } from './email-link.tsx'

/** A link of the service key: it signs one member in, or makes an organization. Opening it does nothing yet. */
export async function showLink({ page }: AnonymousRequest): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const found = await readConsoleLink(page.ctx.env, token, realNow())
  if (!found) return (await brakeGuess(page)) ?? overPage(page, false)
  const { membership } = found
  const own = { action: '/console/link', hidden: [['token', token]] as const, asksEmail: true }
  if (!membership) return newOrganizationForm(page, readNewOrganization(page, new Map()), own)
  const texts = textsOf(page.locale, signInTexts)
  const { name, userEmail, userId } = membership
  return entryPage({
    page,
    title: texts.linkTitle,
    lead: fill(texts.linkInto, { org: name, email: userEmail || userId }),
    children: (
      <form method="post" action="/console/link" data-once={page.locale.texts.sending}>
        <HiddenFields fields={[['token', token]]} />
        <button type="submit" class="button wide">
          {texts.signIn}
        </button>
      </form>
    ),
  })
}

/** The session represents only the link's member: the address is not proven. */
export async function followLink({ page, form }: AnonymousRequest): Promise<Response> {
  const { env } = page.ctx
  const token = form.get('token') ?? ''
  const found = await readConsoleLink(env, token, realNow())
  if (!found) return (await brakeGuess(page)) ?? overPage(page, false)
  const { membership } = found
  if (membership) {
    const person = { memberId: membership.memberId, email: addressOf(membership.userEmail) }
    const entry = await entryBy(token, membership, realNow())
    return (await comeIn(page, person, '/console', entry)) ?? overPage(page, false)
  }
  if (!(await useConsoleLink(env, token, realNow()))) return overPage(page, false)
  const wanted = readNewOrganization(page, form)
  const own = { action: '/console/link', hidden: [['token', token]] as const, asksEmail: true }
  try {
    const made = await makeOrganization(page, wanted, true)
    if ('trouble' in made) {
      await returnConsoleLink(env, token)
      return newOrganizationForm(page, wanted, own, made.trouble)
    }
    const person = { memberId: made.ownerId, email: addressOf(wanted.email) }
    return (await comeIn(page, person, '/console')) ?? overPage(page, false)
  } catch (error) {
    await returnConsoleLink(env, token)
    throw error
  }
}
