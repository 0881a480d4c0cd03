import * as z from 'zod'
import { RULES_TO_SET_ASIDE } from '../../core/rules-to-set-aside.ts'
import { refuseInexact } from '../../platform/http/exact-json.ts'
import {
  Duration,
  Email,
  Lines,
  LocaleTag,
  Name,
  QueryId,
  StartTime,
  TimeZone,
} from '../../platform/http/fields.ts'
import { hasNoNulWithin } from '../../platform/http/typed-text.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { VerificationCode } from '../anonymous-callers/codes/schema.ts'
import { PlaceId } from '../places/schema.ts'
import { AnswersInput } from '../questions/schema.ts'

const MAX_METADATA_KEYS = 50
const MAX_METADATA_BYTES = 16 * 1024

export const Metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (metadata) => Object.keys(metadata).length <= MAX_METADATA_KEYS,
    problem('too_many_keys', { most: MAX_METADATA_KEYS }),
  )
  .refine(
    (metadata) => new TextEncoder().encode(JSON.stringify(metadata)).byteLength <= MAX_METADATA_BYTES,
    problem('too_large', { kib: 16 }),
  )
  .refine(hasNoNulWithin, problem('has_nul'))
  .superRefine(refuseInexact)
  .meta({ maxProperties: MAX_METADATA_KEYS })
  .describe('Your own data about the booking, at most 16 KiB of JSON.')

export const AttendeeInput = z.object({
  name: Name(255),
  email: Email,
  timezone: TimeZone.optional(),
})

export const MOST_GUESTS = 10

export const GuestInput = z
  .object({ email: Email, name: Name(255).optional(), timezone: TimeZone.optional() })
  .describe('A guest comes along without a seat, and gets the emails of the booking.')

/** The invitee's phone number. */
export const InviteePhone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, problem('not_a_phone'))
  .nullable()
  .optional()
  .meta({ example: '+4930901820' })
  .describe('In E.164, such as `+4930901820`. Stored encrypted.')

/** The invitee's zone; it matters whether one was given. */
export const InviteeZone = TimeZone.optional()
  .meta({ default: 'UTC' })
  .describe("Without it, emails show times in the event type's zone.")

/** Whether a call emails the people it concerns. */
export const Notify = z
  .boolean()
  .optional()
  .describe(
    'False: invitees, attendees and guests get no email about this call. Later reminders are sent. Needs a key.',
  )

/** The invitee's language. */
export const InviteeLocale = LocaleTag.nullable()
  .optional()
  .describe(
    "The language of the invitee's emails. Default: the organization's, also for unsupported languages.",
  )

export const Override = z
  .array(z.enum(RULES_TO_SET_ASIDE))
  .max(RULES_TO_SET_ASIDE.length)
  .optional()
  .describe('Rules that are set aside on purpose, with a key only. The record keeps those that had to be.')

/** The host who is asked for. */
export const ChosenHost = QueryId.nullable()
  .optional()
  .describe(
    'The host who must take it, if the event type has a strategy. Without a key only if `host_choice` is not `none`.',
  )

/** Whether the invitee agrees to text messages. */
export const SmsConsent = z.boolean().optional()

export const CreateBookingInput = z
  .object({
    event_type_id: QueryId,
    start_time: StartTime.describe('An open slot, as GET /v1/availability lists it.'),
    invitee_name: Name(255),
    invitee_email: Email.nullable()
      // As an erased address.
      .transform((email) => email ?? '')
      .describe('Null if there is an `invitee_phone`, with a key: the invitee gets no email.'),
    invitee_timezone: InviteeZone,
    locale: InviteeLocale,
    notes: Lines(2000).nullable().optional(),
    answers: AnswersInput,
    verification_code: VerificationCode,
    metadata: Metadata.default({}),
    duration: Duration,
    expected_amount: z
      .int()
      .min(0)
      .max(100_000_000)
      .optional()
      .describe('The price per seat that the invitee was shown. If it is another one: 409 `price_changed`.'),
    expected_currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/, problem('not_a_currency'))
      .optional()
      .describe('The currency of that price, in any letter case.'),
    attendees: z
      .array(AttendeeInput)
      .max(100)
      .default([])
      .describe('The other attendees, with a seat each; the invitee need not be repeated.'),
    guests: z
      .array(GuestInput)
      .max(MOST_GUESTS)
      .optional()
      .describe("At most the event type's `max_guests`."),
    invitee_phone: InviteePhone.describe(
      'In E.164, such as `+4930901820`. Stored encrypted. Required if the place is `phone_out`.',
    ),
    sms_consent: SmsConsent.describe(
      'Whether the invitee agrees to text messages. Default: false without a key, true with one.',
    ),
    place_id: PlaceId,
    member_id: ChosenHost,
    override: Override,
    notify: Notify,
  })
  .meta({
    id: 'CreateBookingInput',
    description: 'The slot to book and its invitee.',
    example: {
      event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      start_time: '2026-03-09T13:00:00Z',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      invitee_timezone: 'Europe/London',
    },
  })
export type CreateBookingInput = z.output<typeof CreateBookingInput>

export const Reason = Lines(500).nullable().optional()

export const CancelBookingInput = z
  .object({ reason: Reason, notify: Notify })
  .meta({ id: 'CancelBookingInput', description: 'The reason.', example: { reason: 'I am ill.' } })
export type CancelBookingInput = z.output<typeof CancelBookingInput>

export const DeclineBookingInput = z.object({ reason: Reason }).meta({
  id: 'DeclineBookingInput',
  description: 'The reason.',
  example: { reason: 'I am away that week.' },
})

export const RescheduleBookingInput = z
  .object({
    new_start_time: StartTime,
    duration: Duration.describe('The new length in minutes, one that is offered. Default: it stays.'),
    member_id: ChosenHost,
    reason: Reason,
    override: Override,
    notify: Notify,
  })
  .meta({
    id: 'RescheduleBookingInput',
    description: 'The new start of the booking.',
    example: { new_start_time: '2026-03-10T13:00:00Z' },
  })
export type RescheduleBookingInput = z.output<typeof RescheduleBookingInput>

export const ReassignBookingInput = z
  .object({
    member_id: QueryId.nullable()
      .optional()
      .describe('The host who gets it. Default: the strategy chooses one.'),
    from_member_id: QueryId.nullable()
      .optional()
      .describe('The host who gives it up. Required if several take part.'),
    reason: Reason,
    override: Override,
    notify: Notify,
  })
  .meta({
    id: 'ReassignBookingInput',
    description: 'The host who gets the booking.',
    example: { member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c45', reason: 'I am ill.' },
  })

export const ResendInput = z
  .object({
    to: z
      .enum(['invitee', 'everybody'])
      .optional()
      .describe('`everybody` includes attendees and guests. Default: `invitee`.'),
  })
  .meta({
    id: 'ResendInput',
    description: 'The recipients of the confirmation.',
    example: { to: 'everybody' },
  })

export const AttendanceInput = z
  .object({
    no_shows: z
      .array(z.string().max(64))
      .max(100)
      .describe('The ids of the attendees who did not come; empty if all came.'),
    host_absent: z.boolean().default(false).describe('Whether no host came.'),
  })
  .meta({
    id: 'AttendanceInput',
    description: 'The attendees who did not come. It replaces the previous record.',
    example: { no_shows: ['0192f1e0-7c11-7000-8000-3b1f0a5d9c44'] },
  })
