import * as z from 'zod'
import { ResourceId } from '../../platform/http/fields.ts'

export const CreatedBy = z
  .object({
    type: z.enum(['member', 'api_key', 'service']),
    id: ResourceId.nullable().describe('Of the member or the key; null for the service key.'),
    name: z.string().nullable().describe('Null once there is no such member or key.'),
  })
  .meta({
    id: 'CreatedBy',
    description: 'The creator. A member, if they, a key created on their behalf or the console created it.',
    example: { type: 'member', id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42', name: 'Grace Hopper' },
  })
export type CreatedBy = z.output<typeof CreatedBy>
