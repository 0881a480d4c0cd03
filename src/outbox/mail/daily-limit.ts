import { DAY_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'

/** How many emails an organization sends to one address in a day. */
export const DAILY_LIMIT = 20

/** The UTC day that an email counts toward, since 1970. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS)
}

/** `letters` is a JSON list of emails, each with an `address`. */
export type Counted = Tenant & { readonly letters: string; readonly day: number }

/** The recipient of an email; emails are counted by mailbox. */
export type Addressed = { readonly address: string }

/** The same, with an id that identifies rate-limited recipients. */
export type CountedRecipient = Addressed & { readonly id: string }
