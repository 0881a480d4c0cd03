import { type Refused, refuse } from '../../platform/http/errors.ts'
import { type ConsentAnswered, type ConsentRefusal, readConsentRefusal } from '../oauth/consent-refusal.ts'

/** What the developer who sent the owner of the account here reads of it. */
const REASONS = {
  declined: 'permission_declined',
  cancelled: 'permission_declined',
  administrator: 'administrator_needed',
  'administrator-asked': 'administrator_asked',
  blocked: 'sign_in_blocked',
  'sign-in': 'sign_in_again',
  'other-organization': 'other_organization',
  busy: 'provider_busy',
  unknown: 'no_permission',
} as const satisfies Readonly<Record<ConsentRefusal, string>>

type ProviderRefusal = { readonly why: ConsentRefusal; readonly refused: Refused }

export function providerRefusal(answered: ConsentAnswered): ProviderRefusal {
  const why = readConsentRefusal(answered)
  return { why, refused: refuse(REASONS[why]) }
}

/** Nobody but an administrator can go on from here. */
export function needsAdministrator(why: ConsentRefusal): boolean {
  return why === 'administrator' || why === 'administrator-asked'
}
