import { toHex } from '../../platform/auth/secret.ts'

/** The same bytes, and their SHA-256 in hexadecimal once the last of them was read. */
export function hashed(body: ReadableStream<Uint8Array>) {
  const hash = new crypto.DigestStream('SHA-256')
  const writer = hash.getWriter()
  const stream = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: async (bytes, controller) => {
        await writer.write(bytes)
        controller.enqueue(bytes)
      },
      flush: () => writer.close(),
    }),
  )
  const digest = hash.digest.then(toHex)
  // Of a body that is not read to its end nobody asks.
  digest.catch(() => {})
  return { stream, digest }
}
