import type { Challenge } from './challenges.ts'

const ALGORITHMS = ['SHA-256', 'MD5'] as const

/** A challenge of Digest that can be answered (RFC 7616, section 3.3). */
export type DigestChallenge = {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  readonly algorithm: (typeof ALGORITHMS)[number]
  /** Whether the challenge names its algorithm: MD5 is meant where it does not. */
  readonly isNamed: boolean
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
    const algorithm = ALGORITHMS.find((each) => each === (named ?? 'MD5').toUpperCase())
    const isAuth = qop.split(',').some((each) => each.trim().toLowerCase() === 'auth')
    if (!isDigest(scheme) || !algorithm || !isAuth || realm === undefined || !nonce) return []
    const isStale = stale?.toLowerCase() === 'true'
    return { realm, nonce, opaque: opaque ?? null, algorithm, isNamed: named !== undefined, isStale }
  })
  return known.find(({ algorithm }) => algorithm === 'SHA-256') ?? known[0] ?? null
}

export function isDigest(scheme: string): boolean {
  return scheme.toLowerCase() === 'digest'
}

/** The value of `Authorization` (RFC 7616, section 3.4). */
export async function digestAuthorization(
  { realm, nonce, opaque, algorithm, isNamed }: DigestChallenge,
  { username, password, method, uri, cnonce, count }: Answer,
): Promise<string> {
  const hash = (text: string) => hashOf(algorithm, text)
  const nc = count.toString(16).padStart(8, '0')
  const [owner, request] = [await hash(`${username}:${realm}:${password}`), await hash(`${method}:${uri}`)]
  const response = await hash(`${owner}:${nonce}:${nc}:${cnonce}:auth:${request}`)
  const parts = [
    userOf(username),
    `realm=${quoted(realm)}`,
    `uri=${quoted(uri)}`,
    ...(isNamed ? [`algorithm=${algorithm}`] : []),
    `nonce=${quoted(nonce)}`,
    `nc=${nc}`,
    `cnonce=${quoted(cnonce)}`,
    'qop=auth',
    `response="${response}"`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
  ]
  return `Digest ${parts.join(', ')}`
}

/** A header holds ASCII: other letters are written as RFC 8187 has them. */
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
