import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import type { Access } from './access.ts'
import { apiFailure } from './api-failure.ts'
import { boundedText } from './bounded-text.ts'
import type { OAuthConfig } from './oauth-config.ts'

export type ApiRequest = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** A path below the API's base, or a whole URL below it that the API sent. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Statuses that the caller handles; every other failure is thrown. */
  readonly expects?: readonly number[]
  /** Ends the wait before ten seconds are over. */
  readonly signal?: AbortSignal | undefined
}

export type ApiAnswer = { readonly status: number; readonly json: unknown; readonly headers: Headers }

export type Api = (request: ApiRequest) => Promise<ApiAnswer>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 8 * 1024 * 1024

/** How the API of a provider is reached on behalf of an account. */
export type Door = {
  readonly config: Pick<OAuthConfig, 'title' | 'apiBase'>
  readonly access: Access
  readonly send: Fetch
}

/**
 * A JSON API on behalf of an account. Tokens are renewed a minute before they expire, and once when the API
 * no longer takes them. Redirects are not followed. Throws a CalendarError and nothing else.
 */
export function openApi({ config: { title, apiBase }, access, send }: Door): Api {
  return async (request) => {
    const url = urlOf(apiBase, title, request)
    // A renewal goes on when nobody waits for it any longer: half a renewal could lose both tokens.
    const wait = (token: Promise<string>) => untilEnd(token, title, request.signal)
    const token = await wait(access.token())
    let answer = await ask(url, request, token, title, send)
    if (answer.status === 401) {
      answer = await ask(url, request, await wait(access.renewedToken(token)), title, send)
    }
    const { status, headers, text } = answer
    const json = parse(text)
    if ((status >= 200 && status < 300) || request.expects?.includes(status)) return { status, json, headers }
    throw apiFailure(title, status, headers, json)
  }
}

function urlOf(apiBase: string, title: string, { path, query = {} }: ApiRequest): string {
  const isWhole = /^https?:/.test(path)
  // The token goes to the API and nowhere else, even if an answer names another address as the next page.
  if (isWhole && !path.startsWith(`${apiBase}/`)) {
    throw new CalendarError('unusable', `${title} put the next page at an address outside its API.`)
  }
  if (isWhole) return path
  const url = new URL(apiBase + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  // A plus sign means a space in forms only.
  url.search = url.search.replaceAll('+', '%20')
  return url.href
}

function untilEnd<T>(promise: Promise<T>, title: string, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(new CalendarError('unavailable', `${title} did not answer.`))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  return Promise.race([promise, ended])
}

async function ask(
  url: string,
  { method = 'GET', headers, body, signal }: ApiRequest,
  token: string,
  title: string,
  send: Fetch,
): Promise<{ status: number; headers: Headers; text: string }> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await send(url, {
      method,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status } = response
    return { status, headers: response.headers, text: await boundedText(response, MAX_BYTES, title) }
  } catch (error) {
    if (error instanceof CalendarError) throw error
    throw new CalendarError('unavailable', `${title} did not answer.`)
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}
