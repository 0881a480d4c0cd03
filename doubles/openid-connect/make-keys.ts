import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Json } from '../world.ts'
import { type Algorithm, type Key, type Provider, randomId } from './state.ts'

type Pair = Pick<Key, 'publicKey' | 'privateKey'>

/** RSA keys are dear to make: worlds share some, but none with the one that was opened before, nor one with itself. */
const RSA_PAIRS = 4
const rsaPairs: Pair[] = []
let handedOut = 0
const strangersPair: Pair[] = []

const makeRsaPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

function rsaPair(provider: Provider): Pair {
  for (let tries = 0; tries < RSA_PAIRS; tries++) {
    const place = handedOut++ % RSA_PAIRS
    rsaPairs[place] ??= makeRsaPair()
    const pair = rsaPairs[place]
    if (!provider.keys.some(({ publicKey }) => publicKey === pair.publicKey)) return pair
  }
  return makeRsaPair()
}

function pairFor(algorithm: Algorithm, makeRsa: () => Pair): Pair {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  return makeRsa()
}

/** Of somebody who is not the provider. */
export function strangersPairFor(algorithm: Algorithm): Pair {
  return pairFor(algorithm, () => {
    strangersPair[0] ??= makeRsaPair()
    return strangersPair[0]
  })
}

/** The key that signs now, which is published from the start. */
export function signingKey(provider: Provider): Key {
  const { algorithm } = provider.settings
  return provider.keys.findLast((key) => key.algorithm === algorithm) ?? addKey(provider, true)
}

function addKey(provider: Provider, isPublished: boolean, kid = randomId()): Key {
  const { algorithm } = provider.settings
  const key: Key = { kid, algorithm, ...pairFor(algorithm, () => rsaPair(provider)), isPublished }
  provider.keys.push(key)
  return key
}

/** Core 10.1.1: keys of a new `kid` come first to the published ones, and earlier ones may stay there for a while. */
export function rotateKeys(
  provider: Provider,
  said: { readonly keepsEarlier?: boolean; readonly keepsKid?: boolean; readonly publishes?: boolean },
): Key {
  const earlier = signingKey(provider)
  if (said.keepsEarlier === false || said.keepsKid) for (const key of provider.keys) key.isPublished = false
  // The same kid with another key: DataZooDE/quack-oauth#15
  return addKey(provider, said.publishes ?? true, said.keepsKid ? earlier.kid : randomId())
}

/** RFC 7517 5: keys of a kind, or with an `alg` or `use`, that is not understood are to be ignored, not the whole set. */
export function publishedKeys(provider: Provider): Json[] {
  const { algorithm, keysLack, hasStrangeKeys } = provider.settings
  if (algorithm !== 'HS256' && algorithm !== 'none') signingKey(provider)
  const keys = provider.keys
    .filter(({ isPublished }) => isPublished)
    .map(({ kid, algorithm: alg, publicKey }) =>
      Object.fromEntries(
        Object.entries({ ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }).filter(
          ([name]) => !keysLack.includes(name),
        ),
      ),
    )
  return hasStrangeKeys ? [...strangeKeys(keys), ...keys] : keys
}

function strangeKeys(own: readonly Json[]): Json[] {
  const modulus = randomBytes(256).toString('base64url')
  return [
    // A post-quantum key (RFC 9964): FusionAuth/fusionauth-jwt#80, jwt/ruby-jwt#743
    {
      kty: 'AKP',
      alg: 'ML-DSA-44',
      use: 'sig',
      kid: randomId(),
      pub: randomBytes(1312).toString('base64url'),
    },
    // PrefectHQ/fastmcp#4515 (Rauthy, Ory Hydra)
    {
      ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
      kid: randomId(),
      alg: 'EdDSA',
      use: 'sig',
    },
    // nextcloud/user_oidc#1333
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey.export({ format: 'jwk' }),
      kid: randomId(),
    },
    // Keycloak's, for encryption: jpadilla/pyjwt#722, greenpau/caddy-security#170
    { kty: 'RSA', alg: 'RSA-OAEP', use: 'enc', kid: randomId(), n: modulus, e: 'AQAB' },
    // The same kid with another alg and use: keycloak/keycloak#15114
    { kty: 'RSA', alg: 'RSA-OAEP', use: 'enc', kid: own[0]?.kid ?? randomId(), n: modulus, e: 'AQAB' },
    // Of a known kind, without what it needs: huskarl-rs/huskarl#139
    { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: randomId(), x: 'AA' },
  ]
}

/** The left half of the hash that belongs to the algorithm: Core 3.1.3.6. */
export function halfHash(algorithm: Algorithm, text: string): string {
  const hash = createHash(algorithm === 'EdDSA' ? 'sha512' : 'sha256')
    .update(text)
    .digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
