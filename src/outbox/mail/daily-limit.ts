import { DAY_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'

/** How many letters an organization sends to one address in a day, whatever causes them. */
export const DAILY_LIMIT = 20

/** The UTC day that a letter counts in, since 1970. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS)
}

/** `letters` is a JSON list, each with an `address`. */
export type Counted = Tenant & { readonly letters: string; readonly day: number }

/** The recipient of a letter; letters are counted by mailbox. */
export type Addressed = { readonly address: string }

/** The same, with an id by which it is told who is held back. */
export type CountedRecipient = Addressed & { readonly id: string }
