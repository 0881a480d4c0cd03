import type { CallNote } from './call-note.ts'

/** More of one key at a time are not kept. */
const MOST_WAITING = 200

/** Calls that were answered and not yet kept, by the hash of their key. */
const waiting = new Map<string, CallNote[]>()

/**
 * Notes a call that was answered. Tells whether it is the first one that waits: whoever noted that one sees to it that
 * they are kept, unless the next call of the key takes them along.
 */
export function noteAnswered(hash: string, note: CallNote): boolean {
  const others = waiting.get(hash)
  if (!others) waiting.set(hash, [note])
  else if (others.length < MOST_WAITING) others.push(note)
  return others === undefined
}

/** What waits to be kept for the key; whoever takes it keeps it. */
export function takeAnswered(hash: string): readonly CallNote[] {
  const notes = waiting.get(hash) ?? []
  waiting.delete(hash)
  return notes
}
