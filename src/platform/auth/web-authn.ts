import { fromBase64Url, toBase64Url } from './base64url.ts'

/*
 * What WebAuthn asks a service to verify (https://www.w3.org/TR/webauthn-3/, sections 7.1 and 7.2). No attestation is asked
 * for, so there are no certificates to look at: the browser hands the key over as SPKI, and the platform verifies signatures.
 */

/** The site and its challenge: the host and the origin of this service, and the challenge (base64url) of this one request. */
export type Expected = { readonly rpId: string; readonly origin: string; readonly challenge: string }

/** ES256, EdDSA and RS256, as COSE numbers them, best first. */
export const ALGORITHMS = [-8, -7, -257] as const
type Algorithm = (typeof ALGORITHMS)[number]

const IMPORTED = {
  [-7]: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  [-8]: { name: 'Ed25519' },
  [-257]: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const satisfies Record<Algorithm, object>

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

/** A new credential: its id (base64url), its key as `algorithm.spki`, and its counter. */
type NewCredential = {
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
}

/** What a browser says of a credential that it just made, as `PublicKeyCredential.toJSON()` writes it; null where it does not hold. */
export async function verifyRegistration(text: string, expected: Expected): Promise<NewCredential | null> {
  const answer = readAnswer(text)
  if (!answer || !(await isAbout(answer, 'webauthn.create', expected))) return null
  const data = await readAuthenticator(answer.response.authenticatorData, expected.rpId)
  const { publicKey, publicKeyAlgorithm } = answer.response
  if (!data?.credentialId || toBase64Url(data.credentialId) !== answer.id) return null
  const algorithm = ALGORITHMS.find((one) => one === publicKeyAlgorithm)
  if (algorithm === undefined || typeof publicKey !== 'string') return null
  const key = `${algorithm}.${publicKey}`
  if (!(await importKey(key))) return null
  return { credentialId: answer.id, publicKey: key, counter: data.counter }
}

/** The id of the credential that an assertion names, and whom the authenticator takes the person for; nothing is proven yet. */
export function namedIn(
  text: string,
): { readonly credentialId: string; readonly userHandle: string | null } | null {
  const answer = readAnswer(text)
  if (!answer) return null
  const { userHandle } = answer.response
  return { credentialId: answer.id, userHandle: typeof userHandle === 'string' ? userHandle : null }
}

/** The counter of an assertion that holds; null where it does not. */
export async function verifyAssertion(
  text: string,
  publicKey: string,
  expected: Expected,
): Promise<number | null> {
  const answer = readAnswer(text)
  if (!answer || !(await isAbout(answer, 'webauthn.get', expected))) return null
  const { authenticatorData, clientDataJSON, signature } = answer.response
  const data = await readAuthenticator(authenticatorData, expected.rpId)
  const key = await importKey(publicKey)
  const [bytes, client, signed] = [authenticatorData, clientDataJSON, signature].map(bytesIn)
  if (!data || !key || !bytes || !client || !signed) return null
  const clientHash = new Uint8Array(await crypto.subtle.digest('SHA-256', client))
  const message = new Uint8Array([...bytes, ...clientHash])
  const plain = key.algorithm.name === 'ECDSA' ? plainSignature(signed) : signed
  if (!plain) return null
  const how = key.algorithm.name === 'ECDSA' ? { name: 'ECDSA', hash: 'SHA-256' } : key.algorithm.name
  return (await crypto.subtle.verify(how, key, plain, message)) ? data.counter : null
}

type Answer = { readonly id: string; readonly response: Readonly<Record<string, unknown>> }

function readAnswer(text: string): Answer | null {
  try {
    const { id, rawId, type, response } = JSON.parse(text)
    const isWhole = typeof id === 'string' && id.length <= 1364 && id === rawId && type === 'public-key'
    return isWhole && typeof response === 'object' && response !== null ? { id, response } : null
  } catch {
    return null
  }
}

function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | null {
  if (typeof value !== 'string' || !/^[\w-]+$/.test(value)) return null
  try {
    return fromBase64Url(value)
  } catch {
    return null
  }
}

/** Whether the browser signed this challenge, for a page of this origin that was not in a frame of another. */
async function isAbout({ response }: Answer, type: string, expected: Expected): Promise<boolean> {
  const bytes = bytesIn(response.clientDataJSON)
  if (!bytes) return false
  try {
    const client = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const { challenge, origin, crossOrigin = false, topOrigin } = client
    const isOurs = challenge === expected.challenge && origin === expected.origin
    return client.type === type && isOurs && crossOrigin === false && topOrigin === undefined
  } catch {
    return false
  }
}

/** Null unless it is about this service, and the authenticator saw and verified the person. */
async function readAuthenticator(value: unknown, rpId: string) {
  const bytes = bytesIn(value)
  if (!bytes || bytes.length < 37) return null
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(rpId))
  if (toBase64Url(bytes.subarray(0, 32)) !== toBase64Url(new Uint8Array(hash))) return null
  const flags = bytes[32]!
  if (!(flags & USER_PRESENT) || !(flags & USER_VERIFIED)) return null
  const view = new DataView(bytes.buffer)
  const counter = view.getUint32(33)
  if (!(flags & HAS_CREDENTIAL)) return { counter, credentialId: null }
  // The model of the authenticator takes 16 bytes before.
  if (bytes.length < 55) return null
  const end = 55 + view.getUint16(53)
  return bytes.length < end ? null : { counter, credentialId: bytes.slice(55, end) }
}

async function importKey(text: string): Promise<CryptoKey | null> {
  const [algorithm, spki] = text.split('.')
  const how = IMPORTED[Number(algorithm) as Algorithm]
  const bytes = bytesIn(spki)
  if (!how || !bytes) return null
  try {
    return await crypto.subtle.importKey('spki', bytes, how, false, ['verify'])
  } catch {
    return null
  }
}

const HALF = 32

/** An ECDSA signature as the platform takes it, r and s of 32 bytes each, from the DER that authenticators write. */
function plainSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null
  const plain = new Uint8Array(2 * HALF)
  let at = 2
  for (const half of [0, 1]) {
    const length = der[at + 1] ?? 0
    const number = der.subarray(at + 2, at + 2 + length)
    if (der[at] !== 0x02 || length === 0 || number.length !== length) return null
    // Numbers are as short as can be, and have a zero in front where they would be negative.
    const digits = number[0] === 0 ? number.subarray(1) : number
    if (digits.length > HALF) return null
    plain.set(digits, (half + 1) * HALF - digits.length)
    at += 2 + length
  }
  return at === der.length ? plain : null
}
