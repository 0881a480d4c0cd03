import { openIdOf } from '../../people/sign-in/openid/settings.ts'
import type { PendingForm } from '../../people/sign-in/openid/transaction.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { SignedInRequest } from '../request.ts'
import { leaveFor } from '../views/leave.tsx'
import { depart } from './depart.ts'

/**
 * Sends a signed-in member to the provider to sign in there again. This browser stores the form in the meantime. If it fails, a
 * sentence says why.
 */
export async function goToProve(request: SignedInRequest, kept: PendingForm): Promise<Response | string> {
  const { page, session } = request
  const texts = textsOf(page.locale, openIdTexts)
  const openId = openIdOf(page.ctx.env)
  if (!openId) return texts.notSetUp
  const gone = await depart(page, openId, { kind: 'prove', sessionId: session.id, kept })
  return gone.ok ? leaveFor(request, gone.url, gone.cookie) : fill(texts[gone.failure], { name: openId.name })
}
