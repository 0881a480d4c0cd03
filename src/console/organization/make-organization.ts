import type { OperatorCaller } from '../../auth/caller.ts'
import { Refused } from '../../http/errors.ts'
import { validate } from '../../http/validate.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { signInTexts } from '../../i18n/console/sign-in.ts'
import type { Page } from '../../pages/page.ts'
import { organizationRoutes } from '../../resources/organizations/routes.ts'
import { addressOf } from '../../resources/sign-in/code.ts'
import { ownerOf } from '../../resources/sign-in/owner.ts'
import { type Trouble, toldTrouble } from '../told.ts'
import type { NewOrganization } from './new-organization-form.tsx'

/**
 * Makes an organization that belongs to whoever has the address. Where no identity provider names people, the
 * address does, as when an invitation is accepted.
 */
export async function makeOrganization(
  page: Page,
  { name, timezone, email }: NewOrganization,
  needsEmail: boolean,
): Promise<{ readonly ownerId: string; readonly organizationId: string } | { readonly trouble: Trouble }> {
  const { ctx, locale } = page
  const texts = textsOf(locale, signInTexts)
  if (needsEmail && email === '') return { trouble: { fields: { email: texts.needEmail } } }
  const userId = addressOf(email)
  const route = organizationRoutes.find(({ operationId }) => operationId === 'createOrganization')!
  const caller: OperatorCaller = { kind: 'operator', userId }
  try {
    const body = validate(route.request.body, {
      name,
      timezone,
      owner_user_id: userId,
      owner_email: email,
    })
    const input = { params: undefined, query: undefined, headers: undefined, body }
    const made = (await route.handler({ ...ctx, caller }, input)) as { readonly id: string }
    return { ownerId: await ownerOf(ctx.env, made.id), organizationId: made.id }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const own = {
      fields: { owner_email: 'email', owner_user_id: 'email' },
      codes: { conflict: texts.ownsOne },
    }
    return { trouble: toldTrouble(locale, error.refusal, own) }
  }
}
