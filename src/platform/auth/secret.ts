import { keysIn } from '../../env.ts'
import { fromBase64Url, toBase64Url } from './base64url.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LAST = 42

/**
 * 256 random bits in 43 characters, safe in URLs and headers. One that leads to a shard beyond the first has 252: of the last
 * character, whose lower two bits are else zero, they are one and the other four are the shard.
 */
export function randomSecret(shard = 0): string {
  const secret = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  return shard === 0 ? secret : secret.slice(0, LAST) + DIGITS[(shard << 2) | 1]
}

/** The shard that a secret leads to; the first one for an invalid secret. */
export function shardOfSecret(secret: string): number {
  const last = secret.length === LAST + 1 ? DIGITS.indexOf(secret[LAST]!) : -1
  return last !== -1 && (last & 3) === 1 ? last >> 2 : 0
}

export async function sha256(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** Compares digests, so that the time it takes reveals nothing about either text. */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [given, expected].map((text) => crypto.subtle.digest('SHA-256', encoder.encode(text))),
  )
  return crypto.subtle.timingSafeEqual(a!, b!)
}

type Keys = { readonly version: string; readonly sealing: CryptoKey; readonly signing: CryptoKey }

/** 126 bits: long enough that no two things share a mark, too short to be a token. */
const MARK_LENGTH = 21

const importedKeys = new Map<string, Promise<Keys>>()

/** Derives two independent keys from one secret (HKDF, RFC 5869). */
async function importKeys(secret: string): Promise<Keys> {
  const root = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, [
    'deriveBits',
    'deriveKey',
  ])
  const derive = (info: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: encoder.encode(info),
  })
  const [version, sealing, signing] = await Promise.all([
    crypto.subtle.deriveBits(derive('holdfast key version'), root, 32),
    crypto.subtle.deriveKey(derive('holdfast seal'), root, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]),
    crypto.subtle.deriveKey(
      derive('holdfast token'),
      root,
      { name: 'HMAC', hash: 'SHA-256', length: 256 },
      false,
      ['sign', 'verify'],
    ),
  ])
  return { version: toHex(version), sealing, signing }
}

function keysOf(encryptionKey: string): Promise<Keys>[] {
  return keysIn(encryptionKey).map((secret) => {
    const known = importedKeys.get(secret)
    if (known) return known
    const imported = importKeys(secret)
    importedKeys.set(secret, imported)
    return imported
  })
}

/** AES-256-GCM under the first key: `version.iv.ciphertext`. */
export async function seal(encryptionKey: string, text: string): Promise<string> {
  const { version, sealing } = await keysOf(encryptionKey)[0]!
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sealing, encoder.encode(text))
  return `${version}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`
}

/** Opens what any of the keys sealed; throws when none of them did or when the text was changed. */
export async function unseal(encryptionKey: string, sealed: string): Promise<string> {
  const [version, iv, ciphertext] = sealed.split('.')
  for (const keys of await Promise.all(keysOf(encryptionKey))) {
    if (keys.version !== version) continue
    const algorithm = { name: 'AES-GCM', iv: fromBase64Url(iv ?? '') }
    return decoder.decode(
      await crypto.subtle.decrypt(algorithm, keys.sealing, fromBase64Url(ciphertext ?? '')),
    )
  }
  throw new Error('sealed with a key that is not configured')
}

/** What tells the keys apart, the one that seals first. Whatever a key sealed begins with it. */
export async function keyVersions(encryptionKey: string): Promise<string[]> {
  return (await Promise.all(keysOf(encryptionKey))).map(({ version }) => version)
}

/** Whether the first key sealed it, so that nothing is lost when the other keys are removed. */
export async function isSealedByFirst(encryptionKey: string, sealed: string): Promise<boolean> {
  const { version } = await keysOf(encryptionKey)[0]!
  return sealed.startsWith(`${version}.`)
}

/** The token that lets an invitee change what `id` names. It is derived, so no database row holds it. */
export async function tokenFor(encryptionKey: string, id: string): Promise<string> {
  const { signing } = await keysOf(encryptionKey)[0]!
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', signing, encoder.encode(id))))
}

/** A mark in place of a text that must not be stored: equal texts have equal marks, and a mark reveals no text. */
export async function markOf(encryptionKey: string, text: string): Promise<string> {
  return (await tokenFor(encryptionKey, `mark/${text}`)).slice(0, MARK_LENGTH)
}

/** Whether a text has the shape of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** Whether the token for `id` begins with these characters. */
export async function isPrefixOfToken(encryptionKey: string, id: string, prefix: string): Promise<boolean> {
  for (const { signing } of await Promise.all(keysOf(encryptionKey))) {
    const signature = await crypto.subtle.sign('HMAC', signing, encoder.encode(id))
    const token = toBase64Url(new Uint8Array(signature))
    if (await isSameSecret(token.slice(0, prefix.length), prefix)) return true
  }
  return false
}

export async function isTokenFor(encryptionKey: string, id: string, token: string): Promise<boolean> {
  if (!isToken(token)) return false
  for (const { signing } of await Promise.all(keysOf(encryptionKey))) {
    if (await crypto.subtle.verify('HMAC', signing, fromBase64Url(token), encoder.encode(id))) return true
  }
  return false
}
