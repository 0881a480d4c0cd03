import type { Mailing } from './enqueued.ts'

/** How many emails a booking that was made without a key may cause in a day. */
const EMAILS_A_DAY = 100

/** How many emails a booking has caused that day, and how many it causes now. */
export type Caused = { readonly bookingId: string; readonly before: number; readonly emails: number }

/**
 * Which recipients get an email of a booking that has already caused `before` emails that day; null if they are not
 * counted. The invitee and members always get one.
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
