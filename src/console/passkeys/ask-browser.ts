import { cookiesOf } from '../../pages/open-page.ts'
import type { Page } from '../../pages/page.ts'
import { plain } from '../../pages/respond.ts'
import { hostCookie, withCookie } from '../../pages/session-cookie.ts'
import {
  CHALLENGE_LIFE_MS,
  makeChallenge,
  type Occasion,
  takeChallenge,
} from '../../people/sign-in/passkeys/challenge.ts'
import { type PasskeyRow, partyOf } from '../../people/sign-in/passkeys/passkeys.ts'
import { ALGORITHMS } from '../../platform/auth/web-authn.ts'
import { realNow } from '../../platform/limits/clock.ts'

const CHALLENGE = '__Host-hf_challenge'

/** Whether this page is where passkeys of this service work: on its own host and nowhere else. */
export function takesPasskeys({ ctx, url }: Page): boolean {
  return partyOf(ctx.env)?.origin === url.origin
}

/** The challenge that this browser was given for the occasion, used up; null where there is none. */
export function challengeOf(page: Page, occasion: Occasion): Promise<string | null> {
  const sealed = cookiesOf(page.ctx.request).get(CHALLENGE) ?? ''
  return takeChallenge(page.ctx.env, sealed, occasion, realNow())
}

type Person = { readonly handle: string; readonly name: string }

/** What a browser needs to make a passkey, as `PublicKeyCredential.parseCreationOptionsFromJSON` reads it. */
export function creationAnswer(
  page: Page,
  occasion: Occasion,
  { handle, name }: Person,
  known: readonly PasskeyRow[],
): Promise<Response> {
  return challenged(page, occasion, (rpId) => ({
    rp: { id: rpId, name: 'Holdfast' },
    user: { id: handle, name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map(described),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }))
}

/** The same to use one: any, or one of those that are known. */
export function requestAnswer(
  page: Page,
  occasion: Occasion,
  known: readonly PasskeyRow[] = [],
): Promise<Response> {
  return challenged(page, occasion, (rpId) => ({
    rpId,
    userVerification: 'required',
    allowCredentials: known.map(described),
  }))
}

function described({ credentialId }: PasskeyRow) {
  return { type: 'public-key', id: credentialId }
}

async function challenged(
  page: Page,
  occasion: Occasion,
  options: (rpId: string) => Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { env } = page.ctx
  const party = partyOf(env)
  if (!party) return plain(page, 'application/json', '{}', { status: 404, isPrivate: true })
  const { challenge, sealed } = await makeChallenge(env, occasion, realNow())
  const kept = withCookie(page, hostCookie(CHALLENGE, sealed, CHALLENGE_LIFE_MS))
  const asked = { challenge, timeout: CHALLENGE_LIFE_MS, ...options(party.rpId) }
  return plain(kept, 'application/json', JSON.stringify(asked), { isPrivate: true })
}
