import type { Refusal } from '../platform/http/errors.ts'
import type { ErrorCode } from '../platform/reasons/error-codes.ts'
import type { Reason } from '../platform/reasons/reason.ts'

/** What an agent does next, in words for its model. Reasons may have more exact ones. */
const BY_CODE: Readonly<Record<ErrorCode, string>> = {
  validation_error: 'Correct the arguments that details names and call again.',
  bad_request: 'Change what the message names and call again.',
  unauthorized:
    'Pass as token what came with the hold (token) or the booking (cancel_token), or connect with a valid API key. Do not guess.',
  forbidden: 'Tell the user that this is not allowed to them. Trying again does not help.',
  org_suspended: 'Tell the user that this organization takes no bookings at the moment.',
  plan_limit_exceeded: 'Tell the user that this organization can take no more bookings this month.',
  not_found:
    'Check what names it: an organization the address of its booking page, event types find_event_types, all else the answer that made it.',
  conflict:
    'If the message is about the time, call find_open_times and let the user choose another one. Otherwise look with get_booking how it stands, and tell the user.',
  booking_cap_reached: 'Call find_open_times for another day, week or month.',
  no_host_available: 'Call find_open_times and let the user choose another time.',
  no_calendar_a_connection: 'Tell the user that the organization must connect its calendar first.',
  no_calendar_b_connection: 'Tell the user that the organization must connect its calendar first.',
  rate_limit_exceeded: 'Wait, then make the same call again.',
  internal_error:
    'Make the same call again: nothing is done twice. If it stays, give the user the request_id.',
  service_unavailable: 'Wait two seconds and make the same call again: nothing is done twice.',
  bad_gateway: 'Make the same call again: nothing is done twice.',
}

const BY_REASON: Readonly<Partial<Record<Reason, string>>> = {
  still_running: 'Wait a few seconds and make the same call again: it is the same act.',
  changing: 'Make the same call again.',
  other_request: 'Send another idempotency_key, or none: this one was used with other arguments.',
  hold_expired:
    'Call confirm_hold again with if_still_free true, which books the time if nobody took it, or find_open_times.',
  hold_of_another:
    'This hold is booked for another address. Nothing is booked for your user: let them choose another time.',
  waitlist_full: 'Tell the user that the waitlist is full, and offer other times from find_open_times.',
  already_on_waitlist: 'Tell the user that they are on this waitlist already.',
  price_changed: 'Tell the user the actual price in details, and book again only if they agree to it.',
  invitee_limit_reached: 'Tell the user that they have as many bookings here as one person may have.',
  too_late: 'Tell the user that it is too late for this, and to contact the organization.',
  payment_disputed: 'Tell the user that nothing can be changed while the payment is disputed.',
}

const HELD =
  'Somebody holds this time until details.held_until. Offer details.alternatives to the user, whose local times are in local_alternatives, or call again then. If it is your own hold and its response was lost, next time send an idempotency_key of at least 16 random characters.'

export function whatToDo(refusal: Refusal, publicUrl: string): string {
  const { code, reason, details } = refusal
  if (reason === 'email_unverified') {
    return `POST ${publicUrl}/v1/email-verifications {event_type_id, email} emails six digits. Ask the user for them and call again with verification_code.`
  }
  if (details?.code === 'already_booked') {
    return 'The invitee has this start already: read their booking with get_booking and details.booking_id.'
  }
  if (details?.held_until !== undefined) return HELD
  if (Array.isArray(details?.alternatives) && details.alternatives.length > 0) {
    return 'This time is not free. Offer details.alternatives to the user, whose local times are in local_alternatives, and call again with the one they choose.'
  }
  if (code === 'rate_limit_exceeded' && typeof details?.retry_after === 'number') {
    return `Wait ${details.retry_after} seconds, then make the same call again.`
  }
  return BY_REASON[reason] ?? BY_CODE[code]
}
