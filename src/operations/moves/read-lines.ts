import { invalid } from '../../platform/http/errors.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'

/** As long as a line may be, in bytes: https://developers.cloudflare.com/d1/platform/limits/ (a row, a value). */
const MOST_OF_LINE = 2_000_000
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
      yield shortLine(number, rest.slice(from, end))
      number += 1
      from = end + 1
    }
    rest = rest.slice(from)
    if (rest.length > MOST_OF_LINE) throw lineError(number, null, problem('line_too_long'))
  }
  rest += decode()
  if (rest !== '') yield shortLine(number, rest)
}

function shortLine(number: number, text: string): NumberedLine {
  assertShort(number, text)
  return { number, text }
}

/** Refuses a line that the database does not take; `text` is the line or what is stored of it. */
export function assertShort(number: number, text: string): void {
  const isLong = text.length * 3 > MOST_OF_LINE && new TextEncoder().encode(text).byteLength > MOST_OF_LINE
  if (isLong) throw lineError(number, null, problem('line_too_long'))
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
