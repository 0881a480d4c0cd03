import { env } from 'cloudflare:workers'
import { packBusyTimes } from '../../src/engine/schedule/taken/statements.ts'
import { withOwn } from '../../src/env.ts'
import { commitBatch, openDb } from '../../src/platform/db/client.ts'
import type { Organization } from './factories.ts'

const BUSY_TIMES = 200
const EVERY_MS = 3.5 * 3_600_000

/** Gives each host of the event type a synced calendar with 200 busy times from `first`, half an hour each. */
export async function addBusyCalendars(
  db: D1Database,
  { id }: Pick<Organization, 'id'>,
  eventTypeId: string,
  first: number,
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, provider, account_email,
           calendar_id, provider_metadata, status, sync_status, last_sync_at, next_sync_at, connected_at, updated_at,
           account_id)
         SELECT 'c' || member_id, ?2, 0, member_id, 'caldav', member_id, 'work', '{}', 'active', 'connected', 1, 1, 1, 1,
           'c' || member_id FROM event_type_hosts WHERE event_type_id = ?1`,
      )
      .bind(eventTypeId, id),
    db
      .prepare(
        `INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
         WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < ${BUSY_TIMES - 1})
         SELECT 'c' || member_id, at, ?2 + at * ${EVERY_MS}, ?2 + at * ${EVERY_MS} + 1800000
         FROM event_type_hosts, n WHERE event_type_id = ?1`,
      )
      .bind(eventTypeId, first),
  ])
  const { results } = await db
    .prepare("SELECT 'c' || member_id AS id FROM event_type_hosts WHERE event_type_id = ?")
    .bind(eventTypeId)
    .all<{ id: string }>()
  const opened = openDb(withOwn(env, { DB: db }), 'decide')
  await commitBatch(
    opened,
    results.map((calendar) => packBusyTimes(opened, calendar.id)),
  )
}
