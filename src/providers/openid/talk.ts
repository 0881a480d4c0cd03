import { allowInsecureRequests, customFetch } from 'oauth4webapi'
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
      const text = await boundedText(response, signal)
      return new Response(text === '' ? null : text, { status, headers })
    },
  }
}

async function boundedText({ body }: Response, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader()
  if (!reader) return ''
  const end = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', end, { once: true })
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > MAX_BYTES) throw new OpenIdError('unavailable', 'the provider sent more than can be read')
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
