import { fromBase64Url, toBase64Url } from '../../src/platform/auth/base64url.ts'

const encoder = new TextEncoder()
const PRESENT = 1
const VERIFIED = 4
const ATTESTED = 64

/** What a browser and its authenticator say, each part of which a test may falsify. */
export type Said = {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly flags?: number
  readonly counter?: number
  readonly crossOrigin?: boolean
  readonly userHandle?: string
  readonly id?: string
}

type Asked = { readonly challenge: string; readonly rpId?: string; readonly rp?: { readonly id: string } }

/** An authenticator with one key, as WebAuthn, sections 6.1 and 6.5, describes what it writes. */
export async function newAuthenticator(origin: string) {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-256' },
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair
  const credential = crypto.getRandomValues(new Uint8Array(16))
  const id = toBase64Url(credential)
  const spki = new Uint8Array((await crypto.subtle.exportKey('spki', publicKey)) as ArrayBuffer)
  let counter = 0

  async function written(asked: Asked, type: string, said: Said, attested: Uint8Array) {
    const client = {
      type: said.type ?? type,
      challenge: said.challenge ?? asked.challenge,
      origin: said.origin ?? origin,
      crossOrigin: said.crossOrigin ?? false,
    }
    const clientData = encoder.encode(JSON.stringify(client))
    const rpId = said.rpId ?? asked.rpId ?? asked.rp?.id ?? ''
    const rpIdHash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(rpId)))
    const head = new Uint8Array(5)
    head[0] = (said.flags ?? PRESENT | VERIFIED) | (attested.length > 0 ? ATTESTED : 0)
    new DataView(head.buffer).setUint32(1, said.counter ?? ++counter)
    return { clientData, data: new Uint8Array([...rpIdHash, ...head, ...attested]) }
  }

  return {
    id,
    async register(asked: Asked, said: Said = {}): Promise<string> {
      const attested = new Uint8Array([...new Uint8Array(16), 0, credential.length, ...credential])
      const { clientData, data } = await written(asked, 'webauthn.create', said, attested)
      const response = {
        clientDataJSON: toBase64Url(clientData),
        authenticatorData: toBase64Url(data),
        publicKey: toBase64Url(spki),
        publicKeyAlgorithm: -7,
      }
      return JSON.stringify({ id: said.id ?? id, rawId: said.id ?? id, type: 'public-key', response })
    },
    async assert(asked: Asked, said: Said = {}): Promise<string> {
      const { clientData, data } = await written(asked, 'webauthn.get', said, new Uint8Array())
      const clientHash = new Uint8Array(await crypto.subtle.digest('SHA-256', clientData))
      const message = new Uint8Array([...data, ...clientHash])
      const plain = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, message)
      const response = {
        clientDataJSON: toBase64Url(clientData),
        authenticatorData: toBase64Url(data),
        signature: toBase64Url(derOf(new Uint8Array(plain))),
        ...(said.userHandle !== undefined && { userHandle: said.userHandle }),
      }
      return JSON.stringify({ id: said.id ?? id, rawId: said.id ?? id, type: 'public-key', response })
    },
  }
}

/** r and s as DER writes them: as short as can be, and never negative. */
function derOf(plain: Uint8Array): Uint8Array {
  const numbers = [plain.subarray(0, 32), plain.subarray(32)].flatMap((half) => {
    const start = half.findIndex((byte) => byte !== 0)
    const digits = [...half.subarray(start)]
    if (digits[0]! & 0x80) digits.unshift(0)
    return [0x02, digits.length, ...digits]
  })
  return new Uint8Array([0x30, numbers.length, ...numbers])
}

/** The same answer with one byte of its signature changed. */
export function tampered(answer: string): string {
  const said = JSON.parse(answer)
  const bytes = fromBase64Url(said.response.signature)
  bytes[bytes.length - 1]! ^= 1
  said.response.signature = toBase64Url(bytes)
  return JSON.stringify(said)
}
