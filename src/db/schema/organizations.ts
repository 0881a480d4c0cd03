import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const organizations = sqliteTable('organizations', {
  id: text().primaryKey(),
  name: text().notNull(),
  slug: text().notNull().unique('organizations_slug'),
  ownerUserId: text('owner_user_id').unique('organizations_owner'),
  timezone: text().notNull().default('UTC'),
  tier: text({ enum: ['free', 'starter', 'grow', 'scale'] })
    .notNull()
    .default('free'),
  onboardingPersona: text('onboarding_persona', { enum: ['developer', 'individual', 'team_lead'] }),
  suspendedAt: integer('suspended_at'),
  onboardingCompletedAt: integer('onboarding_completed_at'),
  bookingLinkSharedAt: integer('booking_link_shared_at'),
  availabilityConfirmedAt: integer('availability_confirmed_at'),
  checklistDismissedAt: integer('checklist_dismissed_at'),
  firstBookingCelebratedAt: integer('first_booking_celebrated_at'),
  logoUrl: text('logo_url'),
  logoAltText: text('logo_alt_text'),
  removeBranding: integer('remove_branding', { mode: 'boolean' }).notNull().default(false),
  listingPageEnabled: integer('listing_page_enabled', { mode: 'boolean' }).notNull().default(true),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const members = sqliteTable(
  'members',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
    userEmail: text('user_email').notNull(),
    role: text({ enum: ['owner', 'admin', 'member', 'viewer'] }).notNull(),
    invitedBy: text('invited_by').notNull().default(''),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [uniqueIndex('members_user').on(t.organizationId, t.userId)],
)

/** Live bookings made in one UTC month. The constraint is the fence of the monthly plan limit. */
export const bookingQuotas = sqliteTable(
  'booking_quotas',
  {
    organizationId: text('organization_id').notNull(),
    month: text().notNull(),
    bookings: integer().notNull(),
    quota: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.month] }),
    check('booking_quota', sql`bookings <= quota`),
  ],
)
