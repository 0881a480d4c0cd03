import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { challengesIn } from './challenges.ts'
import { type DigestChallenge, digestAuthorization, isDigest, strongestDigest } from './digest.ts'
import { PasswordRefused, SignInNotOffered } from './sign-in-refused.ts'

export type SignInScheme = 'basic' | 'digest'

type Credentials = {
  readonly username: string
  readonly password: string
  /** How the server let the account in before; null while it has not asked for a password. */
  readonly scheme: SignInScheme | null
  /** Keeps the scheme with the account as soon as it is another one. */
  readonly onScheme?: (scheme: SignInScheme) => Promise<void>
}

/** A challenge, a lost connection, a nonce that has just become stale, and one more for a server under load. */
const MAX_TRIES = 5

/**
 * Signs in to the hosts of one account: no password is sent before a server asks for it, and never in plain once a server
 * offered Digest, whatever somebody on the way makes of the next challenge.
 */
export class SignIn {
  readonly #username: string
  readonly #password: string
  readonly #onScheme: ((scheme: SignInScheme) => Promise<void>) | undefined
  #scheme: SignInScheme | null
  /** The last challenge of each origin, and how often its nonce was used. */
  readonly #digests = new Map<string, { readonly challenge: DigestChallenge; count: number }>()

  constructor({ username, password, scheme, onScheme }: Credentials) {
    this.#username = username
    this.#password = password
    this.#scheme = scheme
    this.#onScheme = onScheme
  }

  get username(): string {
    return this.#username
  }

  get scheme(): SignInScheme | null {
    return this.#scheme
  }

  /** Whether a request to that address says at once who asks. */
  signs(url: string): boolean {
    return this.#scheme === 'basic' || this.#digests.has(new URL(url).origin)
  }

  /**
   * Makes a request until it is let in: every status but 401 is an answer. Throws PasswordRefused, SignInNotOffered, and
   * `unavailable` where the server takes none of its own nonces.
   */
  async ask(
    method: string,
    url: string,
    send: (authorization: string | null) => Promise<Response>,
  ): Promise<Response> {
    let [isFresh, isLost] = [false, false]
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const authorization = await this.#authorization(method, new URL(url))
      let response: Response
      try {
        response = await send(authorization)
      } catch (error) {
        // SOGo ends connections and does not say so, above all after a challenge.
        if (isLost) throw error
        isLost = true
        continue
      }
      if (response.status !== 401) return response
      response.body?.cancel().catch(() => {})
      const isBasic = authorization?.startsWith('Basic ') ?? false
      await this.#take(response.headers.get('WWW-Authenticate'), url, isBasic, isFresh)
      isFresh = true
    }
    throw new CalendarError('unavailable', 'The server does not accept the answers to its own challenges.')
  }

  /** What to send at first, or in answer to the last challenge; null where nothing was asked for. */
  async #authorization(method: string, { origin, pathname, search }: URL): Promise<string | null> {
    if (this.#scheme === 'basic') return basicAuthorization(this.#username, this.#password)
    const known = this.#scheme === 'digest' ? this.#digests.get(origin) : undefined
    if (known === undefined) return null
    return digestAuthorization(known.challenge, {
      username: this.#username,
      password: this.#password,
      method,
      uri: pathname + search,
      cnonce: crypto.randomUUID(),
      count: ++known.count,
    })
  }

  /** Takes up a challenge, unless it says that what was sent is wrong. `isFresh`: the last one was answered in this request. */
  async #take(header: string | null, url: string, wasBasic: boolean, isFresh: boolean): Promise<void> {
    const offers = challengesIn(header)
    const challenge = strongestDigest(offers)
    const offersDigest = offers.some(({ scheme }) => isDigest(scheme))
    if (offersDigest) await this.#learn('digest')
    if (challenge !== null) {
      // Servers may refuse an old nonce without calling it stale.
      if (isFresh && !wasBasic && !challenge.isStale) throw new PasswordRefused(url)
      this.#digests.set(new URL(url).origin, { challenge, count: 0 })
      return
    }
    const offersBasic = offers.some(({ scheme }) => scheme.toLowerCase() === 'basic')
    if (!offersBasic || this.#scheme === 'digest')
      throw new SignInNotOffered(offers, this.#scheme === 'digest')
    if (wasBasic) throw new PasswordRefused(url)
    await this.#learn('basic')
  }

  async #learn(scheme: SignInScheme): Promise<void> {
    if (scheme === this.#scheme) return
    this.#scheme = scheme
    await this.#onScheme?.(scheme)
  }
}

/** RFC 7617, in UTF-8. */
function basicAuthorization(username: string, password: string): string {
  const octets = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(octets, (octet) => String.fromCharCode(octet)).join(''))}`
}
