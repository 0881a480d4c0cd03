/*
 * Two clocks. The service's own clock says when a lease ends, a retry is due, a code expires. A sandbox may have a clock of its
 * own, which is stopped until it is set again: what is open, booked, or due to a host or an invitee follows the present of the
 * event type's mode. The types keep one from being used as the other.
 */
declare const CLOCK: unique symbol

/** An instant by the service's own clock, in epoch milliseconds. */
export type RealMs = number & { readonly [CLOCK]: 'real' }
/** An instant as one side of an organization sees it, in epoch milliseconds. */
export type PresentMs = number & { readonly [CLOCK]: 'present' }
/** When a request came: by the clock of its key's side, or by ours where the caller has no key. */
export type AskedMs = RealMs | PresentMs

export function realNow(): RealMs {
  return Date.now() as RealMs
}

/** Live data always follows the real clock. */
export function nowAsSeen(isTest: boolean, sandboxNow: number | null, now: AskedMs): PresentMs {
  return (isTest && sandboxNow !== null ? sandboxNow : now) as PresentMs
}

/** The same for what follows the real clock: live data, and sandboxes without a clock of their own. */
export function nowAsLive(now: RealMs): PresentMs {
  return nowAsSeen(false, null, now)
}
