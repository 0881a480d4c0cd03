import { constants, createHmac, type KeyObject, sign } from 'node:crypto'
import type { Json } from '../world.ts'
import { signingKey, strangersPairFor } from './make-keys.ts'
import { type Algorithm, changed, type Provider } from './state.ts'

const part = (json: Json) => Buffer.from(JSON.stringify(json)).toString('base64url')

/**
 * A JWT of those claims (RFC 7515, RFC 7518), signed as the settings say: `none` has no signature (infiniflow/ragflow#15180,
 * forbidden by Core 2); HS256 uses the client's secret (Core 10.1, CVE-2026-33322, auth0-samples/auth0-golang-web-app#24) or
 * `with the public key` (infiniflow/ragflow#15180); `by a key in its header`: RFC 7515 4.1.3 has `jwk`, which proves nothing
 * (CVE-2018-0114).
 */
export function signToken(provider: Provider, claims: Json): string {
  const { algorithm, signature, headerChanges } = provider.settings
  const isForged = signature === 'with the public key'
  const alg = isForged ? 'HS256' : algorithm
  const own = ownKey(provider)
  const stranger = signature.startsWith('by ') ? strangersPairFor(algorithm) : null
  const header = changed(
    {
      alg,
      typ: 'JWT',
      ...(own && { kid: own.kid }),
      ...(signature === 'by a key in its header' && { jwk: stranger?.publicKey.export({ format: 'jwk' }) }),
    },
    headerChanges,
  )
  const signed = `${part(header)}.${part(claims)}`
  const secret = isForged
    ? own!.publicKey.export({ format: 'pem', type: 'spki' }).toString()
    : `${stranger ? 'not ' : ''}${provider.registration.clientSecret}`
  const made = signatureOf(signed, alg, stranger?.privateKey ?? own?.privateKey ?? null, secret)
  if (signature === 'of other claims')
    return `${part(header)}.${part({ ...claims, sub: `${claims.sub}-other` })}.${made}`
  return `${signed}.${signature === 'broken' ? broken(made) : made}`
}

function ownKey(provider: Provider) {
  const { algorithm } = provider.settings
  return algorithm === 'HS256' || algorithm === 'none' ? null : signingKey(provider)
}

function signatureOf(text: string, alg: Algorithm, key: KeyObject | null, secret: string): string {
  if (alg === 'none') return ''
  if (alg === 'HS256' || key === null) return createHmac('sha256', secret).update(text).digest('base64url')
  const data = Buffer.from(text)
  if (alg === 'EdDSA') return sign(null, data, key).toString('base64url')
  if (alg === 'ES256') return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  const padding = alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
  return sign('sha256', data, { key, ...padding }).toString('base64url')
}

function broken(signature: string): string {
  const bytes = Buffer.from(signature, 'base64url')
  bytes[0] = bytes[0]! ^ 1
  return bytes.toString('base64url')
}
