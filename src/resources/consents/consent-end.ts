import { Refused } from '../../http/errors.ts'
import { withOutcome } from '../../http/oauth-return.ts'
import type { ReturnPlace } from './return-place.ts'

/** How it ended, for the owner of the account, who is sent back to where they came from or stays on our page. */
export type ConsentEnd =
  | { readonly kind: 'connected'; readonly to: string | null }
  /** They said no here; `isGivenBack` says whether the permission was revoked. */
  | { readonly kind: 'declined'; readonly to: string | null; readonly isGivenBack: boolean }
  | { readonly kind: 'refused'; readonly to: string | null; readonly refusal: Refused }

/** Throws anything unexpected. */
export function refusedEnd({ redirectUrl }: ReturnPlace, error: unknown): ConsentEnd {
  if (!(error instanceof Refused)) throw error
  const { code, message } = error.refusal
  const to = redirectUrl && withOutcome(redirectUrl, { error: code, error_description: message })
  return { kind: 'refused', to, refusal: error }
}
