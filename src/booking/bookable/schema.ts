import * as z from 'zod'
import { REASON_CODES } from '../../engine/schedule/reason-codes.ts'
import { ResourceId, Timestamp } from '../../platform/http/fields.ts'

export const Reason = z
  .object({
    code: z.enum(REASON_CODES),
    message: z.string().describe('The reason as a sentence.'),
    booking_id: ResourceId.optional().describe('The booking that has the time; of a session, the first one.'),
    hold_id: ResourceId.optional().describe('The hold that has the time.'),
    calendar_connection_id: ResourceId.optional().describe('The calendar that is busy.'),
    schedule_id: ResourceId.optional().describe('The schedule whose hours these are.'),
    time_off_id: ResourceId.optional().describe('The time off.'),
    resource_id: ResourceId.optional().describe('The room or equipment.'),
    busy_as_of: Timestamp.optional().describe('When the calendar was last read.'),
  })
  .meta({
    id: 'Reason',
    description: 'Why a start cannot be booked. Branch on `code`, not on `message`.',
    example: {
      code: 'booked',
      message: 'A booking has this time, with its buffers.',
      booking_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
    },
  })
export type Reason = z.output<typeof Reason>

export const Bookable = z
  .object({
    ok: z.boolean(),
    reasons: z
      .array(Reason)
      .describe(
        'Why nothing can be booked: its price without a payment provider, the used up month of the plan, no hosts, no hours, a lost calendar, and the like.',
      ),
  })
  .describe('Whether anything can be booked at all at the moment. If not, availability is empty.')
