import * as z from 'zod'
import { ResourceId, Timestamp } from '../../../platform/http/fields.ts'

/** What every event has. */
export const envelope = {
  id: ResourceId,
  created_at: Timestamp,
  organization_id: ResourceId,
  is_test: z.boolean(),
  sequence: z
    .int()
    .describe('Grows by one with every event of the organization, live and test counted apart.'),
}

export const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  created_at: '2026-03-02T09:00:00.000Z',
  organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43',
  is_test: false,
  sequence: 42,
}
