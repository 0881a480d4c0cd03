import type { Call } from '../world.ts'
import type { LoginError } from './login-error.ts'
import type { State } from './state.ts'

/**
 * `client_id` and `client_secret` in the body, or both in `Authorization: Basic` (percent-encoded, as RFC 6749 has it).
 * learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
function credentialsOf(call: Call, form: URLSearchParams): { id: string; secret: string | null } {
  const [scheme = '', said = ''] = (call.headers.authorization ?? '').split(' ')
  if (scheme.toLowerCase() !== 'basic')
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') }
  const [id = '', secret = ''] = Buffer.from(said, 'base64').toString().split(/:(.*)/s)
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '))
    } catch {
      return text
    }
  }
  return { id: decode(id), secret: decode(secret) }
}

export function clientError({ registration }: State, clientId: string): LoginError | null {
  if (!registration.isKnown || clientId !== registration.clientId) {
    return {
      error: 'unauthorized_client',
      code: 700016,
      message: `Application with identifier '${clientId}' was not found in the directory. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
    }
  }
  if (registration.isDisabled) {
    return {
      error: 'unauthorized_client',
      code: 7000112,
      message: `Application '${clientId}'(Holdfast) is disabled.`,
    }
  }
  return null
}

/** What is wrong with a client at the token endpoint, or null. */
export function refuseClient(state: State, call: Call, form: URLSearchParams): LoginError | null {
  const { id, secret } = credentialsOf(call, form)
  if (!id) {
    return {
      error: 'invalid_request',
      code: 900144,
      message: "The request body must contain the following parameter: 'client_id'.",
    }
  }
  const unknown = clientError(state, id)
  if (unknown) return unknown
  if (call.headers.origin && secret !== null) {
    return {
      error: 'invalid_request',
      code: 90023,
      message: 'Cross-origin requests are not allowed when client credentials are presented.',
    }
  }
  if (secret === null || secret === '') {
    return {
      error: 'invalid_client',
      code: 7000218,
      message:
        "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
    }
  }
  if (secret !== state.registration.secret) {
    return {
      error: 'invalid_client',
      code: 7000215,
      message: `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${id}'.`,
    }
  }
  if (state.registration.secretState === 'expired') {
    return {
      error: 'invalid_client',
      code: 7000222,
      message: `The provided client secret keys for app '${id}' are expired. Visit the Azure portal to create new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate credentials for added security: https://aka.ms/certCreds.`,
    }
  }
  return null
}
