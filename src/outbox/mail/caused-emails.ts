import type { Mailing } from './enqueued.ts'

/** How many emails a booking that was made without a key causes in a day, whoever changes it. */
const EMAILS_A_DAY = 100

/** What a booking causes: how many emails it has caused that day before, and how many it causes now. */
export type Caused = { readonly bookingId: string; readonly before: number; readonly emails: number }

/**
 * Who of its recipients gets an email of a booking that has caused so many that day, which is null where nobody counts. The
 * invitee and members always do.
 */
export function withinDay<To extends Mailing['to'][number]>(
  to: readonly To[],
  before: number | null,
): { readonly to: readonly To[]; readonly leftOut: readonly string[] } {
  if (before === null) return { to, leftOut: [] }
  const guests = to.filter(({ isMember, is_primary }) => !isMember && !is_primary)
  const room = Math.max(0, EMAILS_A_DAY - before - (to.length - guests.length))
  const leftOut = guests.slice(room).map(({ id }) => id)
  return { to: to.filter(({ id }) => !leftOut.includes(id)), leftOut }
}
