import type { Call, Reply } from '../world.ts'
import type { Provider, Settings } from './state.ts'

type Credentials = {
  readonly method: Settings['clientAuthentication'][number]
  readonly id: string
  readonly secret: string
}

/** RFC 6749 5.2. Answers of this endpoint are kept by nobody: 5.1. */
export function refuseToken(error: string, error_description: string, status = 400, headers = {}): Reply {
  return {
    status,
    json: { error, error_description },
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache', ...headers },
  }
}

/** Null where the client is the one it says it is. */
export function refuseClient(provider: Provider, call: Call, form: URLSearchParams): Reply | null {
  const { settings, registration } = provider
  const authorization = call.headers.authorization
  const basic = authorization === undefined ? null : readBasic(authorization, settings.basicIs)
  // «The client MUST NOT use more than one authentication method in each request»: RFC 6749 2.3
  if (authorization !== undefined && form.has('client_secret'))
    return refuseToken('invalid_request', 'The client authenticated in more than one way.')
  if (basic && form.has('client_id') && form.get('client_id') !== basic.id)
    return refuseToken('invalid_request', 'The client_id is not that of the header.')
  // A header that was tried is answered with its scheme: RFC 6749 5.2
  const headers =
    authorization === undefined ? {} : { 'WWW-Authenticate': 'Basic realm="double", charset="UTF-8"' }
  const wrong = (text: string) => refuseToken('invalid_client', text, 401, headers)
  const given = authorization === undefined ? readForm(form) : basic
  if (!given) return wrong('The header is not a valid Basic header.')
  const { tokenEndpointAuthMethod } = registration
  const taken = tokenEndpointAuthMethod === null ? settings.clientAuthentication : [tokenEndpointAuthMethod]
  if (!taken.includes(given.method)) return wrong(`The client must use ${taken.join(' or ')}.`)
  if (given.id !== registration.clientId) return wrong('There is no such client.')
  if (given.method !== 'none' && given.secret !== registration.clientSecret)
    return wrong('The secret is wrong.')
  return null
}

function readForm(form: URLSearchParams): Credentials {
  const secret = form.get('client_secret')
  return {
    method: secret === null ? 'none' : 'client_secret_post',
    id: form.get('client_id') ?? '',
    secret: secret ?? '',
  }
}

/**
 * Id and secret are form-encoded each, before they are put together (RFC 6749 2.3.1, Appendix B): panva/openid-client#161,
 * requests/requests-oauthlib#568 (Keycloak reads a `+` as a space). Others take them as they are: panva/oauth4webapi#199.
 */
function readBasic(header: string, basicIs: Settings['basicIs']): Credentials | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header) ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const read = (half: string) => (basicIs === 'as it is' ? half : decodeForm(half))
  const [id, secret] = [read(text.slice(0, colon)), read(text.slice(colon + 1))]
  return id === null || secret === null ? null : { method: 'client_secret_basic', id, secret }
}

function decodeForm(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
