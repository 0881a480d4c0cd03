import * as z from 'zod'
import {
  Duration,
  Email,
  Id,
  Lines,
  Name,
  QueryId,
  ResourceId,
  Several,
  SeveralIds,
  StartTime,
  Timestamp,
} from '../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../platform/http/page-schema.ts'
import { VerificationCode } from '../anonymous-callers/codes/schema.ts'
import { InviteeLocale, InviteePhone, InviteeZone, SmsConsent } from '../bookings/input-schema.ts'
import { NO_PRICE, PRICE_FIELDS } from '../bookings/schema.ts'
import { Place, PlaceId } from '../places/schema.ts'
import { AnswersInput, GivenAnswers } from '../questions/schema.ts'

const WaitlistStatus = z
  .enum(['waiting', 'promoted', 'expired', 'cancelled'])
  .meta({ id: 'WaitlistStatus', description: 'The state of an entry.' })

export const JoinWaitlistInput = z
  .object({
    event_type_id: QueryId,
    invitee_name: Name(255),
    invitee_email: Email,
    invitee_timezone: InviteeZone,
    locale: InviteeLocale,
    start_time: StartTime.nullable().optional().describe('The slot to wait for; null for any slot.'),
    duration: Duration,
    notes: Lines(2000).nullable().optional(),
    answers: AnswersInput,
    invitee_phone: InviteePhone,
    sms_consent: SmsConsent.describe(
      'Whether the invitee agrees to text messages. Default: false without a key, true with one.',
    ),
    place_id: PlaceId,
    verification_code: VerificationCode,
  })
  .meta({
    id: 'JoinWaitlistInput',
    description: 'The invitee and the slot to wait for.',
    example: {
      event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      start_time: '2026-03-09T13:00:00Z',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      invitee_timezone: 'Europe/London',
    },
  })
export type JoinWaitlistInput = z.output<typeof JoinWaitlistInput>

const fields = {
  id: ResourceId,
  event_type_id: ResourceId,
  status: WaitlistStatus,
  position: z.int().describe('1 is next among the entries for the same slot; 0 once it no longer waits.'),
  invitee_name: z.string(),
  invitee_email: z.string(),
  invitee_timezone: z.string(),
  invitee_locale: z.string().describe("The language of the invitee's emails."),
  notes: z.string().nullable(),
  start_time: Timestamp.nullable(),
  place: Place.nullable().describe('The place that was chosen, as it was then; null without places.'),
  ...PRICE_FIELDS,
  expires_at: Timestamp,
  promoted_booking_id: z.string().nullable(),
  promoted_at: Timestamp.nullable(),
  is_test: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c47',
  event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  status: 'waiting' as const,
  position: 1,
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  invitee_timezone: 'Europe/London',
  invitee_locale: 'en-GB',
  notes: null,
  start_time: '2026-03-09T13:00:00.000Z',
  place: null,
  ...NO_PRICE,
  expires_at: '2026-03-08T09:00:00.000Z',
  promoted_booking_id: null,
  promoted_at: null,
  is_test: false,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

export const WaitlistEntry = z.object(fields).meta({
  id: 'WaitlistEntry',
  description: 'An entry that waits for time to be released.',
  example: EXAMPLE,
})
export type WaitlistEntry = z.output<typeof WaitlistEntry>

const Phone = z.string().nullable().describe('In E.164. Events and lists leave it out.')

export const CreatedWaitlistEntry = z
  .object({
    ...fields,
    invitee_phone: Phone,
    cancel_token: z.string().describe('Lets the invitee leave the waitlist.'),
  })
  .meta({
    id: 'CreatedWaitlistEntry',
    description: 'A new entry and the token of its invitee.',
    example: { ...EXAMPLE, invitee_phone: null, cancel_token: 'n5zL0v3qWk7xYb2mRt8cJd4sHf6gPa1uEo9iTqVyXwA' },
  })
export type CreatedWaitlistEntry = z.output<typeof CreatedWaitlistEntry>

export const WaitlistEntryDetail = z.object({ ...fields, invitee_phone: Phone, answers: GivenAnswers }).meta({
  id: 'WaitlistEntryDetail',
  description: "An entry with its invitee's answers.",
  example: { ...EXAMPLE, invitee_phone: null, answers: { topic: 'Hiring' } },
})

export const WaitlistPage = pageOf(WaitlistEntry, 'WaitlistPage')
export const WaitlistParams = z.object({ id: Id })
export const LeaveQuery = z.object({
  token: z.string().optional().describe("The entry's cancel token, instead of a key."),
})
export const WaitlistQuery = PageQuery.extend({
  event_type_id: SeveralIds,
  status: Several(WaitlistStatus, { $ref: '#/components/schemas/WaitlistStatus' }),
})
export type WaitlistQuery = z.output<typeof WaitlistQuery>
