import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { readText } from '../../platform/transport/read-text.ts'
import { OpenIdError, type Talk } from './openid-config.ts'

const MAX_BYTES = 256 * 1024

/** How oauth4webapi asks the provider: bound in time and size, and never led elsewhere by a redirect. */
export function talkOptions({ config, send, signal }: Talk) {
  return {
    signal,
    [allowInsecureRequests]: config.allowsHttp,
    [customFetch]: async (url: string, init: object) => {
      const response = await send(url, init as RequestInit)
      const { status, headers } = response
      if (status === 429 || status >= 500) {
        await response.body?.cancel()
        throw new OpenIdError('unavailable', `the provider answered with status ${status}`)
      }
      const text = await readText(response, { maxBytes: MAX_BYTES, tooLong, signal })
      return new Response(text === '' ? null : text, { status, headers })
    },
  }
}

function tooLong(): OpenIdError {
  return new OpenIdError('unavailable', 'the provider sent more than can be read')
}
