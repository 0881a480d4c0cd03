import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { WaitingInvitees } from './choose-promotions.ts'

/** The upcoming bookings per address after one of them ends. */
export function withoutOneOf<L extends WaitingInvitees>(email: string, invitees: L): L {
  const address = email.toLowerCase()
  const left = (invitees.booked.get(address) ?? 0) - 1
  return { ...invitees, booked: new Map([...invitees.booked, [address, Math.max(0, left)]]) }
}

/**
 * The waiting addresses whose booking limit just allowed one more. Without a limit bookings are not counted, so it may be
 * any of them.
 */
export function mayAgain(
  before: WaitingInvitees,
  after: WaitingInvitees,
  { eventType: then }: Schedule,
  { eventType: now }: Schedule,
): ReadonlySet<string> {
  const had = then.inviteeLimit
  const has = now.inviteeLimit
  if (had === null) return new Set()
  const countOf = ({ booked }: WaitingInvitees, email: string) => booked.get(email) ?? 0
  const isRoomAgain = (email: string) =>
    has === null || (countOf(before, email) >= had && countOf(after, email) < has)
  return new Set(before.waiting.map(({ inviteeEmail }) => inviteeEmail.toLowerCase()).filter(isRoomAgain))
}
