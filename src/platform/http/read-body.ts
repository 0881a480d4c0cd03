import { problem } from '../reasons/reason.ts'
import { invalid } from './errors.ts'
import { parseExactly } from './exact-json.ts'

const MAX_BODY_BYTES = 64 * 1024
const MAX_DEPTH = 32
/** Only a text with one of these can hold something that would not be stored. Digits are counted where they begin, once. */
const SUSPECT = /\\u|__proto__|\d[eE]\+?\d{3}|(?<!\d)\d{309}/

const readAlready = new WeakMap<Request, Promise<string>>()

/** The body as text; refuses more than 64 KiB without reading the rest. A second call gives the same text. */
export function readBody(request: Request): Promise<string> {
  const text = readAlready.get(request) ?? readOnce(request)
  readAlready.set(request, text)
  return text
}

/** Refuses a body that is compressed. */
export function assertUnpacked({ headers }: Request): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase()
  if (encoding && encoding !== 'identity') {
    throw invalid({ 'Content-Encoding': problem('compressed') })
  }
}

async function readOnce(request: Request): Promise<string> {
  const bytes = await readBytes(request, MAX_BODY_BYTES)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw invalid({ body: problem('not_utf8') })
  }
}

/** The body as it was sent; refuses more than `most` bytes without reading the rest. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => invalid({ body: problem('too_large', { kib: most / 1024 }) })
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (length > most) throw tooLarge()
  const { bytes, isWhole } = await (length > 0 ? readWhole : readStart)(request, most)
  if (!isWhole) throw tooLarge()
  return bytes
}

/** For a body whose length was announced. It takes half the CPU of a loop over its chunks. */
async function readWhole(request: Request, most: number) {
  assertUnpacked(request)
  const bytes = new Uint8Array(await request.arrayBuffer())
  return { bytes, isWhole: bytes.byteLength <= most }
}

/** The first bytes of the body, at most `most`; the rest is not read. */
export async function readStart(request: Request, most: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  if (request.body) {
    assertUnpacked(request)
    for await (const chunk of request.body as ReadableStream<Uint8Array<ArrayBuffer>>) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > most) break
    }
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
  return { bytes: bytes.subarray(0, most), isWhole: size <= most }
}

/** The JSON object in `text`; an empty body is an empty object. */
export function parseObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: problem('not_a_json_object') })
  }
  return value as Record<string, unknown>
}

/** The JSON in `text`, whatever it is; refuses what could not be stored as it was sent. Schemas refuse numbers that are not exact. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw invalid({ body: problem('too_deep', { levels: MAX_DEPTH }) })
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    throw invalid({ body: problem('not_json') })
  }
  const unkept = SUSPECT.test(text) ? unkeptPath(value, '') : null
  if (unkept !== null) throw invalid({ [unkept || 'body']: problem('not_storable') })
  return value
}

/** How deep the brackets in a JSON text nest, without parsing it: code that copies the value later recurses. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth)
    else if (char === '}' || char === ']') depth--
  }
  return deepest
}

/** The path of something that would not be stored as it was sent: half a character, a name that objects lose, a number that becomes null. */
function unkeptPath(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path
  if (typeof value === 'number') return Number.isFinite(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || !key.isWellFormed()) return path
    const found = unkeptPath(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
