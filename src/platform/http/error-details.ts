import * as z from 'zod'
import { PLAN_CAPS } from '../limits/plan-limits.ts'
import { PUBLIC_BRAKES } from '../limits/public-limits.ts'
import type { ErrorCode } from '../reasons/error-codes.ts'
import { CONFLICTS, FORBIDDEN, RULES, SECRET_REFUSED } from './errors.ts'
import { Tier, Timestamp } from './fields.ts'

const RETRY_AFTER = z.int().describe('Seconds.')

const HELD_UNTIL = Timestamp.optional().describe(
  'Until when a hold takes the start, or a booking that waits for a payment or an approval.',
)

/** What a 429 of a key says, in `details` and beside `error`. */
const keyBrake = {
  limit: z.int().describe('How many calls the window allows.'),
  window: z.enum(['1m', '24h']),
  reset_at: Timestamp,
  retry_after: RETRY_AFTER,
  tier: Tier,
}

/** What a 409 about a start says if the invitee has it already. */
const OWN_BOOKING = z
  .string()
  .optional()
  .describe("The invitee's own booking at that start, if `code` is `already_booked`.")

const OF_OWN_START = { code: z.literal('already_booked').optional(), booking_id: OWN_BOOKING }

const FIELD = z.string().optional().describe('The field of the request that it is about, if it is about one.')

const CONFLICT = z.object({
  start_time: Timestamp,
  code: z.string().optional().describe('Why a start of a series is not open, as in its `skipped`.'),
  booking_id: z.string().nullable().optional(),
  with_booking_id: z.string().nullable().optional(),
})

const PRICE = z.strictObject({ amount: z.int().nullable(), currency: z.string().nullable() })

/** What `details` holds, by code; a code that is missing here has none. Strict, so that tests find unlisted fields. */
export const ERROR_DETAILS: Partial<Record<ErrorCode, z.ZodType>> = {
  validation_error: z.record(z.string(), z.string()).describe('The errors, by field.'),
  conflict: z
    .strictObject({
      alternatives: z.array(Timestamp).optional().describe('The next open starts, if a start was requested.'),
      held_until: HELD_UNTIL,
      code: z.enum([...CONFLICTS, 'already_booked']).optional(),
      field: FIELD,
      booking_id: OWN_BOOKING,
      updated_at: Timestamp.optional().describe('When it was last changed, if `code` is `changed`.'),
      updated_by: z
        .strictObject({
          type: z.enum(['api_key', 'service', 'member', 'invitee', 'system']),
          name: z.string().nullable(),
        })
        .optional()
        .describe('The actor of the last change, if `code` is `changed`.'),
      event_type_ids: z
        .array(z.string())
        .optional()
        .describe('The event types that use the schedule or require the resource; at most 100.'),
      resource_ids: z
        .array(z.string())
        .optional()
        .describe('The resources that use the schedule; at most 100.'),
      expected: PRICE.optional().describe('The price that the caller expected.'),
      actual: PRICE.optional().describe('The price that would be charged.'),
      conflicts: z
        .array(CONFLICT)
        .optional()
        .describe(
          'Of a series, the starts that are not open. Of a transfer of the ownership, the bookings that would overlap, at most 20; an id is null for a hold that is not a booking yet.',
        ),
    })
    .optional(),
  not_found: z.strictObject({ field: FIELD }).optional(),
  forbidden: z
    .strictObject({
      code: z.enum(FORBIDDEN),
      notice_minutes: z
        .int()
        .optional()
        .describe('How long before the start an invitee can still do it; 0 means until the start.'),
    })
    .optional(),
  plan_limit_exceeded: z
    .strictObject({ limit: z.enum(PLAN_CAPS) })
    .optional()
    .describe('Which limit of the plan was reached.'),
  no_host_available: z.strictObject({
    requested_time: Timestamp,
    hosts_checked: z.int(),
    held_until: HELD_UNTIL,
    ...OF_OWN_START,
  }),
  booking_cap_reached: z.strictObject(OF_OWN_START).optional(),
  bad_request: z
    .strictObject({
      code: z.enum([...RULES, SECRET_REFUSED]).optional(),
      field: FIELD,
      limit: z
        .enum(['attendees_per_booking'])
        .optional()
        .describe('The limit of `public_limits` that the call without a key exceeds.'),
      refundable_amount: z.int().optional().describe('The rest of the payment, in cents.'),
    })
    .optional(),
  rate_limit_exceeded: z
    .union([
      z
        .strictObject(keyBrake)
        .meta({ id: 'KeyBrake', description: 'Which limit of the API key was reached.' }),
      z
        .strictObject({
          limit: z.enum([
            'verifications_per_hour',
            'invitations_per_hour',
            'invitations_per_day',
            'support_requests_per_day',
            'emails_per_address_day',
            ...PUBLIC_BRAKES,
          ]),
          retry_after: RETRY_AFTER,
        })
        .meta({
          id: 'LimitBrake',
          description: 'Which limit was reached, by this caller or by calls without a key.',
        }),
    ])
    .optional(),
}

/** The fields beside `error`, by code. */
export const BESIDE_ERROR: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  rate_limit_exceeded: { ...z.strictObject(keyBrake).partial().shape, retry_after: RETRY_AFTER },
}
