import * as z from 'zod'
import { PlanNumber, PlanNumbers } from '../../money/plan-limits/schema.ts'
import { REGIONS } from '../../platform/db/regions.ts'
import {
  Email,
  Id,
  LocaleTag,
  Name,
  ResourceId,
  Role,
  Slug,
  Tier,
  Timestamp,
  TimeZone,
  UserId,
} from '../../platform/http/fields.ts'
import { ExpectedUpdatedAt } from '../../platform/http/if-match.ts'
import { planLimitsOf } from '../../platform/limits/plan-limits.ts'
import { MOST_OF, PUBLIC_LIMITS, type PublicLimit } from '../../platform/limits/public-limits.ts'

const PublicLimits = z
  .object({
    bookings_per_network_hour: z
      .int()
      .describe('Bookings, holds and waitlist joins of one network in an hour.'),
    pending_per_network: z
      .int()
      .describe('Holds and bookings of one network that wait for a payment or an approval.'),
    active_per_email: z.int().describe('Upcoming bookings of one address of one event type.'),
    waiting_per_email: z.int().describe('Waitlist entries of one address of one event type.'),
    attendees_per_booking: z.int().describe('Attendees of one booking, including its invitee.'),
    sms_per_number_day: z.int().describe('Text messages to one number in a day (UTC).'),
    sms_per_day: z.int().describe('Text messages of the organization in a day (UTC).'),
  })
  .meta({
    id: 'PublicLimits',
    description: 'The limits of calls without a key, and of text messages.',
    example: PUBLIC_LIMITS,
  })

const Limit = (what: PublicLimit) =>
  z
    .int()
    .min(1)
    .max(MOST_OF[what])
    .nullable()
    .optional()
    .describe(`Null restores the default: ${PUBLIC_LIMITS[what]}.`)

const InviteeEmails = z
  .enum(['all', 'none'])
  .describe(
    'Whether we email invitees, attendees, guests and the waitlist. `none`: you send your own; only verification codes are sent.',
  )

const CalendarMoves = z
  .enum(['ask', 'follow'])
  .describe(
    'What happens if a calendar event of a booking is moved: `ask` asks its hosts and the owner; `follow` reschedules the booking if nothing else takes that time, and otherwise asks.',
  )

export const Organization = z
  .object({
    id: ResourceId,
    name: z.string(),
    slug: z.string(),
    owner_user_id: z.string().nullable().describe('The owner, as an external identity provider names them.'),
    default_calendar_connection_id: z.string().nullable(),
    timezone: z.string().describe('The zone of new event types, and of members without their own.'),
    locale: z.string().describe('The language for people without their own.'),
    invitee_emails: InviteeEmails,
    calendar_moves: CalendarMoves,
    public_limits: PublicLimits,
    plan_limits: PlanNumbers,
    region: z.enum(REGIONS).nullable().describe('Where its event types are coordinated; null is anywhere.'),
    onboarding_completed_at: Timestamp.nullable(),
    allowed_redirect_hosts: z
      .array(z.string())
      .describe('The hosts that a `redirect_url` may be on: the host of this service by default.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Organization',
    description: 'The owner of event types, bookings and keys.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      name: 'Acme Coaching',
      slug: 'acme-coaching',
      owner_user_id: 'user_42',
      default_calendar_connection_id: null,
      timezone: 'Europe/Berlin',
      locale: 'en',
      invitee_emails: 'all',
      calendar_moves: 'ask',
      public_limits: PUBLIC_LIMITS,
      plan_limits: planLimitsOf({ tier: 'free', planLimits: null }),
      region: 'weur',
      onboarding_completed_at: null,
      allowed_redirect_hosts: ['app.example.com'],
      created_at: '2026-03-01T09:00:00.000Z',
      updated_at: '2026-03-01T09:00:00.000Z',
    },
  })
export type Organization = z.output<typeof Organization>

export const CreateOrganizationInput = z
  .object({
    name: Name(255),
    owner_user_id: UserId,
    slug: Slug.optional().describe('Defaults to the name in slug form.'),
    owner_email: Email.optional(),
    onboarding_persona: z.enum(['developer', 'individual', 'team_lead']).optional(),
    timezone: TimeZone.optional().describe('The zone of new event types. Defaults to UTC.'),
    locale: LocaleTag.optional().describe('The language for people without their own. Defaults to `en`.'),
  })
  .meta({
    id: 'CreateOrganizationInput',
    description: 'A new organization and its owner.',
    example: { name: 'Acme Coaching', owner_user_id: 'user_42', timezone: 'Europe/Berlin' },
  })
