import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../world.ts'
import { hrefOf } from './find-resource.ts'
import type { CalDav } from './state.ts'

/** As SabreDAV has it (lib/DAV/Auth/Backend/AbstractDigest.php, lib/HTTP/Auth/Digest.php); other servers name the algorithm. */
const REALM = 'BaikalDAV'
const HASHES = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' } as const

/** RFC 7616 3.3 */
export function digestChallenges({ settings, nonces }: CalDav, isStale: boolean): string[] {
  const { digestAlgorithms } = settings
  return digestAlgorithms.map((algorithm) => {
    const nonce = randomBytes(12).toString('hex')
    nonces.set(nonce, 0)
    const opaque = createHash('md5').update(REALM).digest('hex')
    const named = digestAlgorithms.join() === 'MD5' ? '' : `,algorithm=${algorithm}`
    return `Digest realm="${REALM}",qop="auth",nonce="${nonce}",opaque="${opaque}"${named}${isStale ? ',stale=true' : ''}`
  })
}

/** The name, and whether the password is right for this request; null without a valid answer. */
export function readDigest(
  { settings, nonces }: CalDav,
  call: Call,
): { readonly username: string; readonly isRight: boolean; readonly isStale: boolean } | null {
  const [, rest] = /^Digest (.*)$/i.exec(call.headers.authorization ?? '') ?? []
  if (rest === undefined) return null
  const params: Record<string, string> = {}
  for (const [, name, quoted, bare] of rest.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g))
    params[name!] = quoted?.replace(/\\(.)/g, '$1') ?? bare!
  const { username = '', nonce = '', nc = '', cnonce = '', qop = '', uri = '', response, algorithm } = params
  const uses = nonces.get(nonce)
  const kind = settings.digestAlgorithms.find((each) => each === (algorithm ?? 'MD5'))
  const query = call.query.toString()
  const asked = hrefOf(call, call.path) + (query ? `?${query}` : '')
  if (uses === undefined || !kind || qop !== 'auth' || uri !== asked)
    return { username, isRight: false, isStale: false }
  const hash = (text: string) => createHash(HASHES[kind]).update(text).digest('hex')
  const owner = hash(`${username}:${REALM}:${settings.password}`)
  const request = hash(`${call.method}:${uri}`)
  const isRight = response === hash(`${owner}:${nonce}:${nc}:${cnonce}:${qop}:${request}`)
  const isStale = settings.nonceUses !== null && uses >= settings.nonceUses
  const count = Number.parseInt(nc, 16)
  nonces.set(nonce, count)
  // RFC 7616 3.4: a count that was there before is a request that somebody repeats.
  return { username, isRight: isRight && count > uses, isStale: isRight && isStale }
}
