import * as z from 'zod'
import { Booking } from '../../booking/bookings/schema.ts'
import {
  Email,
  Id,
  LocaleTag,
  Name,
  ResourceId,
  Role,
  Timestamp,
  TimeZone,
  UserId,
} from '../../platform/http/fields.ts'
import { PageQuery } from '../../platform/http/page-schema.ts'
import { problem } from '../../platform/reasons/reason.ts'

const MEMBER_EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  organization_id: '0192f1e0-7c11-7000-8000-5e2c4b7a9d10',
  user_id: 'user_43',
  user_email: 'grace@example.com',
  role: 'member' as const,
  invited_by: 'user_42',
  name: 'Grace Hopper',
  avatar_url: null,
  timezone: 'America/New_York',
  locale: 'en-US',
  default_schedule_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c47',
  max_bookings_per_day: 4,
  max_bookings_per_week: null,
  notifications: { new: true, moved: true, cancelled: true, requested: true, daily_agenda: false },
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

const INVITATION_EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-77a1c0de4b21',
  organization_id: '0192f1e0-7c11-7000-8000-5e2c4b7a9d10',
  email: 'grace@example.com',
  role: 'member' as const,
  status: 'pending' as const,
  invited_by: 'user_42',
  expires_at: '2026-03-08T09:00:00.000Z',
  accepted_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
}

const NOTIFIED = {
  new: 'Bookings that were made with them.',
  moved: 'Bookings that were moved.',
  cancelled: 'Bookings that were cancelled.',
  requested: 'Bookings that wait for their approval.',
  daily_agenda: 'What the day brings, at six in the morning of their zone; nothing on an empty day.',
} as const

const NotificationSettings = z
  .object({
    new: z.boolean().describe(NOTIFIED.new),
    moved: z.boolean().describe(NOTIFIED.moved),
    cancelled: z.boolean().describe(NOTIFIED.cancelled),
    requested: z.boolean().describe(NOTIFIED.requested),
    daily_agenda: z.boolean().describe(NOTIFIED.daily_agenda),
  })
  .meta({
    id: 'NotificationSettings',
    description: 'The emails that a member gets.',
    example: MEMBER_EXAMPLE.notifications,
  })

