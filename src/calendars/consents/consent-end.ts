import { Refused } from '../../platform/http/errors.ts'
import { withOutcome } from '../../platform/http/oauth-return.ts'
import { sentenceOf } from '../../platform/reasons/reason.ts'
import type { ConsentRefusal } from '../oauth/consent-refusal.ts'
import type { ReturnPlace } from './return-url.ts'

/** How it ended, for the owner of the account, who is sent back to where they came from or stays on our page. */
export type ConsentEnd =
  | { readonly kind: 'connected'; readonly to: string | null }
  /** They said no here; `isGivenBack` says whether the permission was revoked. */
  | { readonly kind: 'declined'; readonly to: string | null; readonly isGivenBack: boolean }
  | {
      readonly kind: 'refused'
      readonly to: string | null
      readonly refusal: Refused
      /** What the provider said, where it was the provider. */
      readonly why?: ConsentRefusal
      /** Where an administrator can agree for everybody, where that may help. */
      readonly administratorUrl?: string
    }
  /** An administrator agreed for everybody of their organization at the provider, or did not. Nothing was connected. */
  | { readonly kind: 'administered'; readonly to: string | null; readonly isGranted: boolean }

/** Throws anything unexpected. */
export function refusedEnd(
  { redirectUrl }: ReturnPlace,
  error: unknown,
  more: Readonly<Record<string, string>> = {},
): ConsentEnd & { readonly kind: 'refused' } {
  if (!(error instanceof Refused)) throw error
  const { refusal } = error
  const outcome = { error: refusal.code, error_description: sentenceOf(refusal), ...more }
  const to = redirectUrl && withOutcome(redirectUrl, outcome)
  return { kind: 'refused', to, refusal: error }
}
