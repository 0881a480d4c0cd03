const EVENT_TYPES = 1_000
const BOOKINGS = 100_000
const ENTRIES = 50_000
/** What one statement may insert: a large one would keep the database from everything else. */
const AT_ONCE = 10_000

const HALF_HOUR_MS = 1_800_000

/**
 * Years of business in the organization of the event type: 1,000 event types, 100,000 bookings and 50,000 waitlist
 * entries spread over them and over the event type itself, nine of ten in the past, with holds, activity and events.
 */
export async function addHistory(db: D1Database, eventTypeId: string): Promise<void> {
  const columns = await copiedColumns(db)
  await db
    .prepare(
      `INSERT INTO event_types (id, slug, ${columns})
       ${numbers(0, EVENT_TYPES)} SELECT ${idOf('i')}, 'large-' || i, ${columns} FROM event_types, n WHERE id = ?1`,
    )
    .bind(eventTypeId)
    .run()
  const now = Date.now()
  const first = Math.floor(now / HALF_HOUR_MS) * HALF_HOUR_MS - 0.9 * BOOKINGS * HALF_HOUR_MS
  // One in a hundred belongs to the event type that is measured, far from the times that are booked meanwhile.
  const eventTypeAt = `CASE WHEN i % 100 = 0 AND i < ${0.9 * BOOKINGS} THEN ?1 ELSE ${idOf(`i % ${EVENT_TYPES}`)} END`
  for (let from = 0; from < BOOKINGS; from += AT_ONCE) {
    const those = `id >= ${idOf(from + 1_000_000)} AND id < ${idOf(from + AT_ONCE + 1_000_000)}`
    const start = `${first} + i * ${HALF_HOUR_MS}`
    await db.batch([
      db
        .prepare(
          `INSERT INTO bookings (id, organization_id, event_type_id, is_test, status, start_time, end_time, invitee_name,
             invitee_email, invitee_timezone, metadata, attendees, created_at, updated_at)
           ${numbers(from, from + AT_ONCE)} SELECT ${idOf('i + 1000000')},
             (SELECT organization_id FROM event_types WHERE id = ?1), ${eventTypeAt}, 0,
             CASE WHEN i % 9 = 0 THEN 'cancelled' ELSE 'confirmed' END, ${start}, ${start} + ${HALF_HOUR_MS},
             'Ada', 'p' || (i % 997) || '@example.com', 'UTC', '{}', '[]', ${start}, ${start} FROM n`,
        )
        .bind(eventTypeId),
      db.prepare(
        `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id)
         SELECT event_type_id, start_time, end_time, id FROM bookings WHERE ${those} AND status = 'confirmed'`,
      ),
      db.prepare(
        `INSERT INTO activity (id, organization_id, is_test, actor_type, action, resource_type, resource_id, created_at)
         SELECT id, organization_id, 0, 'invitee', 'booking.created', 'booking', id, created_at FROM bookings WHERE ${those}`,
      ),
      db.prepare(
        `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at, handled_at)
         SELECT id, organization_id, 0, 1000000 + row_number() OVER (ORDER BY id) + ${from}, 'booking.created',
           json_object('id', id), created_at, created_at FROM bookings WHERE ${those}`,
      ),
    ])
  }
  for (let from = 0; from < ENTRIES; from += AT_ONCE) {
    await db
      .prepare(
        `INSERT INTO waitlist_entries (id, place, organization_id, event_type_id, is_test, status, invitee_name,
           invitee_email, invitee_timezone, start_time, duration_minutes, expires_at, created_at, updated_at)
         ${numbers(from, from + AT_ONCE)} SELECT ${idOf('i + 3000000')}, i + 1000000,
           (SELECT organization_id FROM event_types WHERE id = ?1),
           CASE WHEN i % 100 = 0 THEN ?1 ELSE ${idOf(`i % ${EVENT_TYPES}`)} END, 0,
           CASE WHEN i % 100 = 0 OR i % 3 = 0 THEN 'expired' ELSE 'waiting' END, 'Ada', 'w' || i || '@example.com', 'UTC',
           NULL, 30, ${now} + 30 * 86400000, ${now}, ${now} FROM n`,
      )
      .bind(eventTypeId)
      .run()
  }
}

/** An event type has some thirty settings: the others take over those of the measured one. */
async function copiedColumns(db: D1Database): Promise<string> {
  const { results } = await db.prepare('PRAGMA table_info(event_types)').all<{ name: string }>()
  const names = results.map(({ name }) => name).filter((name) => name !== 'id' && name !== 'slug')
  return names.map((name) => `"${name}"`).join(', ')
}

function idOf(number: string | number): string {
  return `printf('00000000-0000-7000-8000-%012x', ${number})`
}

function numbers(from: number, to: number): string {
  return `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`
}
