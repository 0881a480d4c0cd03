import * as z from 'zod'
import { invalid } from '../../../platform/http/errors.ts'
import { Email, Lines, Name, TimeZone } from '../../../platform/http/fields.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import { PlaceId } from '../../places/schema.ts'
import { AnswersInput } from '../../questions/schema.ts'
import {
  AttendeeInput,
  GuestInput,
  InviteeLocale,
  InviteePhone,
  Metadata,
  MOST_GUESTS,
  Notify,
  SmsConsent,
} from '../input-schema.ts'

const MeetingUrl = z
  .url({ protocol: /^https$/, error: problem('not_https') })
  .max(2000)
  .refine((url) => !/[\s\p{Cc}]/u.test(url), problem('has_white_space'))
  .meta({ example: 'https://meet.example.com/ada' })

export const UpdateBookingInput = z
  .object({
    invitee_name: Name(255).optional(),
    invitee_email: Email.optional().describe(
      'The earlier token ends; the new address gets an email with a new link.',
    ),
    invitee_timezone: TimeZone.optional(),
    invitee_locale: InviteeLocale,
    invitee_phone: InviteePhone,
    sms_consent: SmsConsent.describe(
      'Whether the invitee agrees to text messages. If an invitee changes the number without it, it is withdrawn.',
    ),
    notes: Lines(2000).nullable().optional(),
    metadata: Metadata.optional(),
    answers: AnswersInput,
    place_id: PlaceId.unwrap()
      .unwrap()
      .optional()
      .describe(
        "The id of one of the event type's `places`, which sets `location` and `conferencing_url`. Ignored if it has none.",
      ),
    location: Lines(500).nullable().optional(),
    custom_meeting_url: MeetingUrl.nullable()
      .optional()
      .describe(
        'Becomes `conferencing_url`, in place of the link of the event type or of a meeting that was made. Null restores that.',
      ),
    attendees: z
      .array(AttendeeInput)
      .max(100)
      .optional()
      .describe('Replaces all attendees except the invitee. An address that stays keeps its id.'),
    guests: z.array(GuestInput).max(MOST_GUESTS).optional().describe('Replaces all guests.'),
    notify: Notify,
  })
  .meta({
    id: 'UpdateBookingInput',
    description: 'The fields to change.',
    example: { location: 'Room 4', guests: [{ email: 'bob@example.com' }] },
  })
export type UpdateBookingInput = z.output<typeof UpdateBookingInput>

/** What invitees may change with their token. */
const INVITEES: ReadonlySet<string> = new Set([
  'invitee_name',
  'invitee_timezone',
  'invitee_locale',
  'invitee_phone',
  'sms_consent',
  'notes',
  'answers',
  'guests',
  'notify',
])

/** Throws if an invitee sends a field that only the organization changes. */
export function assertOwnFields(input: UpdateBookingInput): void {
  const others = Object.entries(input).filter(([name, value]) => value !== undefined && !INVITEES.has(name))
  if (others.length === 0) return
  throw invalid(Object.fromEntries(others.map(([name]) => [name, problem('needs_key')])))
}
