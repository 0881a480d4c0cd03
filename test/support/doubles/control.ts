import type { ProviderName } from './doubles.ts'
import type { Json, Settings } from './exchange.ts'

const OWNER = 'owner@example.com'

/** A world of one provider at the doubles, and what a test can do there as its owner. */
export type ProviderWorld = ReturnType<typeof openWorld>

export function openWorld(doubles: string, provider: ProviderName, name: string = crypto.randomUUID()) {
  const base = `${doubles}/${provider}/${name}`
  async function control(method: string, path = '', body?: unknown, as = OWNER): Promise<any> {
    const response = await fetch(`${base}/control${path}?${new URLSearchParams({ as })}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`the double refuses ${method} ${path}: ${response.status}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    base,
    set: (settings: Settings): Promise<void> => control('PUT', '', settings),
    look: (as?: string): Promise<{ calls: Json[]; mails: Json[]; meetings: Json[] }> =>
      control('GET', '', undefined, as),
    removeMeeting: (id: string, as?: string): Promise<void> =>
      control('DELETE', `/meetings/${id}`, undefined, as),
    /** Every permission ends; it can be given anew. */
    end: (how: 'revoked' | 'expired', as?: string): Promise<void> => control('POST', '/end', { how }, as),
    /** Access tokens run out at once, refresh tokens do not. */
    expire: (as?: string): Promise<void> => control('POST', '/expire', {}, as),
    /** Sync tokens and delta links are known no more. */
    forget: (as?: string): Promise<void> => control('POST', '/forget', {}, as),
    /** Where the owner's browser is sent back to after they said yes (or no) at `authorizationUrl`. */
    consent: (authorizationUrl: string, as: string = OWNER, says: 'yes' | 'no' = 'yes') =>
      consent(authorizationUrl, as, says),
  }
}

async function consent(authorizationUrl: string, as: string, says: 'yes' | 'no'): Promise<URL> {
  const url = new URL(authorizationUrl)
  url.searchParams.set('as', as)
  if (says === 'no') url.searchParams.set('deny', '1')
  const response = await fetch(url, { redirect: 'manual' })
  const back = response.headers.get('Location')
  await response.body?.cancel()
  if (back === null) throw new Error(`the double refuses to authorize: ${response.status}`)
  return new URL(back)
}
