import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import { readText } from '../../platform/transport/read-text.ts'
import { SourceError } from './source.ts'

export type Json = Readonly<Record<string, unknown>>

export type Asking = {
  readonly fetch: Fetch
  readonly base: string
  /** How often a request is sent that fails, or that comes too soon. */
  readonly tries: number
  readonly wait: (ms: number) => Promise<void>
}

const ANSWER_MS = 6000
const MAX_BYTES = 8 * 1024 * 1024
const FIRST_PAUSE_MS = 1000
const LONGEST_WAIT_MS = HOUR_MS
const LONGEST_PAUSE_MS = 30 * DAY_MS

/**
 * Reads an address below the base, with the secret. Redirects are not followed, and addresses in answers are never used, so that
 * no other host gets the secret.
 */
export async function askSource(
  asking: Asking,
  path: string,
  query: Readonly<Record<string, string | number>>,
  headers: Readonly<Record<string, string>>,
): Promise<Json> {
  const url = new URL(`${asking.base.replace(/\/$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  for (let tried = 1; ; tried++) {
    const answer = await attempt(asking.fetch, url.href, headers)
    if ('json' in answer) return answer.json
    if (answer.waitMs !== null && answer.waitMs > LONGEST_WAIT_MS) {
      throw new SourceError('later', answer.waitMs)
    }
    if (tried >= asking.tries) throw new SourceError('unavailable')
    await asking.wait(answer.waitMs ?? FIRST_PAUSE_MS * 2 ** (tried - 1))
  }
}

type Answer = { readonly json: Json } | { readonly waitMs: number | null }

async function attempt(
  fetch: Fetch,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  let response: Response
  try {
    response = await fetch(url, { headers, redirect: 'manual', signal })
  } catch {
    return { waitMs: null }
  }
  if (response.ok) {
    try {
      const text = await readText(response, { maxBytes: MAX_BYTES, tooLong: () => new Error(), signal })
      const json: unknown = JSON.parse(text)
      if (typeof json === 'object' && json !== null) return { json: json as Json }
    } catch {
      // As if it had not answered.
    }
    return { waitMs: null }
  }
  await response.body?.cancel()
  switch (response.status) {
    case 401:
      throw new SourceError('refused')
    case 403:
      throw new SourceError('not_allowed')
    case 404:
      throw new SourceError('missing')
    case 429:
      return { waitMs: pauseOf(response.headers) }
  }
  if (response.status >= 500) return { waitMs: null }
  throw new SourceError('unavailable')
}

/** How long the other service wants to be left alone: seconds, or an instant, under several names. */
function pauseOf(headers: Headers): number {
  const said = ['retry-after', 'x-ratelimit-reset', 'x-ratelimit-reset-default', 'ratelimit-reset']
    .map((name) => Number(headers.get(name) || Number.NaN))
    .find((seconds) => seconds >= 0)
  if (said === undefined) return MINUTE_MS
  const ms = said > 1_000_000_000 ? said * 1000 - Date.now() : said * 1000
  return Math.min(Math.max(ms, 0) + 500, LONGEST_PAUSE_MS)
}
