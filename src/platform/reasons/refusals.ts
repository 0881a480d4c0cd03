import type { BookingRow } from '../db/schema/bookings.ts'
import type { payments } from '../db/schema/payments.ts'
import type { CalendarFailure } from '../icalendar/calendar-error.ts'
import type { ErrorCode } from './error-codes.ts'
import { spanOf } from './words.ts'

/** What may not be there. */
export type Thing =
  | 'API key'
  | 'account'
  | 'action'
  | 'booking'
  | 'booking page'
  | 'calendar'
  | 'calendar account'
  | 'calendar connection'
  | 'calendar feed'
  | 'calendar file'
  | 'channel'
  | 'conferencing connection'
  | 'conferencing provider'
  | 'deletion'
  | 'delivery'
  | 'endpoint'
  | 'event type'
  | 'hold'
  | 'host'
  | 'import'
  | 'invitation'
  | 'member'
  | 'move'
  | 'organization'
  | 'page'
  | 'passkey'
  | 'payment'
  | 'person'
  | 'request'
  | 'resource'
  | 'client'
  | 'sandbox'
  | 'schedule'
  | 'series'
  | 'schedule of this member'
  | 'session'
  | 'time off'
  | 'waitlist entry'
  | 'webhook endpoint'

const CHANGE_PLAN = 'Remove one, or change the plan.'
const UNITS = [
  ['day', 'days'],
  ['hour', 'hours'],
  ['minute', 'minutes'],
] as const

type Most = { readonly most: number }
type OfBooking = { readonly status: BookingRow['status'] }
type OfPayment = { readonly status: (typeof payments.$inferSelect)['status'] }
/** What a calendar or its provider says, in words that nobody translated. */
type Said = { readonly failure: CalendarFailure; readonly said: string }

