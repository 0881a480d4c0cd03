import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { doDue } from '../../src/operations/sandbox/do-due.ts'
import { moveOnDue, SANDBOXES_A_PAGE, SANDBOXES_A_SWEEP } from '../../src/operations/sandbox/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { newId } from '../../src/platform/db/ids.ts'
import { nowAsLive, realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { type Answered, call, type Json } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { databaseThrough } from '../support/database-through.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

function run(query: string, ...values: unknown[]) {
  return env.DB.prepare(query)
    .bind(...values)
    .all<Json>()
}

function setClock(key: string, now: number | null, ask = call) {
  return ask('PUT', '/v1/test-data/clock', { key, body: { now: now === null ? null : iso(now) } })
}

/** What the database reads in one sweep. */
async function rowsOfSweep(): Promise<number> {
  const counted = countedEnv(serviceWith({}).env)
  await sweep(counted.env, Date.now())
  return counted.ran.reduce((sum, { read }) => sum + read, 0)
}

/** Of each kind that falls due, so many copies of one that there is. */
async function copy(organizationId: string, count: number): Promise<void> {
  const renamed: Readonly<Record<string, readonly string[]>> = {
    bookings: ['id'],
    slot_holds: ['id', 'token_hash'],
    payments: ['id', 'booking_id'],
    waitlist_entries: ['id', 'invitee_email'],
  }
  for (const [table, own] of Object.entries(renamed)) {
    const { results } = await run(`SELECT name FROM pragma_table_info('${table}')`)
    const columns = results.map(({ name }) => name as string)
    const values = columns.map((name) => {
      if (own.includes(name)) return `CASE WHEN ${name} IS NOT NULL THEN ${name} || '-' || n.value END`
      return name === 'intent_id' || name === 'session_id' ? 'NULL' : name
    })
    await run(
      `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table}, (SELECT value FROM json_each(?)) n WHERE organization_id = ?`,
      JSON.stringify(Array.from({ length: count }, (_, at) => at)),
      organizationId,
    )
  }
}

const DUE = {
  bookings: 'next_reminder_at',
  slot_holds: 'expires_at',
  payments: 'expires_at',
  waitlist_entries: 'expires_at',
}

/** Makes all that waits there due at an instant. */
async function makeDue(organizationId: string, at: number): Promise<void> {
  for (const [table, column] of Object.entries(DUE)) {
    // Of a reminder it is also told how long before the start.
    const more = table === 'bookings' ? ", reminder_minutes = '[10000]'" : ''
    await run(
      `UPDATE ${table} SET ${column} = ? ${more} WHERE organization_id = ? AND ${column} IS NOT NULL`,
      at,
      organizationId,
    )
  }
}

/** What makes one of each kind that falls due: a reminder, a hold, a request, an unpaid booking, somebody who waits. */
const MAKES: Readonly<Record<string, readonly [keyof typeof DUE, (key: string) => Promise<Answered>]>> = {
  reminder: ['bookings', async (key) => book(await made(key, { reminder_intervals: [60] }), SLOT)],
  hold: ['slot_holds', async (key) => call('POST', '/v1/holds', { body: placeOf(await made(key, {})) })],
  request: ['slot_holds', async (key) => book(await made(key, { requires_approval: true }), SLOT)],
  payment: ['payments', async (key) => book(await made(key, { price_amount: 5_000 }), SLOT)],
  wait: ['waitlist_entries', async (key) => waitBehindBooking(await made(key, { waitlist_enabled: true }))],
}

async function made(key: string, input: Json): Promise<string> {
  return (await createEventType(key, { reminder_intervals: [], ...input })).id
}

const placeOf = (id: string) => ({ event_type_id: id, start_time: iso(SLOT) })

async function waitBehindBooking(id: string): Promise<Answered> {
  expect((await book(id, SLOT)).status).toBe(201)
  const invitee = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com` }
  return call('POST', '/v1/waitlist', { body: { ...placeOf(id), ...invitee } })
}

/** A sandbox with one of each of these kinds. */
async function sandbox(kinds = Object.keys(MAKES)) {
  const { id, testKey } = await createOrganization()
  for (const kind of kinds) expect((await MAKES[kind]![1](testKey)).status).toBe(201)
  const dueAt = () =>
    env.DB.prepare('SELECT sandbox_due_at FROM organizations WHERE id = ?').bind(id).first('sandbox_due_at')
  /** How many of each kind are left. */
  const left = async () => {
    const { results } = await run(
      `SELECT (SELECT count(next_reminder_at) FROM bookings WHERE organization_id = ?1) AS reminders,
         (SELECT count(*) FROM slot_holds WHERE organization_id = ?1 AND purpose = 'hold' AND status = 'held') AS holds,
         (SELECT count(*) FROM bookings WHERE organization_id = ?1 AND status = 'pending_approval') AS requests,
         (SELECT count(*) FROM bookings WHERE organization_id = ?1 AND status = 'pending_payment') AS unpaid,
         (SELECT count(*) FROM waitlist_entries WHERE organization_id = ?1 AND status = 'waiting') AS waiting`,
      id,
    )
    return Object.values(results[0]!)
  }
  return { id, testKey, dueAt, left }
}

/** What is logged meanwhile. */
async function loggedDuring(act: () => Promise<unknown>): Promise<Json[]> {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    await act()
    return log.mock.calls.map(([line]) => JSON.parse(line))
  } finally {
    log.mockRestore()
  }
}

/** The same while no row for which the condition holds can be changed. */
async function whileBroken(table: string, condition: string, act: () => Promise<unknown>): Promise<Json[]> {
  await run(
    `CREATE TRIGGER broken BEFORE UPDATE ON ${table} WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  )
  try {
    return await loggedDuring(act)
  } finally {
    await run('DROP TRIGGER broken')
  }
}

