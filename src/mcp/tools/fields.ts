export type Field = {
  readonly type: string
  readonly description?: string
  /** In answers. In arguments, null means absent. */
  readonly orNull?: true
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
}

const text = (description?: string): Field => ({ type: 'string', ...(description && { description }) })
const number = (description?: string): Field => ({ type: 'number', ...(description && { description }) })
const flag = (description?: string): Field => ({ type: 'boolean', ...(description && { description }) })
const object = (description?: string): Field => ({ type: 'object', ...(description && { description }) })
const orNull = (field: Field): Field => ({ ...field, orNull: true })
const listOf = (items: Field, description?: string): Field => ({
  type: 'array',
  ...(description && { description }),
  items,
})

const PERSON: Field = {
  type: 'object',
  properties: { name: text(), email: text(), timezone: text() },
}

/** Every argument and every name at the top of an answer: in all tools the same, and the same as in the API. */
export const FIELDS = {
  organization: text('Slug, or the address of its booking page.'),
  event_type_id: text('From find_event_types.'),
  id: text('Of the hold to confirm, or of the booking.'),
  token: text('Of the hold, or cancel_token.'),
  start: text('First date, YYYY-MM-DD, in timezone.'),
  end: text('Last date, included; at most 31 days.'),
  from: text('A date or an instant. Default: now.'),
  to: text('A date, included, or an instant. Default: 31 days after from.'),
  start_time: orNull(text('As find_open_times lists it.')),
  new_start_time: text('As find_open_times lists it.'),
  timezone: text('IANA zone of the person.'),
  duration: number('Minutes, if several durations are offered.'),
  limit: number('At most 200.'),
  seats: number('Default 1.'),
  ttl_seconds: number('30 to 900; default 600.'),
  hold_token: text('Shows the start of this hold too.'),
  booking_id: text('Of a booking to move; with its token or a key.'),
  invitee_name: text(),
  invitee_email: text(),
  invitee_timezone: text('Default: timezone.'),
  locale: text('Language of the emails, such as de.'),
  notes: text(),
  answers: object('By the keys of the questions.'),
  attendees: listOf(PERSON, 'Others with a seat; timezone is optional.'),
  guests: listOf(PERSON, 'Others without a seat; only email is required.'),
  invitee_locale: text(),
  invitee_phone: text(),
  place_id: text('One of places.'),
  location: text('With a key.'),
  custom_meeting_url: text('With a key; https.'),
  verification_code: text('Six digits, if verify_email.'),
  if_still_free: flag('Book an expired hold if nobody took the time.'),
  reason: text(),
  member_id: text('The new host, such as from explain_time. Default: chosen among the free ones.'),
  from_member_id: text('The host who gives it up, if several take part.'),
  status: text(),
  start_after: text(),
  start_before: text(),
  starting_after: text('The last id so far; of open times the last start_time.'),
  date: text('Instead of start_time: the whole day, YYYY-MM-DD, in timezone.'),
  idempotency_key: text('To repeat it on purpose.'),
  dry_run: flag('Only a preview.'),
  untrusted: listOf(text()),
  org_name: text(),
  org_slug: text(),
  available: flag(),
  event_types: listOf(object()),
  event_type: object(),
  slots: listOf(object()),
  waitlist_slots: listOf(object()),
  next_available: orNull(text()),
  plan_limit: flag(),
  has_more: flag(),
  data: listOf(object()),
  bookable: flag(),
  reasons: listOf(object()),
  hosts: listOf(object()),
  alternatives: listOf(text()),
  open: listOf(object()),
  closed: listOf(object()),
  local_start: text(),
  end_time: text(),
  expires_at: text(),
  local_expires: text(),
  cancel_token: text(),
  payment: orNull(object()),
  position: number(),
  allowed_actions: object(),
  assigned_host: orNull(object()),
  replayed: flag(),
  suggested_next_action: text(),
  error: object(),
} as const satisfies Record<string, Field>

/** What every tool takes that changes something. */
export const WRITES = ['idempotency_key', 'dry_run'] as const