export const Member = z
  .object({
    id: ResourceId,
    organization_id: ResourceId,
    user_id: z.string().describe('The member, as an external identity provider names them.'),
    user_email: z.string(),
    role: Role,
    invited_by: z.string().describe('A user id, the id of an API key, or `service`; empty for the founder.'),
    name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    timezone: z.string().nullable().describe("Null is the organization's."),
    locale: z.string().nullable().describe("The language of their emails; null is the organization's."),
    default_schedule_id: ResourceId.nullable().describe(
      "Their default hours in the mode of the call; null means the event type's hours.",
    ),
    max_bookings_per_day: z.int().nullable().describe('How many meetings they take in a day of their zone.'),
    max_bookings_per_week: z.int().nullable().describe('The same in a week, which begins on Monday.'),
    notifications: NotificationSettings,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Member', description: 'A member of an organization.', example: MEMBER_EXAMPLE })
export type Member = z.output<typeof Member>

export const MemberList = z.object({ data: z.array(Member) }).meta({
  id: 'MemberList',
  description: 'All members of the organization, newest first.',
  example: { data: [MEMBER_EXAMPLE] },
})

export const MemberBookingPage = z.object({ data: z.array(Booking), has_more: z.boolean() }).meta({
  id: 'MemberBookingPage',
  description: 'Upcoming bookings of a member, soonest first. Get the next page with `starting_after`.',
  example: { data: [Booking.meta()?.example], has_more: false },
})

export const RemoveMemberQuery = z.object({
  bookings: z
    .enum(['reassign'])
    .optional()
    .describe(
      '`reassign` gives each upcoming booking to another free host, and returns what became of them.',
    ),
})

const BOOKING_IDS = z.array(ResourceId)
export const RemovedMember = z
  .object({
    reassigned: BOOKING_IDS.describe('The bookings that another host has now.'),
    unassigned: BOOKING_IDS.describe('The bookings that need a host.'),
  })
  .meta({
    id: 'RemovedMember',
    description: "What became of a removed member's upcoming bookings, of both modes.",
    example: { reassigned: ['0192f1e0-7c11-7000-8000-3b1f0a5d9c43'], unassigned: [] },
  })
export type RemovedMember = z.output<typeof RemovedMember>

export const MemberBookingsQuery = PageQuery.pick({ limit: true, starting_after: true })

export const Invitation = z
  .object({
    id: ResourceId,
    organization_id: ResourceId,
    email: z.string(),
    role: Role,
    status: z
      .enum(['pending', 'accepted', 'revoked', 'expired'])
      .meta({ id: 'InvitationStatus', description: 'The state of an invitation.' }),
    invited_by: z.string().describe('A user id, the id of an API key, or `service`.'),
    expires_at: Timestamp,
    accepted_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'An invitation, valid for 7 days.', example: INVITATION_EXAMPLE })
export type Invitation = z.output<typeof Invitation>

export const CreatedInvitation = Invitation.extend({
  token: z
    .string()
    .optional()
    .describe('The token that accepts the invitation; returned to the service key only, for its own emails.'),
}).meta({
  id: 'CreatedInvitation',
  description: 'A new invitation; it was also sent by email.',
  example: INVITATION_EXAMPLE,
})
export type CreatedInvitation = z.output<typeof CreatedInvitation>

export const InvitationList = z.object({ data: z.array(Invitation) }).meta({
  id: 'InvitationList',
  description: 'The pending invitations, newest first.',
  example: { data: [INVITATION_EXAMPLE] },
})

const AssignableRole = z.enum(['admin', 'member', 'viewer'], {
  error: problem('not_a_given_role'),
})

const BookingLimit = z.int().min(1).max(1000).nullable().optional()

export const UpdateMemberInput = z
  .object({
    role: AssignableRole.optional(),
    name: Name(255).nullable().optional(),
    avatar_url: z
      .string()
      .max(2048)
      .nullable()
      .optional()
      .describe('An https URL on a public host.')
      .meta({ format: 'uri' }),
    timezone: TimeZone.nullable().optional(),
    locale: LocaleTag.nullable().optional(),
    default_schedule_id: Id.nullable()
      .optional()
      .describe('A schedule of the member in the mode of the call. Null: no default.'),
    max_bookings_per_day: BookingLimit.describe('For owners and admins. Null is any number.'),
    max_bookings_per_week: BookingLimit.describe('For owners and admins. Null is any number.'),
    notifications: z
      .object({
        new: z.boolean().optional().describe(NOTIFIED.new),
        moved: z.boolean().optional().describe(NOTIFIED.moved),
        cancelled: z.boolean().optional().describe(NOTIFIED.cancelled),
        requested: z.boolean().optional().describe(NOTIFIED.requested),
        daily_agenda: z.boolean().optional().describe(NOTIFIED.daily_agenda),
      })
      .optional()
      .describe('The emails that they get. Omitted settings stay as they are.'),
  })
  .meta({
    id: 'UpdateMemberInput',
    description: 'What to change; null clears a nullable field.',
    example: { name: 'Grace Hopper', locale: 'en-US', notifications: { daily_agenda: true } },
  })
export type UpdateMemberInput = z.output<typeof UpdateMemberInput>

export const CreateInvitationInput = z.object({ email: Email, role: AssignableRole }).meta({
  id: 'CreateInvitationInput',
  description: 'The person to invite.',
  example: { email: 'grace@example.com', role: 'member' },
})
export type CreateInvitationInput = z.output<typeof CreateInvitationInput>

export const AcceptInvitationInput = z
  .object({ token: z.string().min(1).max(255), user_id: UserId, user_email: Email })
  .meta({
    id: 'AcceptInvitationInput',
    description: 'The token of the invitation and the user who accepts it.',
    example: {
      token: 'Zk1mXo2Jq7sVb8nRy3cLw6dEa5gHu0iPtKfMxQz4fT9',
      user_id: 'user_43',
      user_email: 'grace@example.com',
    },
  })
export type AcceptInvitationInput = z.output<typeof AcceptInvitationInput>

export const TransferOwnershipInput = z.object({ member_id: Id }).meta({
  id: 'TransferOwnershipInput',
  description: 'The member who becomes the owner.',
  example: { member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' },
})

export const Transferred = z
  .object({ success: z.literal(true) })
  .meta({ id: 'Transferred', description: 'The organization has a new owner.', example: { success: true } })

export const TeamParams = z.object({ orgId: Id })
export const MemberParams = z.object({ orgId: Id, memberId: Id })
export const InvitationParams = z.object({ orgId: Id, invitationId: Id })
