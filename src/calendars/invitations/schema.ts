import * as z from 'zod'
import { Id, ResourceId } from '../../platform/http/fields.ts'

const EXAMPLE = { member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46' }

export const InviteToConnectInput = z
  .object({ member_id: Id.describe('The member who gets the email; not a viewer.') })
  .meta({
    id: 'InviteToConnectInput',
    description: 'Whom to invite to connect their own calendar.',
    example: EXAMPLE,
  })
export type InviteToConnectInput = z.output<typeof InviteToConnectInput>

export const CalendarInvitation = z
  .object({ member_id: ResourceId, sent_to: z.string().describe('The address of the member.') })
  .meta({
    id: 'CalendarInvitation',
    description: 'An email that invites a member to connect their own calendar.',
    example: { ...EXAMPLE, sent_to: 'ada@example.com' },
  })
export type CalendarInvitation = z.output<typeof CalendarInvitation>
