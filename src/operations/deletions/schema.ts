import * as z from 'zod'
import { Id, Timestamp, WholeNumberText } from '../../platform/http/fields.ts'

/** For so many days a deletion can be taken back, unless the operator says otherwise. */
export const GRACE_DAYS = 7
const MOST_GRACE_DAYS = 90

export const DeletionParams = z.object({ id: Id })

export const DeletionQuery = z.object({
  grace_days: WholeNumberText(0, MOST_GRACE_DAYS)
    .optional()
    .describe(
      `For how many days from the first call on it can be taken back; 0 begins as soon as all notifications are sent. For the operator only. Default: ${GRACE_DAYS}.`,
    ),
})

export const Deletion = z
  .object({
    organization_id: z.string(),
    status: z
      .enum(['scheduled', 'deleting'])
      .describe('`scheduled` can be taken back. While it is `deleting`, its data is deleted step by step.'),
    requested_by: z
      .enum(['owner', 'operator'])
      .describe("The requester. The owner cannot take back the operator's request."),
    moved: z
      .boolean()
      .describe(
        'Whether it had moved to another deployment: then its bookings are not cancelled, and no notification is sent.',
      ),
    requested_at: Timestamp,
    deletes_at: Timestamp.describe('It is deleted from then on, once all notifications are sent.'),
  })
  .meta({
    id: 'Deletion',
    description: 'An organization with a scheduled deletion.',
    example: {
      organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
      status: 'scheduled',
      requested_by: 'owner',
      moved: false,
      requested_at: '2026-03-02T09:00:00.000Z',
      deletes_at: '2026-03-09T09:00:00.000Z',
    },
  })
export type Deletion = z.infer<typeof Deletion>