export type CreateOrganizationInput = z.output<typeof CreateOrganizationInput>

const FLAG = z.boolean().optional().describe('True sets its timestamp once; later calls keep the first.')

export const UpdateOrganizationInput = z
  .object({
    name: Name(255).optional(),
    slug: Slug.optional(),
    default_calendar_connection_id: Id.nullable().optional(),
    timezone: TimeZone.optional().describe(
      'Of new event types, and of members without their own. Existing event types keep theirs.',
    ),
    locale: LocaleTag.optional().describe(
      'The language of emails to people without their own: `en`, `de`, `fr`, `es`, `ja` or `ar`, with a region for the format of dates. Others are English.',
    ),
    invitee_emails: InviteeEmails.optional(),
    calendar_moves: CalendarMoves.optional(),
    complete_onboarding: FLAG,
    mark_booking_link_shared: FLAG,
    mark_availability_confirmed: FLAG,
    dismiss_checklist: FLAG,
    mark_first_booking_celebrated: FLAG,
    tier: Tier.optional(),
    suspended: z.boolean().optional().describe('A suspended organization takes no bookings.'),
    allowed_redirect_hosts: z
      .array(z.string().min(1).max(253).toLowerCase())
      .max(20)
      .nullable()
      .optional()
      .describe(
        'The hosts that a `redirect_url` may be on, such as `app.example.com`; `localhost` and `127.0.0.1` take a port. Null: the host of this service.',
      ),
    public_limits: z
      .object({
        bookings_per_network_hour: Limit('bookings_per_network_hour'),
        pending_per_network: Limit('pending_per_network'),
        active_per_email: Limit('active_per_email'),
        waiting_per_email: Limit('waiting_per_email'),
        attendees_per_booking: Limit('attendees_per_booking'),
        sms_per_number_day: Limit('sms_per_number_day'),
        sms_per_day: Limit('sms_per_day'),
      })
      .optional()
      .describe('The limits of calls without a key and of text messages. Omitted limits stay as they are.'),
    plan_limits: z
      .object({
        calendars_per_member: PlanNumber('calendars_per_member'),
        calendar_feeds: PlanNumber('calendar_feeds'),
        members: PlanNumber('members'),
        event_types: PlanNumber('event_types'),
        resources: PlanNumber('resources'),
        invitations_per_day: PlanNumber('invitations_per_day'),
      })
      .optional()
      .describe("For the operator: limits instead of the plan's. Omitted limits stay as they are."),
    region: z
      .enum(REGIONS)
      .nullable()
      .optional()
      .describe(
        'For the operator: the region of the database, where new event types are coordinated. Existing ones stay where they are.',
      ),
    updated_at: ExpectedUpdatedAt,
  })
  .meta({ id: 'UpdateOrganizationInput', description: 'The fields to change.', example: { tier: 'scale' } })
export type UpdateOrganizationInput = z.output<typeof UpdateOrganizationInput>

const SUMMARY_EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  name: 'Acme Coaching',
  slug: 'acme-coaching',
  role: 'owner' as const,
  default_calendar_connection_id: null,
  onboarding_completed_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
}

export const OrganizationSummary = z
  .object({
    id: ResourceId,
    name: z.string(),
    slug: z.string(),
    role: Role.describe("The user's role in it."),
    default_calendar_connection_id: z.string().nullable(),
    onboarding_completed_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({
    id: 'OrganizationSummary',
    description: 'An organization as one of its members sees it.',
    example: SUMMARY_EXAMPLE,
  })
export type OrganizationSummary = z.output<typeof OrganizationSummary>

export const OrganizationSummaryList = z.object({ data: z.array(OrganizationSummary) }).meta({
  id: 'OrganizationSummaryList',
  description: 'Every organization that the user belongs to, newest first.',
  example: { data: [SUMMARY_EXAMPLE] },
})

export const UserHeaders = z.object({
  'x-user-id': z.string().min(1).max(255).describe('The user, as an external identity provider names them.'),
})

export const OrganizationParams = z.object({ id: Id })
export const OwnerQuery = z.object({ owner_user_id: z.string().min(1) })
