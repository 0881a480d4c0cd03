import { eq } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { preparedQuery } from '../../../platform/db/prepared.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'

/** The bookings of an event type and a host (empty without one) that start on a UTC day; its counts are JSON. */
export type CountedDay = {
  readonly day: number
  readonly eventTypeId: string
  readonly memberId: string
  readonly counts: string
}

const selectDays = preparedQuery<
  CountedDay,
  readonly [organizationId: string, isTest: number, first: number, last: number]
>(
  `SELECT day, event_type_id AS eventTypeId, member_id AS memberId, counts FROM report_days
  WHERE organization_id = ?1 AND is_test = ?2 AND day BETWEEN ?3 AND ?4`,
)

/** The organization's zone, and what is counted on the UTC days that these dates touch in any zone. */
export async function loadCounts(
  db: Db,
  { organizationId, isTest }: Tenant,
  { first, last }: { readonly first: number; readonly last: number },
) {
  const [[organization], days] = await db.batch([
    db
      .select({ timezone: organizations.timezone })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    selectDays(db, organizationId, Number(isTest), first - 1, last + 1),
  ])
  return { timezone: organization!.timezone, days }
}

const labelQuery = (label: string) =>
  preparedQuery<{ readonly id: string; readonly label: string | null }, readonly [ids: string]>(
    `SELECT one.value AS id, ${label} AS label FROM json_each(?1) AS one`,
  )

const LABELS = {
  event_type: labelQuery('(SELECT title FROM event_types WHERE id = one.value)'),
  // A member who left is named as in one of their bookings.
  member: labelQuery(`coalesce((SELECT coalesce(name, user_email) FROM members WHERE id = one.value),
    (SELECT coalesce(assigned_host ->> 'name', assigned_host ->> 'email') FROM bookings
      WHERE assigned_host_id = one.value LIMIT 1))`),
} as const

/** What event types or members are called; those that are gone for good have no name. */
export async function loadLabels(
  db: Db,
  of: keyof typeof LABELS,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await LABELS[of](db, JSON.stringify(ids))
  return new Map(rows.flatMap(({ id, label }) => (label === null ? [] : [[id, label]])))
}
