import { type ErrorCode, Refused } from '../../platform/http/errors.ts'
import { type ConsentAnswered, type ConsentRefusal, readConsentRefusal } from '../oauth/consent-refusal.ts'

const NOT_GIVEN = 'Permission was not given.'

/** What the developer who sent the owner of the account here reads of it. */
const MESSAGES: Readonly<Record<ConsentRefusal, readonly [ErrorCode, string]>> = {
  declined: ['bad_request', NOT_GIVEN],
  cancelled: ['bad_request', NOT_GIVEN],
  administrator: [
    'bad_request',
    'Permission was not given: the organization of the account wants an administrator to agree first.',
  ],
  'administrator-asked': [
    'bad_request',
    'Permission was not given: the administrators of the organization of the account were asked to agree first.',
  ],
  blocked: ['bad_request', 'The organization of the account did not let it sign in.'],
  'sign-in': ['bad_request', 'The organization of the account wants another proof of who signs in.'],
  'other-organization': [
    'bad_request',
    'The account does not belong to the organization that it signed in to.',
  ],
  busy: ['bad_gateway', 'The provider asks to try again later.'],
  unknown: ['bad_request', 'The provider gave no permission.'],
}

type ProviderRefusal = { readonly why: ConsentRefusal; readonly refused: Refused }

export function providerRefusal(answered: ConsentAnswered): ProviderRefusal {
  const why = readConsentRefusal(answered)
  const [code, message] = MESSAGES[why]
  return { why, refused: new Refused({ code, message }) }
}

/** Nobody but an administrator can go on from here. */
export function needsAdministrator(why: ConsentRefusal): boolean {
  return why === 'administrator' || why === 'administrator-asked'
}
