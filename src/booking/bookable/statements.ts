import { and, eq, type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '../../core/time-units.ts'
import { monthOf } from '../../engine/schedule/schedule.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { eventTypes, type RequiredResources } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import type { Tier } from '../../platform/limits/plans.ts'

/** What closes an event type, whatever start is asked for. */
export type BookableFacts = {
  readonly tier: Tier
  readonly bookings_this_month: number
  readonly is_test: 0 | 1
  readonly is_inactive: 0 | 1
  readonly is_suspended: 0 | 1
  readonly is_unpayable: 0 | 1
  readonly has_no_hosts: 0 | 1
  readonly has_no_hours: 0 | 1
  /** The calendar that was lost and closes it. */
  readonly lost_calendar: string | null
  /** The units that it requires, and how many there are of each resource; null if it requires none. */
  readonly units: {
    readonly requires: readonly RequiredResources[]
    readonly quantities: Readonly<Record<string, number>>
  } | null
}

/** The facts as a column of a query that reads `event_types`, at the present. */
export function bookableColumn(now: number): SQL.Aliased<BookableFacts> {
  return factsOf(STORED, now).as('bookable')
}

/** The facts of one event type. */
export function selectFacts(db: Db, { organizationId, isTest }: Tenant, id: string, now: number) {
  const { organizationId: organization, isTest: mode, id: eventTypeId } = eventTypes
  return db
    .select({ facts: bookableColumn(now) })
    .from(eventTypes)
    .where(and(eq(organization, organizationId), eq(mode, isTest), eq(eventTypeId, id)))
}

/** The facts of one that is not stored yet. */
export function selectFactsOfNew(db: Db, row: typeof eventTypes.$inferSelect, now: number) {
  const e: Columns = {
    id: sql`${row.id}`,
    organization_id: sql`${row.organizationId}`,
    is_test: sql`${Number(row.isTest)}`,
    active: sql`${Number(row.active)}`,
    price_amount: sql`${row.priceAmount}`,
    hours_from: sql`${row.hoursFrom}`,
    schedule_id: sql`coalesce(${row.scheduleId}, (SELECT id FROM schedules WHERE organization_id = ${row.organizationId}
      AND is_test = ${Number(row.isTest)} AND is_default = 1 AND member_id IS NULL))`,
    assignment_strategy: sql`${row.assignmentStrategy}`,
    pool_size: sql`${row.poolSize}`,
    calendar_outage: sql`${row.calendarOutage}`,
    requires: sql`${JSON.stringify(row.requires)}`,
  }
  const { id } = organizations
  return db
    .select({ facts: factsOf(e, now).as('bookable') })
    .from(organizations)
    .where(eq(id, row.organizationId))
}

/** The columns of an event type that decide. */
const COLUMNS = [
  'id',
  'organization_id',
  'is_test',
  'active',
  'price_amount',
  'hours_from',
  'schedule_id',
  'assignment_strategy',
  'pool_size',
  'calendar_outage',
  'requires',
] as const
type Columns = Readonly<Record<(typeof COLUMNS)[number], SQL>>

const STORED = {
  ...Object.fromEntries(COLUMNS.map((name) => [name, sql.raw(`event_types.${name}`)])),
  schedule_id: sql.raw("coalesce(event_types.schedule_id, nullif(event_types.default_schedule_id, ''))"),
} as Columns

/** Only a price needs a payment provider, and only live bookings count toward the month. */
function factsOf(e: Columns, now: number): SQL<BookableFacts> {
  const hosts = sql`event_type_hosts h WHERE h.event_type_id = ${e.id}`
  // The first date that may still be today somewhere.
  const today = sql`date((CASE WHEN ${e.is_test} THEN coalesce(o.sandbox_now, ${now}) ELSE ${now} END - ${sql.raw(String(DAY_MS))}) / 1000, 'unixepoch')`
  const ownHours = sql`CASE WHEN ${e.schedule_id} IS NOT NULL THEN ${hasHours(sql`${e.schedule_id}`, today)} ELSE
    EXISTS (SELECT 1 FROM availability_rules WHERE event_type_id = ${e.id})
    OR EXISTS (SELECT 1 FROM availability_overrides WHERE event_type_id = ${e.id} AND date >= ${today} AND intervals <> '[]') END`
  const scheduleOfHost = sql`coalesce(h.schedule_id, (SELECT id FROM schedules
    WHERE member_id = h.member_id AND is_test = ${e.is_test} AND is_default = 1))`
  return sql<BookableFacts>`(SELECT json_object('tier', o.tier, 'is_test', ${e.is_test}, 'is_inactive', NOT ${e.active},
    'is_suspended', o.suspended_at IS NOT NULL,
    'bookings_this_month', CASE WHEN ${e.is_test} THEN 0 ELSE coalesce((SELECT bookings FROM booking_quotas
      WHERE organization_id = o.id AND month = ${monthOf(now)}), 0) END,
    'is_unpayable', ${e.price_amount} IS NOT NULL AND NOT ${e.is_test} AND NOT EXISTS (SELECT 1 FROM payment_accounts
      WHERE organization_id = o.id AND charges_enabled AND disconnected_at IS NULL),
    'has_no_hosts', (${e.hours_from} = 'hosts' OR ${e.assignment_strategy} <> 'none') AND NOT EXISTS (SELECT 1 FROM ${hosts})
      OR ${e.assignment_strategy} <> 'none' AND ${e.pool_size} > 1
        AND (SELECT count(*) BETWEEN 1 AND ${e.pool_size} - 1 FROM ${hosts} AND h.part = 'pool'),
    'has_no_hours', CASE ${e.hours_from} WHEN 'own' THEN NOT (${ownHours}) ELSE EXISTS (SELECT 1 FROM ${hosts})
      AND NOT EXISTS (SELECT 1 FROM ${hosts} AND ${hasHours(scheduleOfHost, today)}) END,
    'units', CASE WHEN ${e.requires} <> '[]' THEN json_object('requires', json(${e.requires}), 'quantities', (
      SELECT json_group_object(r.id, r.quantity) FROM resources r WHERE r.id IN (
        SELECT one.value FROM json_each(${e.requires}) required, json_each(required.value, '$.resource_ids') one))) END,
    'lost_calendar', ${lostCalendar(e, hosts)}) FROM organizations o WHERE o.id = ${e.organization_id})`.mapWith(
    (json: string) => JSON.parse(json),
  )
}

/** Whether the schedule opens anything; closed dates and past ones do not count. */
function hasHours(scheduleId: SQL, today: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM schedules s WHERE s.id = ${scheduleId} AND (s.rules <> '[]' OR EXISTS (
    SELECT 1 FROM json_each(s.overrides) day
    WHERE day.value ->> 'date' >= ${today} AND day.value ->> 'intervals' <> '[]')))`
}

/** With a strategy, the calendars of all who are required must be known, and those of so many of the pool. */
function lostCalendar(e: Columns, hosts: SQL): SQL {
  const isLost = sql`c.is_test = ${e.is_test} AND c.checks_busy = 1 AND c.lost_at IS NOT NULL`
  const lostOfHost = sql`calendar_connections c WHERE c.member_id = h.member_id AND ${isLost}`
  const known = sql`${hosts} AND h.part = 'pool' AND NOT EXISTS (SELECT 1 FROM ${lostOfHost})`
  const own = sql`SELECT id FROM calendar_connections WHERE id = o.default_calendar_connection_id AND organization_id = o.id
    UNION SELECT mine.id FROM members m JOIN calendar_connections mine ON mine.member_id = m.id
      WHERE m.organization_id = o.id AND m.user_id = o.owner_user_id`
  return sql`CASE WHEN ${e.calendar_outage} <> 'closed' THEN NULL
    WHEN NOT EXISTS (SELECT 1 FROM ${hosts}) THEN (SELECT min(c.id) FROM calendar_connections c
      WHERE c.id IN (${own}) AND ${isLost})
    WHEN ${e.assignment_strategy} = 'none'
      OR EXISTS (SELECT 1 FROM ${hosts} AND h.part = 'required' AND EXISTS (SELECT 1 FROM ${lostOfHost}))
      OR CASE ${e.pool_size} WHEN 1 THEN NOT EXISTS (SELECT 1 FROM ${known})
        ELSE (SELECT count(*) FROM ${known}) < ${e.pool_size} END AND EXISTS (SELECT 1 FROM ${hosts} AND h.part = 'pool')
    THEN (SELECT min(c.id) FROM event_type_hosts h CROSS JOIN ${lostOfHost} AND h.event_type_id = ${e.id}) END`
}
