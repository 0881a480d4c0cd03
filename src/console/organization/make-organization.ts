import type { Env } from '../../env.ts'
import type { Page } from '../../pages/page.ts'
import { organizationRoutes } from '../../people/organizations/routes.ts'
import { addressOf } from '../../people/sign-in/code.ts'
import { addressOfOwner, ownerOf } from '../../people/sign-in/owner.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { demand } from '../../platform/http/act-as.ts'
import { Refused } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { type Trouble, troubleOf } from '../trouble.ts'
import type { NewOrganization } from './new-organization-form.tsx'

/**
 * Creates an organization that belongs to the owner of the address. Without an identity provider the address names the person,
 * as when an invitation is accepted, unless it still names an owner who has another address by now.
 */
export async function makeOrganization(
  page: Page,
  { name, timezone, email }: NewOrganization,
  needsEmail: boolean,
): Promise<{ readonly ownerId: string; readonly organizationId: string } | { readonly trouble: Trouble }> {
  const { ctx, locale } = page
  const texts = textsOf(locale, signInTexts)
  if (needsEmail && email === '') return { trouble: { fields: { email: texts.needEmail } } }
  const address = addressOf(email)
  try {
    return await makeFor(page, address, { name, timezone, email }).catch(async (error) => {
      const isConflict = error instanceof Refused && error.refusal.code === 'conflict'
      if (!isConflict || (await ownsOne(ctx.env, address))) throw error
      return makeFor(page, crypto.randomUUID(), { name, timezone, email })
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const own = {
      fields: { owner_email: 'email', owner_user_id: 'email' },
    }
    return { trouble: troubleOf(locale, error.refusal, own) }
  }
}

async function makeFor({ ctx }: Page, userId: string, { name, timezone, email }: NewOrganization) {
  const caller: OperatorCaller = { kind: 'operator', userId }
  const body = { name, timezone, owner_user_id: userId, owner_email: email }
  const as = { contextFor: () => ({ ...ctx, caller }) }
  const made = await demand(as, organizationRoutes.createOrganization, { body })
  return { ownerId: await ownerOf(ctx.env, made.id), organizationId: made.id }
}

/** Whether the conflict is with their own organization, and not with one of somebody who had the address before. */
async function ownsOne(env: Env, address: string): Promise<boolean> {
  const theirs = await addressOfOwner(env, address)
  return theirs === null || ['', address].includes(addressOf(theirs))
}
