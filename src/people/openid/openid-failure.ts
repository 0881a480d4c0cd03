import {
  AuthorizationResponseError,
  HTTP_REQUEST_FORBIDDEN,
  INVALID_SERVER_METADATA,
  JSON_ATTRIBUTE_COMPARISON,
  MISSING_SERVER_METADATA,
  PARSE_ERROR,
  REQUEST_PROTOCOL_FORBIDDEN,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { OpenIdError, type OpenIdFailure } from './openid-config.ts'

/** RFC 6749, sections 4.1.2.1 and 5.2, and OpenID Connect Core 1.0, section 3.1.2.6. */
const BY_ERROR: Readonly<Record<string, OpenIdFailure>> = {
  access_denied: 'declined',
  account_selection_required: 'declined',
  consent_required: 'declined',
  interaction_required: 'declined',
  login_required: 'declined',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
  invalid_client: 'misconfigured',
  invalid_request: 'misconfigured',
  invalid_scope: 'misconfigured',
  unauthorized_client: 'misconfigured',
  unsupported_grant_type: 'misconfigured',
  unsupported_response_type: 'misconfigured',
  invalid_grant: 'refused',
}

const BY_CODE: Readonly<Record<string, OpenIdFailure>> = {
  [HTTP_REQUEST_FORBIDDEN]: 'misconfigured',
  [REQUEST_PROTOCOL_FORBIDDEN]: 'misconfigured',
  [MISSING_SERVER_METADATA]: 'misconfigured',
  [INVALID_SERVER_METADATA]: 'misconfigured',
  [JSON_ATTRIBUTE_COMPARISON]: 'misconfigured',
  [RESPONSE_IS_NOT_CONFORM]: 'misconfigured',
  [RESPONSE_IS_NOT_JSON]: 'unavailable',
  [PARSE_ERROR]: 'unavailable',
}

/** What failed while the provider was identifying somebody, by who can fix it. */
function openIdFailure(error: unknown): OpenIdError {
  if (error instanceof OpenIdError) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const failure = Object.hasOwn(BY_ERROR, error.error) ? BY_ERROR[error.error]! : 'refused'
    const isHearsay = error instanceof AuthorizationResponseError
    const message = `the provider says ${JSON.stringify(error.error.slice(0, 100))}`
    return new OpenIdError(failure, message, isHearsay)
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new OpenIdError(
      'misconfigured',
      'the provider does not take OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or the token that it gave for them',
    )
  }
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const isJudged = typeof code === 'string' && code.startsWith('OAUTH_')
  const failure = isJudged ? (BY_CODE[code] ?? 'refused') : 'unavailable'
  return new OpenIdError(failure, String(message).slice(0, 300))
}

/** The same for all that happens in `act`. */
export async function asOpenId<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw openIdFailure(error)
  }
}
