import type { Call, Reply } from '../world.ts'
import { refuseToken } from './answer-errors.ts'
import type { Zoom } from './state.ts'

/** Parameters are taken from the query and from a form alike: developers.zoom.us/docs/integrations/oauth */
export function parametersOf({ query, headers, body }: Call): URLSearchParams {
  const parameters = new URLSearchParams(query)
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  for (const [name, value] of new URLSearchParams(isForm ? body : '')) parameters.set(name, value)
  return parameters
}

/** Null where the app is who it says it is. */
export function refuseApp(zoom: Zoom, call: Call, parameters: URLSearchParams): Reply | null {
  const { clientId, clientSecret, isDisabled } = zoom.registration
  const [id, secret] = credentialsOf(call, parameters)
  // Messages: developers.zoom.us/docs/integrations/oauth-error-messages (4706, 4702, 4704, 4717)
  if (!id || !secret) return refuseToken('invalid_client', 'Client ID or client secret is missing.')
  if (id !== clientId || secret !== clientSecret)
    return refuseToken('invalid_client', 'Invalid client_id or client_secret')
  if (isDisabled) return refuseToken('invalid_client', 'The app has been disabled')
  return null
}

/**
 * Base64 of `client_id:client_secret` as they are: developers.zoom.us/docs/integrations/oauth says how, without the form
 * encoding of RFC 6749 2.3.1 before it. Ids have `_` and `-` in them, which some libraries encode then
 * (panva/oauth4webapi#148) and Zoom does not decode. In the body they are taken too: openiddict/openiddict-core#2025.
 */
function credentialsOf({ headers }: Call, parameters: URLSearchParams): [string, string] {
  const [, encoded] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return [parameters.get('client_id') ?? '', parameters.get('client_secret') ?? '']
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon < 0 ? ['', ''] : [decoded.slice(0, colon), decoded.slice(colon + 1)]
}
