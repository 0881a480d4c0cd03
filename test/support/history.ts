import { env } from 'cloudflare:workers'
import { seal } from '../../src/platform/auth/secret.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { createEventType, createOrganization } from './factories.ts'

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
/** So many bookings lie ahead, about ten days of them. */
export const UPCOMING = 500
const LEAD_MS = 11 * DAY_MS

export type History = Awaited<ReturnType<typeof fillHistory>>

/** A UUID version 7 of that instant, in SQL; `n` keeps ids of one kind apart. */
function idAt(instant: string, n: string): string {
  return `printf('%08x-%04x-7000-8000-%012x', (${instant}) / 65536, (${instant}) % 65536, ${n})`
}

function count(to: number): string {
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`
}

/**
 * An organization after `size` bookings, one each half hour, the last of them upcoming; beside it a small one, and
 * its own sandbox. Whatever is rare happened long ago: who walks back from the newest to find it reads everything.
 */
export async function fillHistory(size: number) {
  const organization = await createOrganization()
  const other = await createOrganization()
  const now = Date.now()
  const outboxItem = await seal(env.ENCRYPTION_KEY, JSON.stringify({ text: 'Hello' }))
  const first = Math.floor(now / HALF_HOUR_MS) * HALF_HOUR_MS - (size - UPCOMING) * HALF_HOUR_MS
  const [everyday, retired, paid, elsewhere, sandboxed] = await Promise.all([
    idOfNew(organization.liveKey, { waitlist_enabled: true }),
    idOfNew(organization.liveKey),
    idOfNew(organization.liveKey),
    idOfNew(other.liveKey),
    idOfNew(organization.testKey),
  ])
  const [host, formerHost, endpoint, connection, schedule] = [
    looseId(),
    looseId(),
    looseId(),
    looseId(),
    looseId(),
  ]
  const start = `${first} + i * ${HALF_HOUR_MS}`
  const booked = `${first - LEAD_MS} + i * ${HALF_HOUR_MS}`
  const isOld = `i < ${size / 4}`
  const eventTypeAt = `CASE WHEN ${isOld} AND i % 20 = 3 THEN '${retired}' WHEN i % 4 = 1 THEN '${paid}' ELSE '${everyday}' END`
  const hostAt = `CASE WHEN ${isOld} AND i % 10 = 3 THEN '${formerHost}' WHEN i % 2 THEN '${host}' END`
  const statusAt = `CASE WHEN NOT ${isOld} THEN 'confirmed' WHEN i % 21 = 0 THEN 'cancelled' WHEN i % 29 = 0 THEN 'rescheduled'
    WHEN i % 501 = 0 THEN 'pending_payment' ELSE 'confirmed' END`
  const bookingId = idAt(booked, 'i')
  const ours = `'${organization.id}', 0`

  const bookings = (
    tenant: string,
    to: number,
    id: string,
    eventType: string,
  ) => `INSERT INTO bookings (organization_id, is_test,
      id, event_type_id, status, start_time, end_time, invitee_name, invitee_email, invitee_timezone, metadata, attendees,
      assigned_host_id, calendar_connection_id, created_at, updated_at)
    ${count(to)} SELECT ${tenant}, ${id}, ${eventType}, ${statusAt}, ${start}, ${start} + ${HALF_HOUR_MS}, 'Ada',
      CASE WHEN ${isOld} AND i % 100 = 0 THEN 'Rare@example.com' ELSE 'p' || (i % 997) || '@example.com' END, 'UTC', '{}',
      '[]', ${hostAt}, CASE WHEN i % 2 THEN '${connection}' END, ${booked}, ${booked} FROM n`

  const sql = [
    `INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at)
     VALUES ('${host}', '${organization.id}', 'host', 'host@example.com', 'member', 1, 1)`,
    `INSERT INTO event_type_hosts (id, event_type_id, member_id, resource_id, priority, weight, created_at)
     VALUES ('${host}', '${everyday}', '${host}', '${host}', 50, 100, 1)`,
    `INSERT INTO schedules (id, organization_id, is_test, member_id, name, timezone, rules, created_at, updated_at)
     ${count(300)} SELECT ${idAt(booked, 'i + 4000000')}, ${ours}, CASE WHEN i % 100 = 0 THEN '${host}' END, 'Hours', 'UTC', '[]', 1, 1
     FROM n`,
    // What the host took off before is nobody's business any more.
    `UPDATE members SET max_bookings_per_day = 100, max_bookings_per_week = 1000 WHERE id = '${host}'`,
    `UPDATE event_types SET invitee_limit = 100 WHERE id = '${everyday}'`,
    `INSERT INTO schedules (id, organization_id, is_test, member_id, name, timezone, rules, overrides, is_default, created_at, updated_at)
     VALUES ('${schedule}', ${ours}, '${host}', 'Hours', 'UTC', '[{"day_of_week":1,"start_time":"09:00","end_time":"17:00"}]',
       (${count(300)} SELECT json_group_array(json_object('date', date('2025-01-01', '+' || i || ' days'), 'intervals', json('[]'))) FROM n), 1, 1, 1)`,
    `INSERT INTO resources (id, organization_id, is_test, name, kind, quantity, schedule_id, active, created_at, updated_at)
     ${count(300)} SELECT ${idAt(booked, 'i + 7000000')}, ${ours}, 'Room', 'room', 2, CASE WHEN i = 1 THEN '${schedule}' END, 1, 1, 1 FROM n`,
    `INSERT INTO email_texts (id, organization_id, kind, locale, intro, updated_at)
     SELECT '${organization.id}' || kind.value || locale.value, '${organization.id}', kind.value, locale.value, 'Hello', 1
     FROM json_each('["confirmation","moved","cancelled","reminder","request","waitlist","follow_up"]') kind,
       json_each('["en","de","fr","es","ja","ar"]') locale`,
    `INSERT INTO time_off (id, organization_id, is_test, member_id, starts_at, ends_at, start_date, end_date, external_id,
       created_at, updated_at)
     ${count(2000)} SELECT ${idAt(booked, 'i + 5000000')}, ${ours}, '${host}', ${now} - i * ${DAY_MS}, ${now} - i * ${DAY_MS} + 3600000,
       '2020-01-01', '2020-01-01', 'hr-' || i, 1, 1 FROM n`,
    `INSERT INTO calendar_accounts (id, organization_id, is_test, member_id, provider, account_key, account_email, server_url,
       credentials, connected_at, updated_at)
     VALUES ('${connection}', ${ours}, '${host}', 'caldav', 'account', 'host@example.com', '', 'sealed', 1, 1)`,
    `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, account_id, provider, account_email,
       calendar_id, provider_metadata, status, sync_status, last_sync_at, next_sync_at, connected_at, updated_at,
       receives_bookings)
     VALUES ('${connection}', ${ours}, '${host}', '${connection}', 'caldav', 'host@example.com', 'work', '{}',
       'active', 'connected', 1, ${now + DAY_MS}, 1, 1, 1)`,
    bookings(ours, size, bookingId, eventTypeAt),
    bookings(`'${organization.id}', 1`, size / 20, idAt(booked, 'i + 1000000'), `'${sandboxed}'`),
    bookings(`'${other.id}', 0`, size / 20, idAt(booked, 'i + 2000000'), `'${elsewhere}'`),
    `INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, wanted_revision, updated_at)
     SELECT id, calendar_connection_id, organization_id, id || '@holdfast', 0, 'pending', 1, 1 FROM bookings
     WHERE calendar_connection_id IS NOT NULL AND status IN ('confirmed', 'rescheduled')`,
    `UPDATE calendar_writes SET status = CASE WHEN rowid % 500 = 0 THEN 'failed' ELSE 'written' END, next_attempt_at = NULL,
       event_id = holder_id || '.ics', written_start = 1, written_end = 2`,
    `INSERT INTO client_bookings (booking_id, organization_id, is_test, contact, is_cancelled, start_time, no_show)
     SELECT id, organization_id, is_test, lower(invitee_email), status = 'cancelled', start_time, 0 FROM bookings`,
    `INSERT INTO clients (organization_id, is_test, contact, id, name, sort_name, words, bookings, cancelled, last_at, next_at, notes)
     SELECT organization_id, is_test, contact, booking_id, 'Ada', 'ada', ' ada ' || contact, sum(NOT is_cancelled), sum(is_cancelled),
       coalesce(max(start_time) FILTER (WHERE start_time <= ${now}), 0), coalesce(min(start_time) FILTER (WHERE start_time > ${now}), 8640000000000000),
       CASE WHEN contact LIKE 'p1%' THEN 'sealed' END FROM client_bookings GROUP BY organization_id, is_test, contact`,
    `INSERT INTO client_words (organization_id, is_test, word, contact)
     SELECT organization_id, is_test, 'ada', contact FROM clients UNION ALL SELECT organization_id, is_test, contact, contact FROM clients`,
    `INSERT INTO images (id, organization_id, use, hash, format, content, created_at)
     ${count(300)} SELECT ${idAt(booked, 'i + 8000000')}, '${organization.id}', 'use ' || i, 'hash ' || i, 'png', 'AAAA', 1 FROM n`,
    `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at)
     SELECT coalesce(assigned_host_id, event_type_id), start_time, end_time, id, start_time FROM bookings
     WHERE organization_id = '${organization.id}' AND is_test = 0 AND status <> 'cancelled'`,
    `INSERT INTO packed_holds (fortnight, resource_id, times) ${count(500)} SELECT 5000 + i % 5, 'packed ' || i, '' FROM n`,
    `INSERT INTO slot_holds (id, organization_id, event_type_id, is_test, purpose, status, start_time, end_time, seats, credited_ids,
       is_assignment, metadata, token_hash, network_mark, expires_at, created_at, updated_at)
     ${count(2000)} SELECT ${idAt(booked, 'i + 6000000')}, '${organization.id}', '${everyday}', 0, 'hold', CASE WHEN i % 500 = 0 THEN 'held' ELSE 'expired' END,
       ${now} + i * 60000, ${now} + i * 60000 + 1, 1, '[]', 0, '{}', 'hash ' || i, 'network', CASE WHEN i % 500 = 0 THEN ${now + DAY_MS} ELSE ${booked} END, 1, 1 FROM n`,
    `INSERT INTO activity (id, organization_id, is_test, actor_type, action, resource_type, resource_id, created_at)
     SELECT id, organization_id, is_test, 'invitee', CASE WHEN status = 'cancelled' THEN 'booking.cancelled' ELSE 'booking.created' END,
       'booking', id, created_at FROM bookings`,
    `INSERT INTO activity (id, organization_id, is_test, actor_type, action, resource_type, resource_id, created_at)
     ${count(30)} SELECT ${idAt(booked, 'i + 3000000')}, ${ours}, 'user', 'event_type.updated', 'event_type', '${retired}', 1 FROM n`,
    `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at, handled_at)
     SELECT id, organization_id, is_test, row_number() OVER (PARTITION BY organization_id, is_test ORDER BY id),
       'booking.created', json_object('id', id), created_at, created_at FROM bookings`,
    `INSERT INTO webhook_endpoints (id, organization_id, is_test, url, events, secret, active, verification_status, created_at, updated_at)
     VALUES ('${endpoint}', ${ours}, 'https://hooks.example.com', '["booking.created"]', 'sealed', 1, 'verified', 1, 1)`,
    `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status, created_at)
     ${count(size / 2)} SELECT ${bookingId}, ${ours}, '${endpoint}', ${bookingId}, 'booking.created', '{}',
       CASE WHEN ${isOld} AND i % 40 = 0 THEN 'failed' WHEN ${isOld} AND i % 41 = 0 THEN 'retried' ELSE 'success' END, ${booked} FROM n`,
    `INSERT INTO payments (id, organization_id, is_test, event_type_id, booking_id, intent_id, amount, currency, platform_fee, status,
       expires_at, created_at, updated_at)
     ${count(size / 4)} SELECT ${bookingId}, ${ours}, '${paid}', ${bookingId}, 'pi_' || i, 1000, CASE WHEN i % 3 THEN 'eur' ELSE 'usd' END, 10,
       CASE WHEN i < ${size / 8} AND i % 50 = 0 THEN 'failed' WHEN i < ${size / 8} AND i % 51 = 0 THEN 'refunded' ELSE 'succeeded' END,
       ${now + DAY_MS}, ${booked}, ${booked} FROM n`,
    `INSERT INTO refunds (id, payment_id, organization_id, is_test, amount, status, created_at, updated_at)
     SELECT id, id, organization_id, is_test, 1000, 'succeeded', 1, 1 FROM payments WHERE status = 'refunded'`,
    `INSERT INTO waitlist_entries (id, place, organization_id, event_type_id, is_test, status, invitee_name, invitee_email,
       invitee_timezone, start_time, duration_minutes, expires_at, created_at, updated_at)
     ${count(size / 8)} SELECT ${bookingId}, i, '${organization.id}', CASE WHEN ${isOld} AND i % 20 = 3 THEN '${retired}' ELSE '${everyday}' END, 0,
       CASE WHEN i > ${size / 8} - 400 OR i % 100 = 0 THEN 'waiting' WHEN i % 101 = 0 THEN 'cancelled' ELSE 'expired' END, 'Ada',
       'w' || i || '@example.com', 'UTC', CASE WHEN i % 2 THEN 8000000000000 END, 30, ${now + DAY_MS}, ${booked}, ${booked} FROM n`,
    `INSERT INTO letter_keys (once_key) SELECT 'confirmation/' || id FROM bookings`,
    `INSERT INTO emails (id, organization_id, kind, recipient, status, next_attempt_at, created_at)
     SELECT id, organization_id, 'ready', invitee_email, 'failed', created_at, created_at FROM bookings WHERE is_test = 0 AND start_time % 7 = 0`,
    `INSERT INTO sandbox_outbox (id, organization_id, once_key, channel, recipient, body, created_at)
     SELECT id, organization_id, 'confirmation/' || id, 'email', invitee_email, '${outboxItem}', created_at FROM bookings WHERE is_test = 1`,
    `UPDATE bookings SET reminder_minutes = '[60]', next_reminder_at = start_time - 3600000 WHERE start_time > ${now + DAY_MS}`,
    `INSERT INTO support_requests (id, organization_id, is_test, subject, message, category, status, created_at)
     ${count(300)} SELECT ${bookingId}, ${ours}, 'Hello', 'Hello', 'question', 'open', 1 FROM n`,
    `INSERT INTO import_jobs (id, organization_id, source, status, made, left_out, created_at, updated_at, finished_at)
     ${count(300)} SELECT ${bookingId}, '${organization.id}', 'calendly', 'done', '{"schedules":0,"event_types":0,"bookings":0}', '[]', i, ${now}, ${now} FROM n`,
    `INSERT INTO imported_from (organization_id, source, made_id, created_at)
     ${count(2000)} SELECT '${organization.id}', 'calendly/booking/' || i, 'made ' || i, 1 FROM n`,
    `INSERT INTO invitations (id, organization_id, is_test, email, role, token_hash, invited_by, expires_at, accepted_at, created_at)
     ${count(1000)} SELECT ${bookingId}, ${ours}, 'i' || i || '@example.com', 'member', 'hash ' || i, 'owner',
       CASE WHEN i < 10 THEN ${now + DAY_MS} ELSE 1 END, CASE WHEN i > 20 THEN 1 END, 1 FROM n`,
    `INSERT INTO api_keys (id, organization_id, is_test, name, hash, key_prefix, revoked_at, created_at)
     ${count(1000)} SELECT ${bookingId}, ${ours}, 'old', 'hash ' || i, 'hf_live_', 1, 1 FROM n`,
    `INSERT INTO idempotency_keys (scope, key, request_hash, status, answer, expires_at)
     ${count(2000)} SELECT '${other.id}/live', 'key ' || i, 'hash', 201, 'sealed', ${now + DAY_MS} FROM n`,
    `INSERT INTO calendar_events (connection_id, event_id, uid, etag, starts_at, ends_at)
     ${count(1000)} SELECT '${connection}', 'e' || i, 'e' || i, 'etag', ${start}, ${start} FROM n`,
    `INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
     ${count(1000)} SELECT '${connection}', 'e' || i, ${start}, ${start} + ${HALF_HOUR_MS} FROM n`,
  ]
  await env.DB.batch(sql.map((statement) => env.DB.prepare(statement)))
  const idOf = async (query: string) => (await env.DB.prepare(query).first<{ id: string }>())!.id
  const middle =
    await idOf(`SELECT id FROM bookings WHERE organization_id = '${organization.id}' AND is_test = 0
    ORDER BY id LIMIT 1 OFFSET ${size / 2}`)
  const lastWaiting = await idOf(`SELECT max(id) AS id FROM waitlist_entries WHERE status = 'waiting'`)
  return {
    organization,
    other,
    size,
    now,
    middle,
    lastWaiting,
    everyday,
    retired,
    paid,
    host,
    formerHost,
    endpoint,
    connection,
    schedule,
    elsewhere,
    sandboxed,
  }
}

async function idOfNew(key: string, input: Record<string, unknown> = {}): Promise<string> {
  return (await createEventType(key, input)).id
}
