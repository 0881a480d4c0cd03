import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import { readBody } from '../client/read-body.ts'
import { isSameServer } from './same-server.ts'
import type { SignIn } from './sign-in.ts'

/** How the server of an account is reached. */
export type DavServer = {
  readonly fetch: Fetch
  readonly signIn: SignIn
  /** Judges each address before a request goes to it, also those that the server sends. */
  readonly mayReach: (url: string) => boolean
}

/** `url`: the password may be sent there, and to what counts as the same server. */
export type DavAccount = DavServer & { readonly url: string }

type DavRequest = {
  readonly method: 'PROPFIND' | 'REPORT' | 'GET' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
}

export type DavAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** The address after redirects. */
  readonly url: string
}

const MAX_REDIRECTS = 5
const TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Sends a request with a limit of ten seconds and 4 MiB, and follows at most 5 redirects on the same server. Throws a
 * CalendarError `refused` for 401, `unavailable` without a response, `unusable` if it is too large or redirects elsewhere.
 */
export async function askServer(account: DavAccount, request: DavRequest): Promise<DavAnswer> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline
  let url = request.url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    refuseStrangers(account, url)
    const to = { ...request, url, signal }
    const response = await account.signIn.ask(to.method, url, (authorization) =>
      send(account, to, authorization),
    )
    if (!REDIRECTS.includes(response.status)) {
      const { status, headers } = response
      return { status, headers, url, body: await readBody(response, MAX_BYTES, signal) }
    }
    response.body?.cancel().catch(() => {})
    url = targetOf(response, url)
  }
  throw new CalendarError('unusable', 'The server redirects too often.')
}

/** The address that a server sent, as an absolute URL on the same server. Throws `unusable` for any other server. */
export function resolveUrl(account: DavAccount, href: string, base: string): string {
  const url = URL.parse(href, base)?.href
  if (url === undefined) throw new CalendarError('unusable', 'The server sent an address that is not valid.')
  refuseStrangers(account, url)
  return url
}

function refuseStrangers(account: DavAccount, url: string): void {
  if (!account.mayReach(url)) {
    throw new CalendarError('unusable', 'The server redirects to an address that is not allowed.')
  }
  if (!isSameServer(new URL(account.url), new URL(url))) {
    throw new CalendarError(
      'unusable',
      `The server leads to another one, ${new URL(url).host}, which would get the password. If it is yours, connect to it.`,
    )
  }
}

async function send(
  account: DavAccount,
  { method, url, headers, body, signal }: DavRequest,
  authorization: string | null,
): Promise<Response> {
  try {
    return await account.fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(authorization !== null && { Authorization: authorization }),
        'User-Agent': 'Holdfast/1.0',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
  } catch {
    const isLate = signal?.aborted
    throw new CalendarError(
      'unavailable',
      isLate ? 'The server took too long to answer.' : 'The server does not answer.',
    )
  }
}

function targetOf(response: Response, url: string): string {
  const target = URL.parse(response.headers.get('Location') ?? '', url)
  if (!response.headers.has('Location') || target === null) {
    throw new CalendarError('unusable', 'The server redirects without saying where.')
  }
  return target.href
}
