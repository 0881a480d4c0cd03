import { looseId } from '../../src/platform/db/ids.ts'

/**
 * New members who host the event type and have 200 bookings of half an hour each, all of them at the same times:
 * every three hours from `first`.
 */
export async function addBusyHosts(
  db: D1Database,
  eventTypeId: string,
  count: number,
  first: number,
): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: count }, () => looseId()))
  const now = Date.now()
  const organization = '(SELECT organization_id FROM event_types WHERE id = ?2)'
  const series = `json_each(?1) AS host, (WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < 199)
    SELECT at FROM n) AS series`
  await db.batch([
    db
      .prepare(
        `INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at)
         SELECT value, ${organization}, value, value || '@example.com', 'member', ?3, ?3 FROM json_each(?1)`,
      )
      .bind(ids, eventTypeId, now),
    db
      .prepare(
        `INSERT INTO event_type_hosts (id, event_type_id, member_id, resource_id, priority, weight, created_at)
         SELECT 'h' || value, ?2, value, value, 50, 100, ?3 FROM json_each(?1)`,
      )
      .bind(ids, eventTypeId, now),
    db
      .prepare(
        `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at)
         SELECT host.value, ?2 + at * 10800000, ?2 + at * 10800000 + 1800000, host.value || at, ?2 + at * 10800000 FROM ${series}`,
      )
      .bind(ids, first),
    db
      .prepare(
        `INSERT INTO bookings (id, organization_id, event_type_id, is_test, status, start_time, end_time, invitee_name,
           invitee_email, invitee_timezone, metadata, attendees, assigned_host_id, created_at, updated_at)
         SELECT host.value || at, ${organization}, ?2, 0, 'confirmed', ?3 + at * 10800000,
           ?3 + at * 10800000 + 1800000, 'A', 'a@b.c', 'UTC', '{}', '[]', host.value, ?3, ?3 FROM ${series}`,
      )
      .bind(ids, eventTypeId, first),
  ])
}

/** Lets the hosts of an event type host others too. */
export async function shareHosts(
  db: D1Database,
  eventTypeId: string,
  others: readonly string[],
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO event_type_hosts (id, event_type_id, member_id, resource_id, priority, weight, created_at)
       SELECT h.id || '-' || other.key, other.value, h.member_id, h.resource_id, h.priority, h.weight, h.created_at
       FROM event_type_hosts h, json_each(?2) AS other WHERE h.event_type_id = ?1`,
    )
    .bind(eventTypeId, JSON.stringify(others))
    .run()
}
