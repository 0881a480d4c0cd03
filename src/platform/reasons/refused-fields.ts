import type { Reason } from './reason.ts'
import type { Thing } from './refusals.ts'

type Names = readonly string[]

const MEMBER: Names = ['member_id', 'member_ids', 'user_id']
const SEATS: Names = ['attendees', 'seats']

/** By what is missing: the fields that can have its id. */
export const NAMES_OF: Readonly<Partial<Record<Thing, Names>>> = {
  booking: ['booking_id'],
  calendar: ['external_id'],
  'calendar account': ['account_id'],
  'calendar connection': ['default_calendar_connection_id'],
  'event type': ['event_type_id', 'event_type_ids'],
  host: ['assigned_host_id'],
  invitation: ['token'],
  member: MEMBER,
  organization: ['organization_id', 'owner_user_id'],
  resource: ['resource_id', 'resource_ids', 'requires'],
  schedule: ['schedule_id'],
  'schedule of this member': ['default_schedule_id'],
  series: ['series_id'],
  session: ['session_id'],
}

/** The fields that a refusal can be about: the first one that was sent, or else that could have been. */
export const FIELDS_OF: Readonly<Partial<Record<Reason, Names>>> = {
  attendees_per_booking: SEATS,
  calendar_read_only: ['receives_bookings'],
  country_refused: ['country'],
  feed_of_resource: ['everybody'],
  has_no_hosts: MEMBER,
  host_required: MEMBER,
  invitation_expired: ['token'],
  invitation_revoked: ['token'],
  needs_from_member: ['from_member_id'],
  never_offered: ['start_time'],
  no_code_needed: ['event_type_id'],
  no_host_choice: MEMBER,
  no_waitlist: ['event_type_id'],
  not_a_host: MEMBER,
  not_its_host: ['from_member_id'],
  other_duration: ['duration'],
  other_event_type: ['booking_id'],
  owns_already: MEMBER,
  preset_needs_server: ['server_url'],
  receives_and_closes: ['everybody'],
  refund_too_large: ['amount'],
  refund_uneven: ['amount'],
  same_email: ['guests', 'attendees', 'invitee_email'],
  takes_all_hosts: MEMBER,
  takes_part_anyway: MEMBER,
  too_many_attendees: SEATS,
  too_many_for_hold: SEATS,
  too_many_guests: ['guests'],
  too_many_to_pay: SEATS,
  unknown_preset: ['preset'],

  already_hosts: MEMBER,
  already_member: ['user_id'],
  already_on_waitlist: ['invitee_email'],
  calendar_connected: ['external_id', 'calendar_url', 'url'],
  email_is_member: ['email'],
  event_type_slug_taken: ['slug'],
  external_id_taken: ['external_id'],
  hold_of_another: ['invitee_email'],
  invitation_pending: ['email'],
  invitee_limit_reached: ['invitee_email'],
  member_without_address: MEMBER,
  no_seats_left: ['attendees'],
  owns_another: MEMBER,
  owns_one: ['owner_user_id'],
  slug_taken: ['slug'],
  viewer_connects_nothing: MEMBER,
}
