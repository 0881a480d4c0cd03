import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Region } from '../regions.ts'

/** How many of something an organization may have, by the names of `src/platform/limits/plan-limits.ts`. */
type ChosenPlanLimits = Readonly<Partial<Record<string, number>>>

export const organizations = sqliteTable(
  'organizations',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    slug: text().notNull().unique('organizations_slug'),
    ownerUserId: text('owner_user_id').unique('organizations_owner'),
    timezone: text().notNull().default('UTC'),
    /** The default language, for people without one of their own: a BCP 47 tag. */
    locale: text().notNull().default('en'),
    tier: text({ enum: ['free', 'starter', 'grow', 'scale'] })
      .notNull()
      .default('free'),
    onboardingPersona: text('onboarding_persona', { enum: ['developer', 'individual', 'team_lead'] }),
    suspendedAt: integer('suspended_at'),
    /** The live calendar that bookings without a host are written to. */
    defaultCalendarConnectionId: text('default_calendar_connection_id'),
    /** The sandbox's present; null while it follows the real clock. */
    sandboxNow: integer('sandbox_now'),
    /**
     * When something of the sandbox is due next, or earlier; null while nothing is, and while it has a clock of its own. Triggers
     * set it back, and the sweep moves it on.
     */
    sandboxDueAt: integer('sandbox_due_at'),
    /** Where people may be sent back to; null means the host of the service itself. */
    allowedRedirectHosts: text('allowed_redirect_hosts', { mode: 'json' }).$type<readonly string[]>(),
    onboardingCompletedAt: integer('onboarding_completed_at'),
    bookingLinkSharedAt: integer('booking_link_shared_at'),
    availabilityConfirmedAt: integer('availability_confirmed_at'),
    checklistDismissedAt: integer('checklist_dismissed_at'),
    firstBookingCelebratedAt: integer('first_booking_celebrated_at'),
    logoUrl: text('logo_url'),
    logoAltText: text('logo_alt_text'),
    /** For dark grounds; null shows the other one on a light plate. */
    logoDarkUrl: text('logo_dark_url'),
    /** `#rrggbb`; null takes the color of each event type. */
    accentColor: text('accent_color'),
    imprintUrl: text('imprint_url'),
    privacyUrl: text('privacy_url'),
    removeBranding: integer('remove_branding', { mode: 'boolean' }).notNull().default(false),
    listingPageEnabled: integer('listing_page_enabled', { mode: 'boolean' }).notNull().default(true),
    /** Whether invitees get emails from the service, or the organization sends its own. */
    inviteeEmails: text('invitee_emails', { enum: ['all', 'none'] })
      .notNull()
      .default('all'),
    /** What an event means that was dragged in its owner's calendar: the owner is asked, or the booking follows. */
    calendarMoves: text('calendar_moves', { enum: ['ask', 'follow'] })
      .notNull()
      .default('ask'),
    /** What calls without a key may make; null is the default. */
    bookingsPerNetworkHour: integer('bookings_per_network_hour'),
    pendingPerNetwork: integer('pending_per_network'),
    activePerEmail: integer('active_per_email'),
    waitingPerEmail: integer('waiting_per_email'),
    attendeesPerBooking: integer('attendees_per_booking'),
    /** How many text messages are sent in a day (UTC); null is the default. */
    smsPerNumberDay: integer('sms_per_number_day'),
    smsPerDay: integer('sms_per_day'),
    /** What the operator allows instead of the plan's numbers; null where nothing is. */
    planLimits: text('plan_limits', { mode: 'json' }).$type<ChosenPlanLimits>(),
    /** Where the objects of its event types are created; null is wherever the first caller is. */
    region: text().$type<Region>(),
    /** What its event types share of their versions; kept by triggers. */
    liveVersion: integer('live_version').notNull().default(0),
    testVersion: integer('test_version').notNull().default(0),
    /** Of whom the last of these versions were, the latest first: see `isCurrent`. Kept by triggers. */
    liveChanges: text('live_changes').notNull().default(''),
    testChanges: text('test_changes').notNull().default(''),
    /** Moves on with the hours of its people, zones and limits included; 0 while nobody has any. Kept by triggers. */
    hoursVersion: integer('hours_version').notNull().default(0),
    /** Moves on with everything that the listing shows of its event types and their hosts; kept by triggers. */
    listingVersion: integer('listing_version').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('organizations_sandbox_due').on(t.sandboxDueAt, t.id).where(sql`sandbox_due_at IS NOT NULL`)],
)

