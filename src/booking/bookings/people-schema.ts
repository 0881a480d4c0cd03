import * as z from 'zod'
import { ResourceId } from '../../platform/http/fields.ts'

export const Attendee = z
  .object({
    id: ResourceId,
    name: z.string(),
    email: z.string().nullable().describe('Null for an invitee without an address.'),
    timezone: z.string(),
    is_primary: z.boolean().describe('Whether it is the invitee.'),
    no_show: z.boolean().describe('Whether they did not come; false until attendance is recorded.'),
  })
  .meta({ id: 'Attendee', description: 'An attendee.' })

export const Guest = z
  .object({ id: ResourceId, email: z.string(), name: z.string().nullable(), timezone: z.string() })
  .meta({ id: 'Guest', description: 'Somebody who comes along without a seat.' })

export const AssignedHost = z
  .object({
    member_id: z.string(),
    user_id: z.string().nullable().describe('Null for callers without a key.'),
    email: z.string().nullable().describe('Null for callers without a key.'),
    name: z.string().nullable().describe('As they were called then; null without a name.'),
  })
  .meta({ id: 'AssignedHost', description: 'The member who hosts the booking.' })

export const ActedBy = z
  .object({
    type: z.enum(['invitee', 'member', 'api_key', 'service', 'system']),
    id: ResourceId.nullable()
      .optional()
      .describe('Of the member or the key. Left out if you read the booking with its token.'),
    name: z.string().nullable().optional().describe('As they were called then. Left out in the same way.'),
  })
  .meta({
    id: 'ActedBy',
    description:
      'The actor. `member` also for the console, the links in emails and keys created on behalf of a member; `system` is the service itself.',
    example: { type: 'member', id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c45', name: 'Grace Hopper' },
  })
