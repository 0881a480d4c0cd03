import type { Challenge } from './challenges.ts'

const ALGORITHMS = ['SHA-256', 'MD5'] as const

/** A challenge of Digest that can be answered (RFC 7616, section 3.3). */
export type DigestChallenge = {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  readonly algorithm: (typeof ALGORITHMS)[number]
  /** As the challenge names it; null where it names none, which means MD5. */
  readonly named: string | null
  /** Whether the password is hashed with the nonce, too (`MD5-sess`, which Cyrus offers). */
  readonly isSession: boolean
  /** Whether only the nonce before was too old, not the password wrong. */
  readonly isStale: boolean
}

type Answer = {
  readonly username: string
  readonly password: string
  readonly method: string
  /** Path and query as they are requested. */
  readonly uri: string
  readonly cnonce: string
  /** How often the nonce is used with this request. */
  readonly count: number
}

/** The challenge with the best algorithm; null without one that can be answered: with SHA-256 or MD5, and `qop` auth. */
export function strongestDigest(offers: readonly Challenge[]): DigestChallenge | null {
  const known = offers.flatMap(({ scheme, params }) => {
    const { realm, nonce, opaque, qop = '', algorithm: named, stale } = params
    const name = (named ?? 'MD5').toUpperCase()
    const isSession = name.endsWith('-SESS')
    const algorithm = ALGORITHMS.find((each) => each === name.replace(/-SESS$/, ''))
    const isAuth = qop.split(',').some((each) => each.trim().toLowerCase() === 'auth')
    if (!isDigest(scheme) || !algorithm || !isAuth || realm === undefined || !nonce) return []
    const isStale = stale?.toLowerCase() === 'true'
    return { realm, nonce, opaque: opaque ?? null, algorithm, named: named ?? null, isSession, isStale }
  })
  return known.find(({ algorithm }) => algorithm === 'SHA-256') ?? known[0] ?? null
}

export function isDigest(scheme: string): boolean {
  return scheme.toLowerCase() === 'digest'
}

/** The value of `Authorization` (RFC 7616, section 3.4). */
export async function digestAuthorization(
  { realm, nonce, opaque, algorithm, named, isSession }: DigestChallenge,
  { username, password, method, uri, cnonce, count }: Answer,
): Promise<string> {
  const hash = (text: string) => hashOf(algorithm, text)
  const nc = count.toString(16).padStart(8, '0')
  const secret = await hash(`${username}:${realm}:${password}`)
  const owner = isSession ? await hash(`${secret}:${nonce}:${cnonce}`) : secret
  const request = await hash(`${method}:${uri}`)
  const response = await hash(`${owner}:${nonce}:${nc}:${cnonce}:auth:${request}`)
  const parts = [
    userOf(username),
    `realm=${quoted(realm)}`,
    `uri=${quoted(uri)}`,
    ...(named === null ? [] : [`algorithm=${named}`]),
    `nonce=${quoted(nonce)}`,
    `nc=${nc}`,
    `cnonce=${quoted(cnonce)}`,
    'qop=auth',
    `response="${response}"`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
  ]
  return `Digest ${parts.join(', ')}`
}

/** A header is ASCII; other characters are encoded as in RFC 8187. */
function userOf(username: string): string {
  return /^[\x20-\x7E]*$/.test(username)
    ? `username=${quoted(username)}`
    : `username*=UTF-8''${encodeURIComponent(username).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

async function hashOf(algorithm: string, text: string): Promise<string> {
  const octets = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text))
  return Array.from(new Uint8Array(octets), (octet) => octet.toString(16).padStart(2, '0')).join('')
}
