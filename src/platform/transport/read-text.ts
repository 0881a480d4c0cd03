type Bounds = {
  readonly maxBytes: number
  /** What is thrown of a body that is longer. */
  readonly tooLong: () => Error
  /** Ends the wait for the body, even where the server hangs. */
  readonly signal?: AbortSignal
}

/**
 * The whole body as text, decoded as UTF-8; '' where there is none. One that is longer than `maxBytes` is given up as
 * soon as it is. Throws `tooLong()`, the reason of `signal` once that ends, and whatever the body breaks off with.
 */
export async function readText(response: Response, { maxBytes, tooLong, signal }: Bounds): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of chunksOf(response, signal)) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLong()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The first `maxBytes` of the body as text, or what has arrived of them where it breaks off. Throws nothing. */
export async function readStart(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let [text, left] = ['', maxBytes]
  try {
    for await (const chunk of chunksOf(response)) {
      // With `stream`, a character that is cut in two is left out.
      text += decoder.decode(chunk.subarray(0, left), { stream: true })
      left -= chunk.byteLength
      if (left <= 0) return text
    }
    return text + decoder.decode()
  } catch {
    return text
  }
}

/** A reader that stops early releases the rest. */
async function* chunksOf({ body }: Response, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader()
  if (!reader) return
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ended.catch(() => {})
  const end = () => reject(signal?.reason)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    for (;;) {
      const { done, value } = await Promise.race([ended, reader.read()])
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', end)
    // Not awaited: a server that hangs may not let go either.
    reader.cancel().catch(() => {})
  }
}
