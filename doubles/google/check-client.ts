import type { Call } from '../world.ts'
import { refuseOAuth } from './refuse.ts'
import type { State } from './state.ts'

/**
 * Client authentication by the form or by Basic (accounts.google.com/.well-known/openid-configuration names both), as
 * `client_secret_post` and `client_secret_basic`. What is wrong with the app is a 401 that says nothing of the person.
 */
export function checkClient(state: State, call: Call, form: URLSearchParams): void {
  const { registration } = state
  const basic = readBasic(call.headers.authorization)
  if (basic && form.has('client_secret')) {
    throw refuseOAuth(400, 'invalid_request', 'Multiple client credentials were provided.')
  }
  const id = basic?.id ?? form.get('client_id')
  const secret = basic?.secret ?? form.get('client_secret')
  // googleapis/google-auth-library-nodejs#111
  if (!id) throw refuseOAuth(400, 'invalid_request', 'Could not determine client ID from request.')
  if (id !== registration.clientId || registration.client === 'unknown') {
    throw refuseOAuth(401, 'invalid_client', 'The OAuth client was not found.')
  }
  switch (registration.client) {
    case 'deleted':
      throw refuseOAuth(401, 'deleted_client', 'The OAuth client was deleted.')
    case 'deletedAsInvalid':
      throw refuseOAuth(401, 'invalid_client', 'The OAuth client was deleted.')
    case 'disabled':
      throw refuseOAuth(401, 'disabled_client', 'The OAuth client was disabled.')
  }
  if (!secret) throw refuseOAuth(400, 'invalid_request', 'client_secret is missing.')
  if (secret !== registration.secret) {
    throw refuseOAuth(401, 'invalid_client', 'The provided client secret is invalid.')
  }
}

function readBasic(header: string | undefined): { id: string; secret: string } | null {
  const text = /^Basic (.+)$/i.exec(header ?? '')?.[1]
  if (!text) return null
  const [id = '', ...secret] = Buffer.from(text, 'base64').toString().split(':')
  const decode = (one: string) => decodeURIComponent(one.replaceAll('+', ' '))
  try {
    return { id: decode(id), secret: decode(secret.join(':')) }
  } catch {
    throw refuseOAuth(401, 'invalid_client', 'Unauthorized')
  }
}