/** Why a request is refused, by the code of the answer, and what the API says about it. */
export const REFUSALS = {
  validation_error: {
    invalid: ({ field }: { field: string }) => `The request is not valid: see ${field}.`,
  },

  bad_request: {
    link_invalid: 'This link is no longer valid: start again.',
    link_used: 'This link has already been used: start again.',

    email_unverified:
      'This event type needs verification_code: POST /v1/email-verifications sends it to the address.',
    series_is_paid: 'A series can only be booked where bookings are free.',
    series_too_large: 'These bookings are too large together: send fewer starts, attendees or metadata.',
    no_code_needed: 'This event type needs no code.',
    already_seated: 'An attendee already has a seat in this session.',
    same_email: 'Two attendees or guests have the same email address.',
    too_many_attendees: ({ most }: Most) => `This event type takes at most ${most} attendee(s) per booking.`,
    too_many_guests: ({ most }: Most) =>
      most === 0
        ? 'This event type takes no guests.'
        : `This event type takes at most ${most} guest(s) per booking.`,
    too_many_for_hold: ({ most }: Most) => `This hold is for at most ${most} attendee(s).`,
    too_many_to_pay: 'This many seats cost more than one payment can be.',
    attendees_per_booking: ({ most }: Most) =>
      `Without a key, a booking takes at most ${most} attendee(s), including its invitee.`,
    other_duration: ({ offered }: { offered: readonly number[] }) =>
      `This event type offers these durations in minutes: ${offered.join(', ')}.`,
    other_event_type: 'The booking is of another event type.',
    not_a_host: 'member_id is not a host of this event type.',
    has_no_hosts: 'This event type has no hosts.',
    no_host_choice: 'Callers without a key cannot choose the host of this event type.',
    host_required: 'This event type needs member_id, the host who is chosen.',
    takes_all_hosts: 'All hosts of this event type take part, so member_id cannot choose one.',
    takes_part_anyway: 'This host takes part in every booking, so member_id cannot choose them.',
    needs_from_member: 'Several hosts take part: from_member_id says who gives the booking up.',
    not_its_host: 'from_member_id does not take part in this booking.',
    never_offered: 'This start is never offered.',
    no_waitlist: 'This event type has no waitlist.',

    no_payment_provider:
      'This event type has a price, but its organization has no connected payment provider.',
    payment_unavailable:
      "The payment account of this event type's organization has no payment method for this amount and currency, so nothing was booked.",
    payments_not_configured: 'This service is connected to no payment provider.',
    billing_not_configured: 'Billing is not configured on this service.',
    country_refused: ({ country }: { country: string }) =>
      `The payment provider has no accounts in the country ${country}.`,
    not_on_sale: ({ price }: { price: string }) =>
      `This plan is not on sale: the payment provider has no price ${price}.`,
    not_refundable: ({ status }: OfPayment) => `A payment that is ${status} cannot be refunded.`,
    refund_too_large: ({ left }: { left: number }) =>
      `At most ${left} of this payment can still be refunded.`,
    refund_uneven: ({ step, currency }: { step: number; currency: string }) =>
      `An amount in ${currency} must be a multiple of ${step}.`,
    stripe_signature_wrong: 'Stripe-Signature is missing, too old or wrong.',
    zoom_signature_wrong: 'x-zm-signature is missing, too old or wrong.',
    zoom_webhook_not_configured: 'Zoom cannot notify this service: ZOOM_WEBHOOK_SECRET is missing.',

    provider_not_configured: ({ name, variables }: { name: string; variables: string }) =>
      `${name} is not configured here: ${variables}_CLIENT_ID and ${variables}_CLIENT_SECRET are missing.`,
    unknown_preset: ({ known }: { known: readonly string[] }) =>
      `There is no preset of that name; these are known: ${known.join(', ')}.`,
    preset_needs_server: ({ preset }: { preset: string }) => `The preset ${preset} needs server_url.`,
    calendar_shares_no_events:
      'This calendar shares only free and busy times, so its free events are unknown.',
    feed_of_resource: 'The feed of a resource cannot close everybody.',
    receives_and_closes: 'A calendar that receives bookings cannot close everybody.',
    calendar_read_only: 'Nothing may be written to this calendar, so it cannot receive bookings.',
    calendar_refused: ({ said }: Said) => said,
    meetings_of_calendar: ({ provider }: { provider: string }) =>
      `The meetings of ${provider} come with its calendars: disconnect those with DELETE /v1/calendars/{id}.`,
    secret_refused: ({ service, field }: { service: string; field: string }) =>
      `${service} refuses the ${field}.`,
    no_state: 'The answer of the provider has no state.',
    permission_declined: 'Permission was not given.',
    administrator_needed: 'Permission was not given: an administrator of the account must agree first.',
    administrator_asked:
      'Permission was not given: the administrators of the account were asked to agree first.',
    sign_in_blocked: 'The organization of the account did not let it sign in.',
    sign_in_again: 'The organization of the account wants another proof of identity.',
    other_organization: 'The account does not belong to the organization that it signed in to.',
    no_permission: 'The provider gave no permission.',

    only_post: 'Only POST is answered here: there are no sessions and no streams.',
    not_json_type: 'Content-Type must be application/json.',
    not_a_message: 'The body must be one JSON-RPC 2.0 message, or in earlier versions a batch of them.',
    no_batches: ({ version }: { version: string }) => `Version ${version} has no batches: send one message.`,
    header_missing: ({ header }: { header: string }) => `The header ${header} is missing.`,
    header_differs: ({ header }: { header: string }) => `The header ${header} differs from the body.`,
    unknown_revision: ({ known }: { known: readonly string[] }) =>
      `This protocol version is not supported. These are: ${known.join(', ')}.`,

    owns_already: 'This member already owns the organization.',
    invitation_revoked: 'This invitation was revoked.',
    invitation_expired: 'This invitation has expired.',
  },

  unauthorized: {
    no_key: 'Send a valid API key as Authorization: Bearer <key>.',
    no_service_key: 'This endpoint needs the service key.',
    tool_needs_key: 'This tool needs an API key: connect with Authorization: Bearer <key>.',
    wrong_token: ({ thing }: { thing: 'booking' | 'entry' | 'hold' | 'invitation' | 'series' }) =>
      `The token does not belong to this ${thing}.`,
    wrong_link: 'This link does not belong to this request.',
  },

  forbidden: {
    series_limit: ({ most }: Most) =>
      most < 2
        ? 'Booking a series here needs a key.'
        : `Without a key, a series has at most ${most} starts here.`,
    override_needs_key: 'Only callers with a key can set rules aside.',
    not_allowed: 'The caller may not do this.',
    not_by_role: 'Your role does not allow this.',
    needs_live_key: 'A test key cannot change what live mode shares: use a live key.',
    test_key_buys_nothing: 'The plan is bought for the organization, not for its sandbox: use a live key.',
    needs_test_key: 'Test data belongs to test mode: use a test key.',
    import_is_live: 'An import makes live data: request it in live mode.',
    export_is_live: 'An export contains both modes: request it in live mode.',
    not_a_member: 'X-User-Id is not a member of this organization.',
    for_operator: 'This is for the operator, not for members.',
    grace_for_operator: 'Only the operator chooses `grace_days`.',
    deleted_by_operator: 'The operator deletes it, and can take that back.',
    hours_of_others: 'Only owners and admins may do this; members may change their own hours.',
    time_off_of_others: 'Only owners and admins may do this; members may change their own time off.',
    calendars_of_others:
      'Only owners and admins may do this; members may connect and change calendars and meetings of their own.',
    profile_of_others: 'Only owners and admins may do this; members may change their own profile.',
    owner_keeps_role: "The owner's role can only change through transfer-ownership.",
    owner_stays: 'The owner cannot be removed: transfer the ownership first.',
    no_longer_owner: 'The caller no longer owns the organization.',
    viewer_hosts_not: 'Viewers decide only about bookings that they host.',
    branding_needs_plan: 'Removing the branding needs a paid plan.',
    quiet_needs_key: '`notify: false` needs a key.',
    too_late: ({ minutes }: { minutes: number | null }) =>
      minutes === null
        ? 'This booking has begun, so its invitee can no longer change it. Contact the organization.'
        : `An invitee can change this booking until ${spanOf(minutes, UNITS)} before the start only. Contact the organization.`,
    accepts_for_other: 'X-User-Id is neither the user who accepts nor an admin.',
    other_address:
      'user_email is not the invited address. Only the service key may say so, with the user as X-User-Id.',
    owner_is_other: 'X-User-Id must be owner_user_id: nobody can create an organization for somebody else.',
    link_for_other: 'X-User-Id must be user_id: nobody can create a sign-in link for somebody else.',
  },

  org_suspended: {
    takes_no_bookings: 'This organization does not take bookings at the moment.',
    invites_nobody: 'This organization is suspended and cannot invite members.',
  },

  plan_limit_exceeded: {
    bookings_per_month: ({ most }: Most) => `The plan's ${most} bookings for this month are used up.`,
    calendars_per_member: `The plan allows a member no more calendars. ${CHANGE_PLAN}`,
    calendar_feeds: `The plan allows no more calendar feeds. ${CHANGE_PLAN}`,
    members: `The plan allows no more members. ${CHANGE_PLAN}`,
    resources: `The plan allows no more rooms and equipment. ${CHANGE_PLAN}`,
    event_types: `The plan allows no more event types. ${CHANGE_PLAN}`,
    invitations_pending: ({ most }: Most) =>
      `${most} invitations are pending. Revoke one, or wait until one is accepted or expires.`,
  },

  not_found: {
    missing: ({ thing }: { thing: Thing }) => `No such ${thing}.`,
    no_method: 'No such method.',
    no_tool: ({ name }: { name: string }) => `No such tool: ${name}.`,
  },

  conflict: {
    still_running: 'A request with this Idempotency-Key is still running; try again in a moment.',
    other_request: 'This Idempotency-Key was used with a different request.',
    changing: 'This keeps changing; try again in a moment.',

    changed: 'It has changed in the meantime, so nothing was saved: read it again first.',

    not_open: 'This time is not open.',
    series_not_open: 'Not all of these times are open.',
    not_bookable: 'This event type takes no more bookings.',
    invitee_limit_reached: ({ most }: Most) => `An invitee may have ${most} upcoming booking(s) here.`,
    already_on_waitlist: 'This address is already waiting for this slot.',
    waitlist_full: 'The waitlist is full.',
    entry_promoted: 'The entry was promoted: cancel its booking.',
    entry_expired: 'The entry expired.',
    hold_released: 'This hold was released.',
    hold_of_another: 'This hold was confirmed for another email address.',
    hold_expired: 'This hold has expired. Send if_still_free: true to book its time if it is still free.',
    not_decided: 'This request was not decided in time.',
    cannot_approve: ({ status }: OfBooking) => `A ${status} booking cannot be approved.`,
    cannot_decline: ({ status }: OfBooking) => `A ${status} booking cannot be declined.`,
    cannot_reschedule: ({ status }: OfBooking) => `A ${status} booking cannot be rescheduled.`,
    cannot_reassign: ({ status }: OfBooking) => `A ${status} booking cannot be reassigned.`,
    over_already: 'This booking is over.',
    cannot_resend: ({ status }: OfBooking) => `A ${status} booking has no confirmation to send.`,
    sends_own_emails: 'This organization sends its own emails to invitees.',
    cannot_update: ({ status }: OfBooking) => `A ${status} booking cannot be changed.`,
    no_seats_left: 'This session does not have that many seats left.',
    already_cancelled: 'This booking is cancelled already.',
    session_cancelled: 'This session is cancelled.',
    price_changed: 'The price is another one: see expected and actual in details.',
    never_began: 'A booking that was cancelled before it began has no attendance.',
    not_begun: 'Attendance can be recorded once the booking has begun.',
    given_up: 'The booking was cancelled before it could be paid.',

    event_type_slug_taken: 'Another event type of the organization has this address (slug).',
    already_hosts: 'This member already hosts the event type.',
    schedule_in_use: ({ isDefault }: { isDefault: boolean }) =>
      isDefault
        ? 'This schedule is in use. It is the default of its member: choose another default first.'
        : 'This schedule is in use. Event types, their hosts or resources use it: see event_type_ids and resource_ids.',
    resource_in_use: 'Event types require this: see event_type_ids.',
    viewer_connects_nothing: 'This member is a viewer, and viewers connect no calendars.',
    member_without_address: 'This member has no email address.',
    external_id_taken: 'Other time off of this member has this external_id.',

    payment_disputed:
      'This payment is disputed, so the bank has the money. Whether it can be refunded depends on how that is decided.',
    payment_dispute_lost:
      'A dispute about this payment was lost: the payer has the money already, so there is nothing left to refund.',
    cannot_dispute: ({ status }: OfPayment) => `A payment that is ${status} cannot be disputed.`,
    cannot_fail: ({ status }: OfPayment) => `A payment that is ${status} cannot fail.`,
    cannot_process: ({ status }: OfPayment) => `A payment that is ${status} cannot be processed.`,
    has_plan: 'The organization has this plan already.',
    pays_plan: 'The organization pays for this plan already.',
    plan_ends: 'The subscription ends with its period; resume it before switching plans.',
    payment_open: 'A payment is open; settle it in the billing portal before switching plans.',
    no_subscription: 'No subscription is running.',

    calendar_connected: 'This calendar is already connected.',
    account_connected: 'This account is already connected.',
    calendar_changed: 'The calendar was changed at the same time; try again.',
    endpoint_unverified: 'The endpoint is not verified: verify it first.',
    endpoint_changed: 'The endpoint was changed at the same time; try again.',
    too_many_endpoints: ({ most }: Most) =>
      `An organization has at most ${most} webhook endpoints in each mode.`,
    delivery_not_failed: ({ status }: { status: string }) =>
      `Only a failed delivery can be retried; this one is ${status}.`,

    slug_taken: 'This address (slug) is already taken.',
    owns_one: 'This person already owns an organization, and nobody can own two.',
    owns_another: 'This member already owns another organization.',
    owner_is_booked: 'Their calendar is booked when bookings of the owner are: see conflicts in details.',
    already_member: 'This user is already a member.',
    email_is_member: 'Somebody with this email is already a member.',
    invitation_pending: 'An invitation for this email is pending.',
    invitation_accepted: 'This invitation was already accepted.',
    accepted_already: 'The invitation was accepted; remove the member.',
    being_deleted: 'It is being deleted: that cannot be taken back any more.',
    to_be_deleted: 'It is going to be deleted: take that back first.',
    shard_missing: ({ shard }: { shard: number }) =>
      `The ids of this organization lead to a database DB_${shard}, which is not bound here.`,
    organization_here: 'This organization is here already.',
    row_taken: ({ column }: { column: string }) =>
      `Something of it is here already, or twice in the file: ${column}.`,
    file_contradicts: 'The file contradicts itself: it was changed while it was exported. Export it again.',
  },

  booking_cap_reached: {
    cap_reached: 'The booking cap of this period is reached.',
  },

  no_host_available: {
    hosts_busy: 'Every host is busy at this time.',
    no_other_host: 'None of the other hosts is free at this time.',
    host_left: 'Its host left the organization, and nobody else is free at this time.',
  },

  no_calendar_a_connection: {
    needs_google: 'Google Meet (calendar_a_meet) needs an active Google calendar connection.',
    google_makes_no_meetings:
      'Google Meet (calendar_a_meet) needs an account that makes meetings: Google makes none for a personal account, or for one without a licence for them. Connect a work or school account.',
  },

  no_calendar_b_connection: {
    needs_microsoft: 'Microsoft Teams (calendar_b_meet) needs an active Microsoft 365 calendar connection.',
    microsoft_makes_no_meetings:
      'Microsoft Teams (calendar_b_meet) needs an account that makes meetings: Microsoft 365 makes none for a personal account, or for one without a licence for them. Connect a work or school account.',
  },

  rate_limit_exceeded: {
    calls_per_key: ({ most, window }: { most: number; window: '1m' | '24h' }) =>
      `This key is limited to ${most} calls per ${window === '1m' ? 'minute' : 'day'}.`,
    calls_per_network: 'Too many requests from this network.',
    cost_per_network: 'The requests of this network read too much in this minute.',
    failures_per_network: 'Too many wrong keys or tokens from this network.',
    bookings_per_network_hour: ({ most }: Most) =>
      `Without a key, a network may book or join ${most} times an hour here.`,
    pending_per_network: ({ most }: Most) =>
      `Without a key, a network may have ${most} holds and pending bookings here.`,
    active_per_email: ({ most }: Most) =>
      `Without a key, an address can have ${most} upcoming bookings here.`,
    waiting_per_email: ({ most }: Most) => `Without a key, an address may wait ${most} times here.`,
    verifications_per_email_hour: ({ most }: Most) =>
      `At most ${most} codes an hour are sent to one address.`,
    verifications_per_network_hour: ({ most }: Most) => `A network may request ${most} codes an hour here.`,
    reschedules_per_booking_day: ({ most }: Most) =>
      `Without a key, a booking may be moved ${most} times in 24 hours.`,
    calls_per_booking_minute: ({ most }: Most) => `Without a key, a booking takes ${most} calls a minute.`,
    emails_per_address_day: ({ most }: Most) => `An address gets at most ${most} emails a day (UTC).`,
    verifications_per_hour: ({ most }: Most) => `An endpoint can be verified ${most} times an hour.`,
    invitations_per_hour: ({ most }: Most) => `An address can be invited ${most} times an hour.`,
    invitations_per_day:
      'The organization can invite nobody else today: the plan allows no more until midnight UTC.',
    support_requests_per_day: ({ most }: Most) =>
      `An organization can send ${most} requests a day, until midnight UTC.`,
    sign_ins_per_hour: 'Too many codes were requested.',
  },

  internal_error: {
    unexpected: 'Something failed on our side. It is logged under the request id.',
  },

  service_unavailable: {
    moving: 'This organization is moving to another place. Try again in a few minutes.',
    unavailable:
      'A service that we depend on did not answer. Try again in a moment, with the same Idempotency-Key.',
    not_all_erased: 'Not everything was deleted. Make the same call again to continue.',
  },

  bad_gateway: {
    payment_failed: 'The payment provider failed, so nothing was booked. The same request can be sent again.',
    payment_unanswered: 'The payment provider did not answer.',
    payment_provider_failed: 'The payment provider failed; try again in a moment.',
    payment_provider_misconfigured:
      'The payment provider refuses this until the operator of this service changes something there. The operator was notified; trying again before that changes nothing.',
    payment_not_synced:
      'The payment provider did not answer, so the payment is as it was known before. Try again in a moment.',
    event_unanswered: 'The payment provider did not give the details of this event.',
    refund_unanswered: 'The payment provider did not answer; whether it refunds will show in a minute.',
    refund_retried: 'The payment provider did not refund it yet; it is retried.',
    refund_failed: 'The payment provider did not make the refund.',
    provider_busy: 'The provider asks to try again later.',
    calendar_failed: ({ said }: Said) => said,
    source_unanswered: ({ service }: { service: string }) =>
      `${service} did not answer; try again in a moment.`,
  },
} satisfies Record<ErrorCode, Record<string, string | ((numbers: never) => string)>>
