import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { paymentAccounts } from '../../db/schema/payments.ts'

export type OrganizationRow = typeof organizations.$inferSelect
export type EventTypeRow = typeof eventTypes.$inferSelect

function shownBy(orgSlug: string, isTest = false) {
  return and(eq(organizations.slug, orgSlug), eq(eventTypes.isTest, isTest), isNull(eventTypes.deletedAt))
}

function selectOrganization(db: Db, orgSlug: string) {
  return db.select().from(organizations).where(eq(organizations.slug, orgSlug))
}

export async function findListing(db: Db, orgSlug: string) {
  const [[organization], rows] = await db.batch([
    selectOrganization(db, orgSlug),
    db
      .select({ eventType: eventTypes })
      .from(eventTypes)
      .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
      .where(and(shownBy(orgSlug), eq(eventTypes.active, true), eq(eventTypes.bookingPageEnabled, true)))
      .orderBy(asc(eventTypes.position), asc(eventTypes.title), asc(eventTypes.id)),
  ])
  return organization ? { organization, eventTypes: rows.map((row) => row.eventType) } : null
}

const takesPayments = and(
  eq(paymentAccounts.organizationId, organizations.id),
  eq(paymentAccounts.chargesEnabled, true),
  isNull(paymentAccounts.disconnectedAt),
)

export async function findEventPage(db: Db, orgSlug: string, eventSlug: string, isTest = false) {
  const [row] = await db
    .select({
      organization: organizations,
      eventType: eventTypes,
      paymentAccountId: paymentAccounts.accountId,
    })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .leftJoin(paymentAccounts, takesPayments)
    .where(and(shownBy(orgSlug, isTest), eq(eventTypes.slug, eventSlug)))
  return row ?? null
}
