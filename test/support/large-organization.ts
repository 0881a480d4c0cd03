import { env } from 'cloudflare:workers'
import { packBusyTimes } from '../../src/engine/schedule/taken/statements.ts'
import { commitBatch, openDb } from '../../src/platform/db/client.ts'
import { callAsService } from './app.ts'
import { addBusyHosts } from './busy-hosts.ts'
import { createEventType, createOrganization, dateOf, dayFromNow } from './factories.ts'
import { daily, insertSchedule } from './hours.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOSTS = 50
const EVENT_TYPES = 20
const WAITING = 200

const WINDOWS = Array.from({ length: 14 }, (_, at) => {
  const hour = String(6 + at).padStart(2, '0')
  return [`${hour}:00`, `${hour}:50`] as const
})

/**
 * What `docs/limits.md` calls a large organization: 20 event types of the same 50 hosts, each with 98 rules, 366 dates, 200
 * bookings and a calendar with 200 events, about a month of them, and 200 people who wait for the first event type.
 */
export async function largeOrganization() {
  const organization = await createOrganization({ tier: 'scale' })
  // The most that it may allow.
  const public_limits = { attendees_per_booking: 100 }
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { public_limits } })
  const first = dayFromNow(1) + HOUR_MS
  const busy = first + 6 * HOUR_MS
  const overrides = Array.from({ length: 366 }, (_, at) => ({
    date: dateOf(dayFromNow(1) + at * DAY_MS),
    intervals: [{ start_time: '06:00', end_time: '20:00' }],
  }))
  const ids: string[] = []
  const slugs: string[] = []
  for (let made = 0; made < EVENT_TYPES; made++) {
    const { id, slug } = await createEventType(
      organization.liveKey,
      {
        assignment_strategy: 'round_robin',
        waitlist_enabled: true,
        waitlist_max: 500,
        booking_page_enabled: true,
      },
      daily(...WINDOWS),
    )
    ids.push(id)
    slugs.push(slug)
  }
  await addBusyHosts(env.DB, ids[0]!, HOSTS, first)
  const { results } = await env.DB.prepare('SELECT member_id FROM event_type_hosts WHERE event_type_id = ?')
    .bind(ids[0])
    .all<{ member_id: string }>()
  await env.DB.batch(
    ids.slice(1).map((id) =>
      env.DB.prepare(
        `INSERT INTO event_type_hosts (id, event_type_id, member_id, resource_id, priority, weight, created_at)
         SELECT ?1 || member_id, ?1, member_id, resource_id, 50, 100, 1 FROM event_type_hosts WHERE event_type_id = ?2`,
      ).bind(id, ids[0]),
    ),
  )
  for (const { member_id: memberId } of results) {
    await insertSchedule(organization, 'live', { memberId, rules: daily(...WINDOWS), overrides })
  }
  const hosts = '(SELECT member_id FROM event_type_hosts WHERE event_type_id = ?1)'
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, provider, account_email,
         calendar_id, provider_metadata, status, sync_status, last_sync_at, next_sync_at, connected_at, updated_at,
         account_id) SELECT 'c' || member_id, ?2, 0, member_id, 'caldav', member_id, 'work', '{}', 'active',
         'connected', 1, 9e12, 1, 1, 'c' || member_id FROM ${hosts}`,
    ).bind(ids[0], organization.id),
    env.DB.prepare(
      `INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
       WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < 199)
       SELECT 'c' || member_id, at, ?2 + at * 10800000, ?2 + at * 10800000 + 1800000 FROM ${hosts}, n`,
    ).bind(ids[0], first),
    env.DB.prepare(
      `INSERT INTO waitlist_entries (id, organization_id, is_test, event_type_id, start_time, status, place, invitee_name,
         invitee_email, invitee_timezone, duration_minutes, expires_at, created_at, updated_at)
       WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < ${WAITING - 1})
       SELECT 'w' || ?1 || at, ?2, 0, ?1, ?3, 'waiting', at, 'Wil', 'w' || at || '@example.com', 'UTC', 30, 9e12, 1, 1 FROM n`,
    ).bind(ids[0], organization.id, busy),
  ])
  // As a sync leaves them.
  const db = openDb(env, 'decide')
  await commitBatch(
    db,
    results.map((host) => packBusyTimes(db, `c${host.member_id}`)),
  )
  return { organization, ids, slugs, first, busy }
}
