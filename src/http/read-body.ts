import { invalid } from './errors.ts'

export const MAX_BODY_BYTES = 64 * 1024

/** The body as text; refuses more than 64 KiB without reading the rest. */
export async function readBody(request: Request): Promise<string> {
  if (!request.body) return ''
  const tooLarge = () => invalid({ body: 'Send at most 64 KiB.' })
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      await new Blob(chunks).arrayBuffer(),
    )
  } catch {
    throw invalid({ body: 'Send UTF-8.' })
  }
}

/** The JSON object in `text`; an empty body is an empty object. */
export function parseObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid({ body: 'Send valid JSON.' })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: 'Send a JSON object.' })
  }
  return value as Record<string, unknown>
}
