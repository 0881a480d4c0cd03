import { invalid } from '../../platform/http/errors.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'

/** As long as a line may be: a row of the database is at most 2 MB. */
const MOST_CHARS = 4 * 1024 * 1024
/** Cloudflare takes requests of 100 MB on most plans. */
const MOST_BYTES = 100 * 1024 * 1024

export type NumberedLine = { readonly number: number; readonly text: string }

/** The lines of a body while it comes, from 1 on. What follows the last line break is a line too, unless it is empty. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 1
  let rest = ''
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw lineError(number, null, problem('not_utf8'))
    }
  }
  // A caller of this generator that breaks off must drain the rest.
  for await (const chunk of body.values({ preventCancel: true })) {
    rest += decode(chunk)
    let from = 0
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      yield { number, text: rest.slice(from, end) }
      number += 1
      from = end + 1
    }
    rest = rest.slice(from)
    if (rest.length > MOST_CHARS) throw lineError(number, null, problem('line_too_long'))
  }
  rest += decode()
  if (rest !== '') yield { number, text: rest }
}

/**
 * Reads the rest of a body after its lines were broken off, up to the limit of a request. If the body is cut off instead, the
 * runtime closes the connection of a client that is still sending, and the client never gets the reason.
 */
export async function drainBody(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MOST_BYTES
  try {
    for await (const { byteLength } of body) {
      left -= byteLength
      if (left < 0) return
    }
  } catch {
    // They have gone.
  }
}

/** Says which line of a file is wrong, and in which field. */
export function lineError(number: number, field: string | null, wrong: Problem) {
  return invalid({ [field === null ? `lines.${number}` : `lines.${number}.${field}`]: wrong })
}
