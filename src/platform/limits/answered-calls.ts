import type { CallNote } from './call-note.ts'

/** More of one key at a time are not kept. */
const MOST_WAITING = 200

/** Calls that were answered and not yet kept, by the hash of their key. */
const waiting = new Map<string, CallNote[]>()

/**
 * Notes an answered call. Returns whether it is the first one waiting: its caller stores the waiting calls, unless the key's
 * next call does.
 */
export function noteAnswered(hash: string, note: CallNote): boolean {
  const others = waiting.get(hash)
  if (!others) waiting.set(hash, [note])
  else if (others.length < MOST_WAITING) others.push(note)
  return others === undefined
}

/** Takes the key's waiting calls; the caller stores them. */
export function takeAnswered(hash: string): readonly CallNote[] {
  const notes = waiting.get(hash) ?? []
  waiting.delete(hash)
  return notes
}
