/**
 * Why a provider gave no permission. `cancelled` may hide that an administrator is needed, because some of Microsoft's pages say
 * no more. `administrator-asked`: the administrators got a request. `blocked`: the organization blocks the sign-in. `sign-in`: it
 * wants another proof.
 */
export type ConsentRefusal =
  | 'declined'
  | 'cancelled'
  | 'administrator'
  | 'administrator-asked'
  | 'blocked'
  | 'sign-in'
  | 'other-organization'
  | 'busy'
  | 'unknown'

export type ConsentAnswered = {
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}

/**
 * https://learn.microsoft.com/entra/identity-platform/reference-error-codes,
 * https://learn.microsoft.com/entra/identity/enterprise-apps/application-sign-in-unexpected-user-consent-error
 */
const BY_CODE: Readonly<Record<string, ConsentRefusal>> = {
  65004: 'declined',
  65001: 'administrator',
  90093: 'administrator',
  90094: 'administrator',
  // Consent that only an administrator may give, and an app that their organization has not got yet.
  650052: 'administrator',
  900941: 'administrator',
  900981: 'administrator',
  90095: 'administrator-asked',
  50020: 'other-organization',
  50034: 'other-organization',
  53000: 'blocked',
  53001: 'blocked',
  53002: 'blocked',
  53003: 'blocked',
  50105: 'blocked',
  50057: 'blocked',
  50058: 'sign-in',
  50074: 'sign-in',
  50076: 'sign-in',
  50079: 'sign-in',
  50158: 'sign-in',
  90033: 'busy',
  90090: 'busy',
}

/** The errors of RFC 6749, section 4.1.2.1, and of OpenID Connect, if there is no code. */
const BY_ERROR: Readonly<Record<string, ConsentRefusal>> = {
  access_denied: 'cancelled',
  consent_required: 'administrator',
  interaction_required: 'sign-in',
  login_required: 'sign-in',
  server_error: 'busy',
  temporarily_unavailable: 'busy',
}

export function readConsentRefusal({ error = '', error_description = '' }: ConsentAnswered): ConsentRefusal {
  const code = /\bAADSTS(\d+)\b/.exec(error_description)?.[1]
  const byCode = code !== undefined && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined
  return byCode ?? (Object.hasOwn(BY_ERROR, error) ? BY_ERROR[error]! : 'unknown')
}