/** A kind of email that members can choose. */
export type Notifications = {
  readonly new: boolean
  readonly moved: boolean
  readonly cancelled: boolean
  readonly requested: boolean
  readonly daily_agenda: boolean
}

export const members = sqliteTable(
  'members',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
    userEmail: text('user_email').notNull(),
    role: text({ enum: ['owner', 'admin', 'member', 'viewer'] }).notNull(),
    invitedBy: text('invited_by').notNull().default(''),
    name: text(),
    avatarUrl: text('avatar_url'),
    /** Null is the organization's. */
    timezone: text(),
    /** A BCP 47 tag; null is the organization's. */
    locale: text(),
    /** The emails they chose; kinds that are not named follow the defaults. */
    notifications: text({ mode: 'json' }).$type<Partial<Notifications>>(),
    /** When their agenda email is due; null if they do not want it. */
    nextAgendaAt: integer('next_agenda_at'),
    /** How many meetings they take in a day and a week of their zone, wherever they are booked; null is any number. */
    maxBookingsPerDay: integer('max_bookings_per_day'),
    maxBookingsPerWeek: integer('max_bookings_per_week'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('members_user').on(t.organizationId, t.userId),
    index('members_organizations').on(t.userId, t.organizationId),
    index('members_email').on(sql`lower(user_email)`, t.id),
    index('members_agenda').on(t.nextAgendaAt, t.id).where(sql`next_agenda_at IS NOT NULL`),
  ],
)

export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    /** The clock by which it expires, and where its email went. */
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    email: text().notNull(),
    role: text({ enum: ['admin', 'member', 'viewer'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique('invitations_token'),
    invitedBy: text('invited_by').notNull(),
    expiresAt: integer('expires_at').notNull(),
    acceptedAt: integer('accepted_at'),
    revokedAt: integer('revoked_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('invitations_address').on(t.organizationId, sql`lower(email)`, t.id),
    index('invitations_made').on(t.organizationId, t.isTest, t.id),
    index('invitations_ended').on(sql`coalesce(accepted_at, revoked_at, expires_at)`),
    index('invitations_open')
      .on(t.organizationId, t.isTest, t.expiresAt)
      .where(sql`accepted_at IS NULL AND revoked_at IS NULL`),
    // One open invitation per address; an expired one is revoked before the next is made.
    uniqueIndex('invitations_pending')
      .on(t.organizationId, t.isTest, sql`lower(email)`)
      .where(sql`accepted_at IS NULL AND revoked_at IS NULL`),
  ],
)

/** Live bookings made in one UTC month. The constraint is the fence of the monthly plan limit. */
export const bookingQuotas = sqliteTable(
  'booking_quotas',
  {
    organizationId: text('organization_id').notNull(),
    month: text().notNull(),
    bookings: integer().notNull(),
    quota: integer().notNull(),
    /** The share of each quota that the owner got an email about, in percent, by the quota. */
    noticed: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>().notNull().default({}),
    /** Since when an email about the share may be due. */
    noticeAt: integer('notice_at'),
    /** How many bookings were made on each day (since 1970) that are their own log entries: `usage_days` does not count them. */
    days: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.month] }),
    index('booking_quotas_notices').on(t.organizationId, t.month).where(sql`notice_at IS NOT NULL`),
    check('booking_quota', sql`bookings <= quota`),
  ],
)

/** What was made on each UTC day and what became of it, kept by triggers on bookings and deliveries. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** Days since 1970. */
    day: integer().notNull(),
    bookings: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    unpaid: integer().notNull().default(0),
    /** Of the bookings: who did not come, and at how many no host was. */
    noShows: integer('no_shows').notNull().default(0),
    hostAbsent: integer('host_absent').notNull().default(0),
    deliveries: integer().notNull().default(0),
    arrived: integer().notNull().default(0),
    givenUp: integer('given_up').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.isTest, t.day] })],
)

/** The bookings that start on each UTC day, by event type and host, kept by triggers on bookings and payments. */
export const reportDays = sqliteTable(
  'report_days',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** Days since 1970. */
    day: integer().notNull(),
    eventTypeId: text('event_type_id').notNull(),
    /** The assigned host; empty without one. */
    memberId: text('member_id').notNull(),
    /**
     * Numbers by `quarter/status/measure`: the quarter of an hour of that day, which every zone divides in the same way; `bookings`,
     * `minutes`, `no_shows` or the currency of an amount paid.
     */
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.isTest, t.day, t.eventTypeId, t.memberId] })],
)
