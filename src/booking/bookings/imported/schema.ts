import * as z from 'zod'
import { IMPORT_SOURCES, IMPORT_STATUSES } from '../../../platform/db/schema/import-jobs.ts'
import { ResourceId, Timestamp } from '../../../platform/http/fields.ts'

export const ImportJob = z
  .object({
    id: ResourceId,
    source: z.enum(IMPORT_SOURCES),
    status: z
      .enum(IMPORT_STATUSES)
      .describe(
        '`interrupted`: the service restarted, or the other service accepts no requests for more than an hour (`left_out` says until when), and the secret is gone; send the same request again and it goes on. `failed`: the other service failed or refused later on.',
      ),
    made: z
      .object({ schedules: z.int(), event_types: z.int(), bookings: z.int() })
      .describe('How many of each it has made so far.'),
    left_out: z
      .array(z.object({ what: z.string(), why: z.string() }))
      .describe('What cannot be taken over, wholly or in part, with the reason.'),
    would_make: z
      .array(z.object({ type: z.enum(['schedule', 'event_type', 'booking']), what: z.string() }))
      .optional()
      .describe('What it would make; in the answer of a dry run only.'),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({
    id: 'ImportJob',
    description: 'An import from another service.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c51',
      source: 'calendly',
      status: 'done',
      made: { schedules: 2, event_types: 4, bookings: 37 },
      left_out: [{ what: 'Price of Portfolio review', why: 'Prices are not imported. Set one here.' }],
      created_at: '2026-03-01T09:00:00.000Z',
      finished_at: '2026-03-01T09:00:41.000Z',
    },
  })
export type ImportJob = z.output<typeof ImportJob>
