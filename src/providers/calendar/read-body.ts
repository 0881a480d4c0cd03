import { CalendarError } from './calendar-client.ts'

/** An answer that is longer than the limit. */
export class TooLongAnswer extends CalendarError {
  constructor() {
    super('unusable', 'The server answers with more than can be read.')
  }
}

/**
 * The text of a body of at most `maxBytes`: one that is longer is given up as soon as it is (TooLongAnswer), one
 * that has not ended when `signal` does is `unavailable`.
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  if (response.body === null) return ''
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = () => reject(new CalendarError('unavailable', 'The server took too long to answer.'))
  ended.catch(() => {})
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const decoder = new TextDecoder()
    let text = ''
    for (let bytes = 0; ; ) {
      const { done, value } = await Promise.race([reader.read(), ended])
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) throw new TooLongAnswer()
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    // Not awaited: a server that hangs may not let go either.
    reader.cancel().catch(() => {})
    throw error instanceof CalendarError
      ? error
      : new CalendarError('unavailable', 'The server stopped in the middle of its answer.')
  } finally {
    signal.removeEventListener('abort', end)
  }
}
