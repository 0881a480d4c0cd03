import { showPasskey } from '../../people/sign-in/passkeys/passkeys.ts'
import { noteFailure } from '../../people/sign-in/sessions.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { nextPath } from '../next-path.ts'
import type { AnonymousRequest } from '../request.ts'
import { brakeGuess, signInPage } from '../sign-in/code.tsx'
import { comeIn } from '../sign-in/come-in.ts'
import { challengeOf, requestAnswer } from './ask-browser.ts'

const OCCASION = { purpose: 'passkey-sign-in', sessionId: null } as const

/** What the browser asks its passkeys for. Nobody is known yet, so nothing is looked up. */
export async function offerEntry({ page }: AnonymousRequest): Promise<Response> {
  return requestAnswer(page, OCCASION)
}

/** Signs in a person with a passkey for the challenge of this browser. */
export async function enterByPasskey({ page, form }: AnonymousRequest): Promise<Response> {
  const { env, ipAddress, requestId } = page.ctx
  const next = nextPath(form.get('next'))
  const now = realNow()
  const challenge = await challengeOf(page, OCCASION)
  if (challenge !== null) {
    const { passkey, isProven } = await showPasskey(env, form.get('passkey') ?? '', challenge, now)
    const signedIn = passkey && isProven && (await comeIn(page, passkey, next))
    if (signedIn) return signedIn
    if (passkey && !isProven) await noteFailure(env, passkey, { ipAddress, requestId }, now)
  }
  const { refused } = textsOf(page.locale, passkeyTexts)
  return (await brakeGuess(page)) ?? signInPage(page, '', next, { title: refused }, 422)
}
