/** One POST has as many messages, and all its answers together have as many bytes. */
export const MOST_MESSAGES = 10
const MOST_BYTES = 256 * 1024
/** The whole answer of a tool that lists. */
const LIST_BYTES = 40 * 1024
/** What is around a result: `{"result":…,"jsonrpc":"2.0","id":…},`, and in it the server's name and the type of the result. */
const ENVELOPE_BYTES = 256

const encoder = new TextEncoder()

/** How many bytes a value has as JSON. */
export function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).byteLength
}

/** How many bytes the result of one message may have: an equal share, and the ids count. */
export type Room = { readonly result: number; readonly listResult: number }

export function roomFor(messages: readonly unknown[]): Room {
  const ids = messages.map((one) => bytesOf((one as { readonly id?: unknown } | null)?.id ?? null))
  const around = ids.reduce((sum, bytes) => sum + bytes + ENVELOPE_BYTES, 0)
  const result = Math.floor((MOST_BYTES - around) / Math.max(1, messages.length))
  const longest = Math.max(0, ...ids)
  return { result, listResult: Math.min(result, LIST_BYTES - ENVELOPE_BYTES - longest) }
}
