import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { BRANDING_COLUMNS } from '../../platform/db/branding-columns.ts'
import type { Db } from '../../platform/db/client.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { bookingQuotas, organizations } from '../../platform/db/schema/organizations.ts'
import { paymentAccounts } from '../../platform/db/schema/payments.ts'
import { HOSTS_TO_CHOOSE, SHOWN_HOSTS } from '../shown-hosts/statements.ts'

/*
 * The columns that pages show, by name: D1 returns at most a hundred, and the tables of a page have nearly as many.
 */
const ORGANIZATION = {
  id: organizations.id,
  name: organizations.name,
  slug: organizations.slug,
  locale: organizations.locale,
  suspendedAt: organizations.suspendedAt,
  sandboxNow: organizations.sandboxNow,
  listingVersion: organizations.listingVersion,
  ...BRANDING_COLUMNS,
}

const LISTED = {
  id: eventTypes.id,
  title: eventTypes.title,
  slug: eventTypes.slug,
  description: eventTypes.description,
  durationMinutes: eventTypes.durationMinutes,
  color: eventTypes.color,
  priceAmount: eventTypes.priceAmount,
  priceCurrency: eventTypes.priceCurrency,
  conferencingProvider: eventTypes.conferencingProvider,
  location: eventTypes.location,
  groupName: eventTypes.groupName,
  requiresApproval: eventTypes.requiresApproval,
  position: eventTypes.position,
}

const WHOLE = {
  ...LISTED,
  places: eventTypes.places,
  active: eventTypes.active,
  bookingPageEnabled: eventTypes.bookingPageEnabled,
  listed: eventTypes.listed,
  timezone: eventTypes.timezone,
  durationOptions: eventTypes.durationOptions,
  maxAttendees: eventTypes.maxAttendees,
  maxGuests: eventTypes.maxGuests,
  seriesMax: eventTypes.seriesMax,
  waitlistEnabled: eventTypes.waitlistEnabled,
  waitlistMax: eventTypes.waitlistMax,
  waitlistTtlDays: eventTypes.waitlistTtlDays,
  refundPolicy: eventTypes.refundPolicy,
  cancelNoticeMinutes: eventTypes.cancelNoticeMinutes,
  rescheduleNoticeMinutes: eventTypes.rescheduleNoticeMinutes,
  verifyEmail: eventTypes.verifyEmail,
  questions: eventTypes.questions,
  reminderChannels: eventTypes.reminderChannels,
  hostChoice: eventTypes.hostChoice,
  assignmentStrategy: eventTypes.assignmentStrategy,
  createdAt: eventTypes.createdAt,
  updatedAt: eventTypes.updatedAt,
}

type Row<Table extends { $inferSelect: object }, Columns> = Pick<
  Table['$inferSelect'],
  keyof Columns & keyof Table['$inferSelect']
>
export type OrganizationRow = Row<typeof organizations, typeof ORGANIZATION>
export type ListedRow = Row<typeof eventTypes, typeof LISTED>
export type PageRow = Row<typeof eventTypes, typeof WHOLE>

/** Live bookings that count toward the month's quota. */
function bookingsIn(month: string) {
  const counted = sql<number>`coalesce((SELECT bookings FROM ${bookingQuotas}
    WHERE organization_id = ${organizations.id} AND month = ${month}), 0)`
  return counted.as('bookings_this_month')
}

function shownBy(orgSlug: string, isTest = false) {
  return and(eq(organizations.slug, orgSlug), eq(eventTypes.isTest, isTest), isNull(eventTypes.deletedAt))
}

/** The organization of a listing, with the version of the listing. */
export function selectOwner(db: Db, orgSlug: string, month: string) {
  return db
    .select({ ...ORGANIZATION, bookingsThisMonth: bookingsIn(month) })
    .from(organizations)
    .where(eq(organizations.slug, orgSlug))
}

/** The event types on the listing of an organization: live, active and with a page. */
function listedBy(orgSlug: string) {
  return and(
    eq(eventTypes.organizationId, sql`(SELECT id FROM organizations WHERE slug = ${orgSlug})`),
    eq(eventTypes.isTest, false),
    eq(eventTypes.active, true),
    isNull(eventTypes.deletedAt),
    eq(eventTypes.bookingPageEnabled, true),
    eq(eventTypes.listed, true),
  )
}

/** All of them, with what decides about their place. */
export function selectPlaces(db: Db, orgSlug: string) {
  const { id, title, position, groupName } = LISTED
  return db
    .select({ id, title, position, groupName })
    .from(eventTypes)
    .where(listedBy(orgSlug))
    .orderBy(asc(id))
}

/** The first of them by id, whole. */
export function selectSomeListed(db: Db, orgSlug: string, most: number) {
  return db
    .select({ eventType: LISTED, hosts: SHOWN_HOSTS })
    .from(eventTypes)
    .where(listedBy(orgSlug))
    .orderBy(asc(eventTypes.id))
    .limit(most)
}

/** Those with these ids, whole. The pluses make the database find them by their ids. */
export function selectListed(db: Db, orgSlug: string, ids: readonly string[]) {
  return db
    .select({ eventType: LISTED, hosts: SHOWN_HOSTS })
    .from(eventTypes)
    .where(
      and(
        sql`${eventTypes.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        sql`+${eventTypes.organizationId} = (SELECT id FROM organizations WHERE slug = ${orgSlug})`,
        sql`+${eventTypes.isTest} = 0 AND +${eventTypes.active} = 1 AND ${eventTypes.bookingPageEnabled} = 1
          AND ${eventTypes.listed} = 1`,
        isNull(eventTypes.deletedAt),
      ),
    )
}

/** The listed event type that a booking, a waitlist entry or a series is for; nothing of whom it belongs to. */
export async function findPageOf(db: Db, id: string) {
  const [row] = await db
    .select({ title: eventTypes.title, slug: eventTypes.slug, orgSlug: organizations.slug })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(
      and(
        sql`${eventTypes.id} = coalesce((SELECT event_type_id FROM bookings WHERE id = ${id}),
          (SELECT event_type_id FROM waitlist_entries WHERE id = ${id}),
          (SELECT event_type_id FROM bookings WHERE series_id = ${id} LIMIT 1))`,
        sql`+${eventTypes.isTest} = 0 AND +${eventTypes.active} = 1 AND ${eventTypes.bookingPageEnabled} = 1
          AND ${eventTypes.listed} = 1`,
        isNull(eventTypes.deletedAt),
        isNull(organizations.suspendedAt),
      ),
    )
  return row ?? null
}

const takesPayments = and(
  eq(paymentAccounts.organizationId, organizations.id),
  eq(paymentAccounts.chargesEnabled, true),
  isNull(paymentAccounts.disconnectedAt),
)

export async function findEventPage(
  db: Db,
  orgSlug: string,
  eventSlug: string,
  month: string,
  isTest = false,
) {
  const [row] = await db
    .select({
      organization: ORGANIZATION,
      eventType: WHOLE,
      hosts: SHOWN_HOSTS,
      toChoose: HOSTS_TO_CHOOSE,
      paymentAccountId: paymentAccounts.accountId,
      bookingsThisMonth: bookingsIn(month),
    })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .leftJoin(paymentAccounts, takesPayments)
    .where(and(shownBy(orgSlug, isTest), eq(eventTypes.slug, eventSlug)))
  return row ?? null
}