/** The service where nobody hears who has waited for long enough in a sandbox. */
function withoutWaiting() {
  return serviceWith({
    DB: databaseThrough(async (ask, queries) => {
      if (queries.some((query) => /from "waitlist_entries".+coalesce\(sandbox_now/s.test(query)))
        throw new Error('broken')
      return ask()
    }),
  })
}

const ALL = [1, 1, 1, 1, 1]
const NONE = [0, 0, 0, 0, 0]

describe('a sweep', () => {
  it('reads nothing of a sandbox whose clock is set, however much is overdue by the real clock', async () => {
    await rowsOfSweep()
    const before = await rowsOfSweep()
    const { id, testKey, left } = await sandbox()
    await setClock(testKey, Date.now() - 400 * DAY_MS)
    await makeDue(id, Date.now() - HOUR_MS)
    await copy(id, 400)
    expect(await left()).toEqual([401, 401, 401, 401, 401])
    expect(await rowsOfSweep()).toBeLessThanOrEqual(before + 5)
  }, 60_000)

  it('reads of one in which something is due nothing of the others', async () => {
    const rowsOfDue = async () => {
      const { id, left } = await sandbox()
      await makeDue(id, Date.now() - 1)
      const rows = await rowsOfSweep()
      expect(await left()).toEqual(NONE)
      return rows
    }
    await rowsOfDue()
    const before = await rowsOfDue()
    const { id, testKey } = await sandbox()
    await setClock(testKey, Date.now() - 400 * DAY_MS)
    await makeDue(id, Date.now() - HOUR_MS)
    await copy(id, 400)
    expect(await rowsOfDue()).toBeLessThanOrEqual(before + 40)
  }, 60_000)

  it('does what is due in a sandbox that follows the real clock, and notes when something is due next', async () => {
    const { id, dueAt, left } = await sandbox()
    await makeDue(id, Date.now() + HOUR_MS)
    await sweep(env, Date.now())
    expect(await left()).toEqual(ALL)
    await makeDue(id, Date.now() - 1)
    await sweep(env, Date.now())
    expect([await left(), await dueAt()]).toEqual([NONE, null])
  })

  it('does nothing there while the clock is set, and everything once it follows the real one', async () => {
    const { id, testKey, dueAt, left } = await sandbox()
    await setClock(testKey, Date.now() - 400 * DAY_MS)
    await makeDue(id, Date.now() - 1)
    await sweep(env, Date.now())
    expect([await left(), await dueAt()]).toEqual([ALL, null])
    // As a sweep that had found the sandbox before its clock was set.
    const now = realNow()
    await doDue({
      env,
      db: openDb(env, 'decide'),
      organizationId: id,
      present: nowAsLive(now),
      isOver: () => true,
    })
    expect(await left()).toEqual(ALL)
    // As where the call that took it away died after that.
    await run('UPDATE organizations SET sandbox_now = NULL WHERE id = ?', id)
    await sweep(env, Date.now())
    expect([await left(), await dueAt()]).toEqual([NONE, null])
  })

  it('does a page of a sandbox whose turn is over, and the rest in the next ones, behind the others', async () => {
    const { id, testKey, dueAt, left } = await sandbox()
    await setClock(testKey, Date.now() - 400 * DAY_MS)
    await run(
      `INSERT INTO waitlist_entries (id, place, organization_id, event_type_id, is_test, status, invitee_name, invitee_email,
         invitee_timezone, duration_minutes, expires_at, created_at, updated_at)
       SELECT n.value, 9, organization_id, event_type_id, 1, 'waiting', 'Ada', n.value || '@example.com', 'UTC', 30, 1, 1, 1
       FROM waitlist_entries, (SELECT value FROM json_each(?)) n WHERE organization_id = ?`,
      JSON.stringify(Array.from({ length: 60 }, () => newId(id))),
      id,
    )
    await run('UPDATE organizations SET sandbox_now = NULL WHERE id = ?', id)
    const [db, now] = [openDb(env, 'decide'), realNow()]
    await doDue({ env, db, organizationId: id, present: nowAsLive(now), isOver: () => true })
    await moveOnDue(db, id, now)
    expect([(await left()).at(-1), await dueAt()]).toEqual([11, now + 1])
    await sweep(env, now + 1)
    expect((await left()).at(-1)).toBe(1)
  }, 30_000)

  it('does the other kinds of a sandbox where one fails, logs that, and tries it again the next time', async () => {
    const { id, left } = await sandbox()
    await makeDue(id, Date.now() - 1)
    const logged = await loggedDuring(() => sweep(withoutWaiting().env, Date.now()))
    expect(await left()).toEqual([0, 0, 0, 0, 1])
    expect(logged).toEqual([{ sweep: 'sandbox', cause: expect.stringContaining('broken') }])
    await sweep(env, Date.now() + 1_000)
    expect(await left()).toEqual(NONE)
  })

  it('ends the wait of others there where that of one cannot be ended, and logs that', async () => {
    const { id, testKey, left } = await sandbox(['wait', 'wait'])
    await makeDue(id, Date.now() - 1)
    await run('UPDATE organizations SET sandbox_due_at = 0 WHERE id = ?', id)
    const { results } = await run('SELECT id FROM waitlist_entries WHERE organization_id = ? ORDER BY id', id)
    const isFirst = `NEW.id = '${results[0]!.id}'`
    const logged = await whileBroken('waitlist_entries', isFirst, () => sweep(env, Date.now()))
    expect((await left()).at(-1)).toBe(1)
    expect(logged).toEqual([{ sweep: 'waitlist', cause: expect.stringContaining('broken') }])
    await whileBroken('waitlist_entries', isFirst, async () => {
      expect((await setClock(testKey, SLOT + 400 * DAY_MS)).status).toBe(200)
    })
    expect((await left()).at(-1)).toBe(1)
  })

  it('goes on with the others where it cannot be noted of one when something is due there next', async () => {
    const made = await Promise.all(Array.from({ length: SANDBOXES_A_PAGE + 1 }, () => createOrganization()))
    for (const [at, { id }] of made.entries()) {
      await run('UPDATE organizations SET sandbox_due_at = ? WHERE id = ?', at, id)
    }
    const logged = await whileBroken('organizations', `NEW.id = '${made[0]!.id}'`, () =>
      sweep(env, Date.now()),
    )
    const due = async () =>
      (await run('SELECT id FROM organizations WHERE sandbox_due_at < 1000')).results.map(({ id }) => id)
    expect(await due()).toEqual([made[0]!.id])
    expect(logged).toEqual([{ sweep: 'sandbox', cause: expect.stringContaining('broken') }])
    await sweep(env, Date.now())
    expect(await due()).toEqual([])
  })
})

describe('a sweep of more sandboxes than it takes', () => {
  it('takes those that wait longest, and the next one the others', async () => {
    const { id, dueAt } = await sandbox([])
    const { results } = await run("SELECT name FROM pragma_table_info('organizations')")
    const columns = results.map(({ name }) => name as string)
    const own: Json = {
      id: 'n.value',
      slug: 'n.value',
      owner_user_id: 'n.value',
      sandbox_due_at: '2 + n.key',
    }
    const others = Array.from({ length: SANDBOXES_A_SWEEP + SANDBOXES_A_PAGE }, () => newId(id))
    await run(
      `INSERT INTO organizations (${columns}) SELECT ${columns.map((name) => own[name] ?? name)}
       FROM organizations, (SELECT value, key FROM json_each(?)) n WHERE id = ?`,
      JSON.stringify(others),
      id,
    )
    await run('UPDATE organizations SET sandbox_due_at = 1 WHERE id = ?', id)
    const due = async () => {
      const found = await run(
        'SELECT id FROM organizations WHERE sandbox_due_at < 1000 ORDER BY sandbox_due_at',
      )
      return found.results.map((row) => row.id)
    }
    await sweep(env, Date.now(), 60_000)
    expect([await dueAt(), await due()]).toEqual([null, others.slice(-SANDBOXES_A_PAGE - 1)])
    await sweep(env, Date.now(), 60_000)
    expect(await due()).toEqual([])
  }, 60_000)
})

describe('when a sandbox is due', () => {
  const columns = Object.entries(MAKES).map(([kind, [table]]) => [kind, table, DUE[table]] as const)

  it.each(columns)('is set by a %s, to the earliest time', async (kind, table, column) => {
    const { id, dueAt } = await sandbox([kind])
    const first = await env.DB.prepare(`SELECT min(${column}) AS due FROM ${table} WHERE organization_id = ?`)
      .bind(id)
      .first<number>('due')
    expect([await dueAt(), first]).toEqual([first, expect.any(Number)])
    if (kind === 'wait') return
    const set = (at: number) =>
      run(`UPDATE ${table} SET ${column} = ? WHERE organization_id = ? AND ${column} > 0`, at, id)
    await set(first! - 1_000)
    expect(await dueAt()).toBe(first! - 1_000)
    await set(first! + 1_000)
    expect(await dueAt()).toBe(first! - 1_000)
    await moveOnDue(openDb(env, 'decide'), id, realNow())
    expect(await dueAt()).toBe(first! + 1_000)
  })

  it('is set by a failed attempt to pay', async () => {
    const { id, dueAt } = await sandbox(['payment'])
    const become = (status: string) =>
      run('UPDATE payments SET status = ? WHERE organization_id = ?', status, id)
    const due = await dueAt()
    await become('processing')
    await moveOnDue(openDb(env, 'decide'), id, realNow())
    expect(await dueAt()).toBe(null)
    await become('failed')
    expect([await dueAt(), due]).toEqual([due, expect.any(Number)])
  })

  it('is at once after an import, because its exported time may be out of date', async () => {
    const { id, dueAt } = await sandbox(['reminder'])
    const { id: frozen, testKey } = await createOrganization()
    await made(testKey, {})
    for (const [one, clock, told] of [
      [id, null, null],
      [id, null, SLOT + 400 * DAY_MS],
      [frozen, 1, null],
    ] as const) {
      const { results } = await run('SELECT * FROM organizations WHERE id = ?', one)
      const row = { ...results[0]!, sandbox_now: clock, sandbox_due_at: told }
      await run('DELETE FROM organizations WHERE id = ?', one)
      const marks = Object.keys(row).map(() => '?')
      await run(`INSERT INTO organizations (${Object.keys(row)}) VALUES (${marks})`, ...Object.values(row))
      if (one === id) expect(await dueAt()).toBe(0)
    }
    const other = env.DB.prepare('SELECT sandbox_due_at FROM organizations WHERE id = ?').bind(frozen)
    expect(await other.first('sandbox_due_at')).toBe(null)
  })
})

describe("the sandbox's clock", () => {
  it('does the rest too where holds are over in more event types than a statement takes values', async () => {
    const { id, testKey, left } = await sandbox(['hold', 'payment'])
    await setClock(testKey, Date.now() - 400 * DAY_MS)
    await makeDue(id, Date.now() - 1)
    const others = Array.from({ length: 120 }, () => newId(id))
    const columns = (await run("SELECT name FROM pragma_table_info('slot_holds')")).results.map(
      ({ name }) => name,
    )
    const values = columns.map((name) => {
      if (name === 'token_hash') return 'NULL'
      return name === 'id' || name === 'event_type_id' ? 'n.value' : name
    })
    await run(
      `INSERT INTO slot_holds (${columns}) SELECT ${values} FROM slot_holds, (SELECT value FROM json_each(?)) n
       WHERE organization_id = ? AND purpose = 'hold'`,
      JSON.stringify(others),
      id,
    )
    expect((await setClock(testKey, null)).status).toBe(200)
    expect((await left())[3]).toBe(0)
  }, 60_000)

  it('does each of them at once when it is moved on, and when it is taken away', async () => {
    for (const last of [SLOT + 400 * DAY_MS, null]) {
      const { id, testKey, left } = await sandbox()
      await setClock(testKey, Date.now() - 400 * DAY_MS)
      await makeDue(id, Date.now() - 1)
      await setClock(testKey, Date.now() - 300 * DAY_MS)
      expect(await left()).toEqual(ALL)
      await setClock(testKey, last)
      expect(await left()).toEqual(NONE)
    }
  }, 30_000)

  it('does the other kinds where one fails, and answers so', async () => {
    const { testKey, left } = await sandbox()
    const later = SLOT + 400 * DAY_MS
    await loggedDuring(async () => {
      expect((await setClock(testKey, later, withoutWaiting().call)).status).toBe(500)
    })
    expect(await left()).toEqual([0, 0, 0, 0, 1])
    expect((await setClock(testKey, later)).status).toBe(200)
    expect(await left()).toEqual(NONE)
  })
})
