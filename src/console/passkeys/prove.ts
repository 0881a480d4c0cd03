import { passkeysOf, showPasskey } from '../../people/sign-in/passkeys/passkeys.ts'
import { noteFailure, proveAgain } from '../../people/sign-in/sessions.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { SignedInRequest } from '../request.ts'
import { challengeOf, requestAnswer } from './ask-browser.ts'

function occasionOf({ session }: SignedInRequest) {
  return { purpose: 'passkey-proof', sessionId: session.id } as const
}

/** The options for the browser, with the passkeys of the signed-in person. */
export async function offerProof(request: SignedInRequest): Promise<Response> {
  return requestAnswer(
    request.page,
    occasionOf(request),
    await passkeysOf(request.page.ctx.env, request.session),
  )
}

/** Whether they showed a passkey of their own just now. */
export async function isProvenByPasskey(request: SignedInRequest): Promise<boolean> {
  const { page, session, form } = request
  const { env, ipAddress, requestId } = page.ctx
  const now = realNow()
  const challenge = await challengeOf(page, occasionOf(request))
  if (challenge === null) return false
  const { passkey, isProven } = await showPasskey(env, form.get('passkey') ?? '', challenge, now)
  const isOwn = passkey?.email === session.email && passkey.memberId === session.memberId
  if (isOwn && isProven) await proveAgain(env, session.id, now)
  else await noteFailure(env, session, { ipAddress, requestId }, now)
  return isOwn && isProven
}
