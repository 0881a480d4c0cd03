import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { selectHandovers } from '../../src/booking/bookings/follow-ups/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { HANDOVER_MS, makeUpFor } from '../../src/worker/jobs/make-up.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { bookAsAnother, dayFromNow } from '../support/factories.ts'

type Row = Record<string, any>

/** Every row that the service of that time had stored when its latest migration was the one in the name. */
const dumps = import.meta.glob<string>('./upgrades/*.sql', { query: '?raw', import: 'default', eager: true })

/** What migrations leave of rows on purpose, by table. */
const LEFT: Readonly<Record<string, (rows: readonly Row[]) => readonly Row[]>> = {
  // Letters go once they are sent, and their words with those that never arrive.
  emails: (rows) =>
    rows
      .filter(({ status }) => status !== 'sent')
      .map((row) => (row.status === 'pending' ? row : { ...row, message: null })),
}

/** Columns that migrations took away on purpose, by table. */
const GONE: Readonly<Record<string, readonly string[]>> = { emails: ['once_key', 'sent_at'] }

async function rowsOf(query: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

function namesOf(type: 'table' | 'trigger'): Promise<{ name: string; sql: string }[]> {
  return rowsOf(
    `SELECT name, sql FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name <> 'd1_migrations'`,
    type,
  ) as Promise<{ name: string; sql: string }[]>
}

/** The rows of each of these, which may be views of what other tables know by now. */
async function everythingIn(names: readonly string[]): Promise<Map<string, Row[]>> {
  const read = names.map(async (name) => [name, await rowsOf(`SELECT * FROM "${name}"`)] as const)
  return new Map(await Promise.all(read))
}

/** The rows as they were, so without what triggers would do to them once more. */
async function load(dump: string): Promise<void> {
  const triggers = await namesOf('trigger')
  for (const { name } of triggers) await env.DB.prepare(`DROP TRIGGER ${name}`).run()
  await env.DB.batch(
    dump
      .trimEnd()
      .split('\n')
      .map((line) => env.DB.prepare(line)),
  )
  for (const { sql } of triggers) await env.DB.prepare(sql).run()
}

/** What tables, indexes, views and triggers are, and with them every CHECK. */
function schema(): Promise<Row[]> {
  return rowsOf(
    `SELECT type, name, tbl_name, sql FROM sqlite_master
     WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY type, name`,
  )
}

/** What a query finds that should not be there. */
const FLAWS: Readonly<Record<string, string>> = {
  'a sandbox in which something is due earlier than it says': `SELECT id FROM organizations o WHERE sandbox_now IS NULL
    AND coalesce(sandbox_due_at, 9e15) > (SELECT min(due) FROM (
      SELECT min(next_reminder_at) AS due FROM bookings WHERE organization_id = o.id AND is_test = 1
      UNION ALL SELECT min(expires_at) FROM waitlist_entries WHERE organization_id = o.id AND is_test = 1 AND status = 'waiting'
      UNION ALL SELECT min(expires_at) FROM payments WHERE organization_id = o.id AND is_test = 1
        AND status IN ('pending', 'failed')))`,
  'a count of active bookings that is wrong': `SELECT id FROM event_types e WHERE active_bookings <>
    (SELECT count(*) FROM bookings WHERE event_type_id = e.id AND status <> 'cancelled')`,
  'a day whose bookings are counted wrong': `SELECT * FROM
    (SELECT organization_id, is_test, day, bookings, cancelled, unpaid FROM usage_days WHERE bookings > 0) u
    FULL JOIN (SELECT organization_id, is_test, created_at / 86400000 AS day, count(*) AS bookings,
      sum(status = 'cancelled') AS cancelled, sum(status = 'pending_payment') AS unpaid
      FROM bookings GROUP BY 1, 2, 3) b USING (organization_id, is_test, day, bookings, cancelled, unpaid)
    WHERE u.organization_id IS NULL OR b.organization_id IS NULL`,
  'a day whose deliveries are counted wrong': `SELECT d.* FROM
    (SELECT organization_id, is_test, created_at / 86400000 AS day, count(*) AS deliveries,
      sum(status = 'success') AS arrived, sum(status IN ('failed', 'retried')) AS given_up
      FROM webhook_deliveries GROUP BY 1, 2, 3) d
    LEFT JOIN usage_days USING (organization_id, is_test, day, deliveries, arrived, given_up)
    WHERE usage_days.day IS NULL`,
  'a sum of payments that is wrong': `SELECT * FROM payment_sums s WHERE (payments, refunded, lost, pending) IS NOT
    (SELECT count(*), sum(refunded_amount), sum(lost_amount), sum(status IN ('pending', 'processing')) FROM payments p
      WHERE p.organization_id = s.organization_id AND p.is_test = s.is_test AND p.currency = s.currency)
    OR (revenue, fees) IS NOT (SELECT coalesce(sum(amount), 0), coalesce(sum(platform_fee - refunded_fee), 0) FROM payments p WHERE p.organization_id = s.organization_id
      AND p.is_test = s.is_test AND p.currency = s.currency
      AND status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost'))`,
  'a payment in no sum': `SELECT id FROM payments p WHERE NOT EXISTS (SELECT 1 FROM payment_sums s
    WHERE p.organization_id = s.organization_id AND p.is_test = s.is_test AND p.currency = s.currency)`,
  'seats that nobody has': `SELECT * FROM sessions s WHERE seats_taken <>
    (SELECT coalesce(sum(json_array_length(attendees)), 0) FROM bookings WHERE session_id = s.id AND status <> 'cancelled')`,
  'an active booking without its time': `SELECT b.id FROM bookings b JOIN event_types e ON e.id = b.event_type_id
    WHERE b.status <> 'cancelled' AND NOT EXISTS (SELECT 1 FROM holds h
      WHERE h.holder_id = coalesce(b.session_id, b.id)
      AND h.starts_at = b.start_time - e.buffer_before_minutes * 60000
      AND h.ends_at = b.end_time + e.buffer_after_minutes * 60000)`,
  'time held that does not say when its meeting begins': `SELECT * FROM holds h WHERE meets_at IS NOT coalesce(
    (SELECT start_time FROM bookings WHERE id = h.holder_id AND session_id IS NULL),
    (SELECT start_time FROM sessions WHERE id = h.holder_id))`,
  'time held for nobody': `SELECT * FROM holds WHERE holder_id NOT IN
    (SELECT coalesce(session_id, id) FROM bookings WHERE status <> 'cancelled')`,
  'time held twice': `SELECT a.* FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.kept_by = b.kept_by AND (a.starts_at, a.holder_id) < (b.starts_at, b.holder_id)
    AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  'a calendar without an account': `SELECT * FROM calendar_connections c
    WHERE NOT EXISTS (SELECT 1 FROM calendar_accounts a WHERE a.id = c.account_id AND a.member_id = c.member_id)`,
  'a member whose bookings go to no calendar': `SELECT * FROM calendar_connections c
    WHERE status IN ('active', 'error') AND can_write AND NOT EXISTS (SELECT 1 FROM calendar_connections other
      WHERE other.member_id = c.member_id AND other.is_test = c.is_test AND other.receives_bookings
        AND other.status IN ('active', 'error'))`,
  'a broken reference': 'PRAGMA foreign_key_check',
}

const named = Object.entries(dumps).map(([path, dump]) => [path.slice(-'0000.sql'.length, -4), dump] as const)

it('are tested from the first schemas to the last released one', () => {
  expect(named.map(([name]) => name)).toEqual(['0005', '0009', '0015'])
})

describe.each(named)('a database of migration %s that is brought up to date', (name, dump) => {
  const isOfThen = (migration: { name: string }) => migration.name.slice(0, 4) <= name
  let before: Map<string, Row[]>
  let wanted: Row[]

  beforeAll(async () => {
    await emptyDatabase()
    await applyD1Migrations(env.DB, env.MIGRATIONS)
    wanted = await schema()
    await emptyDatabase()
    await applyD1Migrations(env.DB, env.MIGRATIONS.filter(isOfThen))
    await load(dump)
    before = await everythingIn((await namesOf('table')).map((table) => table.name))
    await applyD1Migrations(env.DB, env.MIGRATIONS)
  })

  it('had rows in every table', () => {
    expect([...before].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([])
  })

  it('keeps every row, with all that it said', async () => {
    const after = await everythingIn([...before.keys()])
    for (const [table, stored] of before) {
      const rows = LEFT[table]?.(stored) ?? stored
      const columns = Object.keys(after.get(table)?.[0] ?? {}).filter((column) => column in stored[0]!)
      const told = (list: readonly Row[]) =>
        list.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort()
      const gone = Object.keys(stored[0]!).filter((column) => !columns.includes(column))
      expect([table, gone.filter((column) => !GONE[table]?.includes(column))]).toEqual([table, []])
      expect([table, told(after.get(table) ?? [])]).toEqual([table, told(rows)])
    }
  })

  it('has the tables, indexes, views and triggers of a new one, and rows that all its rules allow', async () => {
    expect(await schema()).toEqual(wanted)
    expect(await rowsOf('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }])
  })

  it.each(Object.entries(FLAWS))('has not %s', async (_, query) => {
    expect(await rowsOf(query)).toEqual([])
  })

  it('is booked and cancelled in: new bookings and old ones, and nothing twice', async () => {
    const [old] = await rowsOf(
      `SELECT b.*, e.active_bookings FROM bookings b JOIN event_types e ON e.id = b.event_type_id
       WHERE b.status = 'confirmed' AND b.is_test = 0 AND e.buffer_before_minutes = 10 AND e.deleted_at IS NULL LIMIT 1`,
    )
    const eventTypeId = old!.event_type_id
    await env.DB.prepare('UPDATE event_types SET booking_cap = NULL, booking_cap_period = NULL WHERE id = ?')
      .bind(eventTypeId)
      .run()
    const start = dayFromNow(20)
    const made = await bookAsAnother(eventTypeId, start)
    expect([made.status, made.body.error]).toEqual([201, undefined])
    expect((await bookAsAnother(eventTypeId, start)).status).toBe(409)

    const headers = { 'X-Org-Id': old!.organization_id }
    const cancelled = await callAsService('POST', `/v1/bookings/${old!.id}/cancel`, { headers })
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
    const path = `/v1/bookings/${made.body.id}/cancel?token=${made.body.cancel_token}`
    expect((await call('POST', path)).status).toBe(200)
    const [now] = await rowsOf('SELECT active_bookings FROM event_types WHERE id = ?', eventTypeId)
    expect(now!.active_bookings).toBe(old!.active_bookings - 1)
    for (const query of Object.values(FLAWS)) expect(await rowsOf(query)).toEqual([])
  })
})

describe('a Worker of the last release, which ran on the new tables for a moment', () => {
  const [name, dump] = named.at(-1)!
  const isOfThen = (migration: { name: string }) => migration.name.slice(0, 4) <= name
  const db = openDb(env, 'decide')
  const handover = () => selectHandovers(db, Date.now())

  beforeAll(async () => {
    await emptyDatabase()
    await applyD1Migrations(env.DB, env.MIGRATIONS.filter(isOfThen))
    await load(dump)
    await copyConnection('before', 'a-1', { status: 'revoked' })
    await copyConnection('before', 'a-2', { status: 'error' })
    await applyD1Migrations(env.DB, env.MIGRATIONS)
  })

  /** As that Worker connects a calendar. */
  async function copyConnection(member_id: string, id: string, changes: Row = {}): Promise<void> {
    const [row] = await rowsOf('SELECT * FROM calendar_connections WHERE NOT is_test LIMIT 1')
    const names = Object.keys(row!).filter(
      (name) => !['account_id', 'name', 'receives_bookings', 'can_write', 'checks_busy'].includes(name),
    )
    const made: Row = { ...row, id, member_id, organization_id: member_id, account_key: id, ...changes }
    await env.DB.prepare(`INSERT INTO calendar_connections (${names}) VALUES (${names.map(() => '?')})`)
      .bind(...names.map((name) => made[name]))
      .run()
  }

  const receiving = () =>
    rowsOf(`SELECT id FROM calendar_connections WHERE receives_bookings AND id LIKE 'a-%' ORDER BY id`)

  it('connected calendars that get accounts, and one of a member receives bookings: one that works', async () => {
    expect(await receiving()).toEqual([{ id: 'a-2' }])
    await copyConnection('before', 'a-3')
    await copyConnection('during', 'a-4', { status: 'revoked' })
    await copyConnection('during', 'a-5')
    await copyConnection('during', 'a-6')
    await env.DB.prepare("DELETE FROM calendar_connections WHERE id = 'a-1'").run()
    const [{ since } = { since: 0 }] = await handover()
    await makeUpFor(db, since)
    expect(await receiving()).toEqual([{ id: 'a-2' }, { id: 'a-5' }])
    const accounts = await rowsOf("SELECT id FROM calendar_accounts WHERE id LIKE 'a-%' ORDER BY id")
    expect(accounts.map(({ id }) => id)).toEqual(['a-2', 'a-3', 'a-4', 'a-5', 'a-6'])
    for (const query of Object.values(FLAWS)) expect(await rowsOf(query)).toEqual([])
    await env.DB.prepare('INSERT INTO handovers VALUES (?)').bind(since).run()
  })

  it('is made up for once, where it relied on triggers that are gone', async () => {
    const [{ since } = { since: 0 }] = await handover()
    expect(Date.now() - since).toBeLessThan(HANDOVER_MS)
    const [{ connection, ...booking } = {}] = await rowsOf(
      `SELECT b.*, c.id AS connection FROM bookings b
       JOIN calendar_connections c ON c.organization_id = b.organization_id AND c.is_test = b.is_test
       WHERE b.status = 'confirmed' AND b.session_id IS NULL AND NOT b.is_test LIMIT 1`,
    )
    const insertBooking = async (changes: Row) => {
      const row = { ...booking, id: looseId(), calendar_connection_id: connection, ...changes }
      const places = Object.keys(row).map(() => '?')
      await env.DB.prepare(`INSERT INTO bookings (${Object.keys(row)}) VALUES (${places})`)
        .bind(...Object.values(row))
        .run()
      return row.id
    }
    const insertWrite = (id: string) =>
      env.DB.prepare(
        `INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, updated_at)
         VALUES (?, ?, ?, 'uid', 0, 'written', 1)`,
      )
        .bind(id, connection, booking.organization_id)
        .run()
    const made = await insertBooking({})
    const changed = await insertBooking({ updated_at: Date.now() })
    const cancelled = await insertBooking({ updated_at: Date.now(), status: 'cancelled' })
    const untouched = await insertBooking({ id: '0', updated_at: since - 1 })
    const leftSession = looseId()
    for (const id of [changed, cancelled, untouched, leftSession]) await insertWrite(id)
    const [payment] = await rowsOf("SELECT id, booking_id FROM payments WHERE status = 'succeeded' LIMIT 1")
    await env.DB.prepare("UPDATE payments SET status = 'refunded' WHERE id = ?").bind(payment!.id).run()

    await makeUpFor(db, since)
    const due = await rowsOf(
      "SELECT holder_id FROM calendar_writes WHERE status = 'pending' AND next_attempt_at >= ? AND wanted_revision = 1",
      since,
    )
    const ids = due.map(({ holder_id }) => holder_id)
    expect(ids).toEqual(expect.arrayContaining([made, changed, cancelled, leftSession]))
    expect(ids).not.toContain(untouched)
    const [shown] = await rowsOf('SELECT payment FROM bookings WHERE id = ?', payment!.booking_id)
    expect(JSON.parse(shown!.payment)).toMatchObject({ status: 'refunded' })
    expect(await handover()).toEqual([])
  })

  it('is made up for by the sweep, when it runs no more', async () => {
    await env.DB.prepare('INSERT INTO handovers VALUES (?)').bind(Date.now()).run()
    await sweep(env, Date.now())
    expect(await handover()).toHaveLength(1)
    await sweep(env, Date.now() + HANDOVER_MS)
    expect(await handover()).toEqual([])
  })
})
