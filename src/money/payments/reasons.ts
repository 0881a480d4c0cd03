/** Why the service itself gives up an unpaid booking: its `cancel_reason`. */
export const NOT_PAID_IN_TIME = 'It was not paid in time.'
export const PROVIDER_FAILED = 'The payment provider failed.'
export const PAYMENT_CANCELLED = 'The payment was cancelled at the payment provider.'

const OURS: ReadonlySet<string | null> = new Set([NOT_PAID_IN_TIME, PROVIDER_FAILED, PAYMENT_CANCELLED])

/** Another one, which its invitee reads: they have paid. */
export const NO_HOST_LEFT = 'Its host left and nobody else is free.'

/** All that say that it was never paid, as a JSON list. */
export const OUR_REASONS = JSON.stringify([NOT_PAID_IN_TIME, PROVIDER_FAILED, PAYMENT_CANCELLED])

/** Whether nobody typed it. */
export function isOurReason(reason: string | null): boolean {
  return OURS.has(reason)
}
