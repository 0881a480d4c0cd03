import type { CallNote } from './call-note.ts'

/** More of one key at a time are not kept. */
const MOST_WAITING = 200

/** Calls that were answered and not yet kept, by the hash of their key. */
const waiting = new Map<string, CallNote[]>()

/** More keys than an isolate meets within a second or two. */
const MOST_KEEPERS = 1_000

/** By when a request that stores the waiting calls of a key has done so, unless it was aborted. */
const keepers = new Map<string, number>()

/**
 * Notes an answered call. Returns whether its caller has to store the waiting calls, by `until` at the latest: not if another
 * request does.
 */
export function noteAnswered(hash: string, note: CallNote, now: number, until: number): boolean {
  const others = waiting.get(hash)
  if (!others) waiting.set(hash, [note])
  else if (others.length < MOST_WAITING) others.push(note)
  if ((keepers.get(hash) ?? 0) > now) return false
  if (keepers.size >= MOST_KEEPERS) keepers.clear()
  keepers.set(hash, until)
  return true
}

/** Takes the key's waiting calls; the caller, the key's next call, stores them. */
export function takeAnswered(hash: string): readonly CallNote[] {
  const notes = waiting.get(hash) ?? []
  waiting.delete(hash)
  return notes
}

/** The same for the request that was to store them. */
export function takeKept(hash: string): readonly CallNote[] {
  keepers.delete(hash)
  return takeAnswered(hash)
}
