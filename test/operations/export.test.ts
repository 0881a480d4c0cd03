import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import guide from '../../public/docs/export.md?raw'
import { type Position, readPage, START } from '../../src/operations/moves/read-page.ts'
import { seal } from '../../src/platform/auth/secret.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { LEFT_OUT, SEALED, TABLES } from '../../src/platform/db/moved-tables.ts'
import { openRooms } from '../../src/platform/http/room.ts'
import { rooms } from '../../src/routes.ts'
import { type Answered, call, callAsService } from '../support/app.ts'
import { deleteToTheEnd, deletionPath } from '../support/deletions.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
} from '../support/factories.ts'
import { audit, exportTextOf, forgetEverything, importText, linesOf, type Tables } from '../support/moves.ts'
import { keyOf, MODES, modeOf, prepare, recipeOf } from '../support/recipes.ts'

const HOUR_MS = 3_600_000
/** About the deployment, other organizations, or what ends the organization of a test. */
const NOT_OF_IT = [
  'createOrganization',
  'createConsoleLink',
  'beginMove',
  'endMove',
  'importOrganization',
  'deleteOrganization',
  'getDeletion',
  'takeBackDeletion',
]

/** An organization that has something of everything, in both modes. */
async function fullOrganization(): Promise<Organization> {
  const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
  for (const route of await openRooms(rooms)) {
    if (NOT_OF_IT.includes(route.operationId)) continue
    for (const mode of recipeOf(route).onlyIn ? [modeOf(route)] : MODES) {
      // What one of them needs, another has ended.
      await prepare(route, organization, mode).catch(() => null)
    }
  }
  for (const mode of MODES) await fillGroups(keyOf(organization, mode))
  await sealWhatTestsPretend()
  await fillEmptyTables(organization)
  return organization
}

/** A row in each table that has none yet, with something in all of its columns. */
async function fillEmptyTables({ id: organizationId }: Organization): Promise<void> {
  const sealed = await seal(env.ENCRYPTION_KEY, '{}')
  const ofIts = async (table: string) =>
    (await env.DB.prepare(`SELECT id FROM ${table} LIMIT 1`).first<{ id: string }>())!.id
  const owners: Readonly<Record<string, string>> = {
    organization_id: organizationId,
    event_type_id: await ofIts('event_types'),
    connection_id: await ofIts('calendar_connections'),
    holder_id: await ofIts('bookings'),
    payment_id: looseId(),
    scope: `${organizationId}/live`,
  }
  for (const { name, columns } of TABLES.values()) {
    // Letters that wait are sent while others are looked at.
    if (name !== 'emails' && (await env.DB.prepare(`SELECT 1 FROM ${name}`).first())) continue
    const values = columns.map((column) => {
      if (owners[column.name]) return owners[column.name]
      if (SEALED[name]?.[column.name]) return sealed
      if (column.enumValues?.length) return column.enumValues.at(-1)
      if (column.name === 'currency') return 'usd'
      if (column.name === 'id') return name === 'refunds' ? looseId() : owners.payment_id
      return { boolean: 1, number: 12, json: '{"some":[1,"ü"]}' }[column.dataType as string] ?? 'some'
    })
    const names = columns.map((column) => column.name)
    await env.DB.prepare(`INSERT INTO ${name} (${names}) VALUES (${names.map(() => '?')})`)
      .bind(...values)
      .run()
  }
}

/** Sessions that began as meetings of their own: their first booking is in one of them, and has left the other. */
async function fillGrown(key: string, start: number): Promise<void> {
  const { id } = await createEventType(key)
  const first = await bookAsAnother(id, start)
  await bookAsAnother(id, start + HOUR_MS)
  await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
  await bookAsAnother(id, start)
  const body = { new_start_time: new Date(start + 2 * HOUR_MS).toISOString() }
  await call('POST', `/v1/bookings/${first.body.id}/reschedule`, { key, body })
}

/** Seats, one of them given up, holds that are open and over, and somebody who waits for a time that came free. */
async function fillGroups(key: string): Promise<void> {
  const group = await createEventType(key, {
    max_attendees: 3,
    waitlist_enabled: true,
    booking_cap: 50,
    booking_cap_period: 'total',
  })
  const start = dayFromNow(4) + 9 * HOUR_MS
  await bookAsAnother(group.id, start)
  const second = await bookAsAnother(group.id, start)
  await call('POST', `/v1/bookings/${second.body.id}/cancel`, { key, body: { reason: 'ill' } })
  await bookAsAnother(group.id, start + HOUR_MS)
  await fillGrown(key, start + 3 * HOUR_MS)
  const start_time = new Date(start).toISOString()
  await call('POST', '/v1/holds', { key, body: { event_type_id: group.id, start_time } })
  const held = await call('POST', '/v1/holds', {
    key,
    body: { event_type_id: group.id, start_time: new Date(start + 2 * HOUR_MS).toISOString() },
  })
  await call('DELETE', `/v1/holds/${held.body.id}`, { key })
  await call('POST', '/v1/waitlist', { body: bookingInput(group.id, start) })
  const hours = `/v1/event-types/${group.id}/availability`
  const { rules } = (await call('GET', hours, { key })).body
  const overrides = [{ date: '2058-12-24', intervals: [{ start_time: '09:00', end_time: '12:00' }] }]
  await call('PUT', hours, { key, body: { rules, overrides } })
  await env.DB.prepare(
    "INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, 'test', 1, 2)",
  )
    .bind(group.id)
    .run()
}

async function sealWhatTestsPretend(): Promise<void> {
  const sealed = await seal(env.ENCRYPTION_KEY, '{}')
  await env.DB.batch(
    Object.entries(SEALED).flatMap(([table, columns]) =>
      Object.keys(columns).map((column) =>
        env.DB.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = 'sealed'`).bind(sealed),
      ),
    ),
  )
}

/** What the queues do with it is done. */
async function settled(): Promise<Tables> {
  for (let before = await audit(); ; ) {
    await new Promise((done) => setTimeout(done, 1_000))
    const after = await audit()
    if (JSON.stringify(before) === JSON.stringify(after)) return after
    before = after
  }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** A copy of letters for tests, and counts of marks that are over within the hour. */
const NOT_OURS = new Set(['d1_migrations', 'posted_letters', 'public_counts'])

/** Rows that no export has. */
async function fillTablesThatStayBehind({ id }: Organization): Promise<void> {
  const one = async (query: string) => (await env.DB.prepare(query).bind(id).first<{ id: string }>())!.id
  const member = await one('SELECT id FROM members WHERE organization_id = ? LIMIT 1')
  const booking = await one('SELECT id FROM bookings WHERE organization_id = ? LIMIT 1')
  const event = await one('SELECT id FROM events WHERE organization_id = ? LIMIT 1')
  const connection = await one('SELECT id FROM calendar_connections WHERE organization_id = ? LIMIT 1')
  const session = `INSERT INTO console_sessions (id, token_hash, email, member_id, organization_id, proven_at, used_at, created_at)
    VALUES (?1, ?1, ?2, ?3, ?4, 1, 1, 1)`
  const passkey = `INSERT INTO passkeys (id, credential_id, email, member_id, user_handle, public_key, counter, name, created_at)
    VALUES (?1, ?1, ?2, ?3, '', '', 0, '', 1)`
  const run = (query: string, ...values: (string | number | null)[]) => env.DB.prepare(query).bind(...values)
  await env.DB.batch([
    run(session, looseId(), '', member, id),
    run(session, looseId(), 'owner@example.com', null, id),
    ...[member, null].map((memberId) =>
      run(
        `INSERT INTO openid_accounts (id, issuer, subject_hash, email, member_id, created_at) VALUES (?1, ?1, ?1, ?2, ?3, 1)`,
        looseId(),
        memberId === null ? 'owner@example.com' : '',
        memberId,
      ),
    ),
    run(passkey, looseId(), '', member),
    run(passkey, looseId(), 'owner@example.com', null),
    run(
      'INSERT INTO console_links (id, token_hash, member_id, expires_at, created_at) VALUES (?1, ?1, ?2, 1, 1)',
      looseId(),
      member,
    ),
    run('INSERT INTO letter_keys (once_key) VALUES (?1), (?2)', `${booking}/payable`, `${event}/event`),
    run(
      'INSERT INTO letter_counts (day, organization_id, is_test, address, letters) VALUES (?1, ?2, 0, ?3, 1)',
      20_000,
      id,
      'ada@example.com',
    ),
    run(
      `INSERT INTO calendar_channels (id, connection_id, provider, secret_hash, expires_at, renew_at, created_at)
       VALUES (?1, ?2, 'calendar_a', '', 1, 9999999999999, 1)`,
      looseId(),
      connection,
    ),
    run(
      `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status, created_at)
       VALUES (?1, ?2, 0, ?3, ?1, 'booking.created', '{}', 'success', 1)`,
      looseId(),
      id,
      looseId(),
    ),
  ])
}

/** Which table still has a row that names one of them. */
async function rowsThatName(ids: ReadonlySet<string>): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
  ).all<{ name: string }>()
  const names = tables.map(({ name }) => name).filter((name) => !NOT_OURS.has(name))
  const found = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)))
  return found.flatMap(({ results }, at) =>
    results
      .map((row) => JSON.stringify(row))
      .filter((row) => row.includes('owner@example.com') || row.match(UUID)?.some((id) => ids.has(id)))
      .map((row) => `${names[at]} ${row}`),
  )
}

/** Objects of its keys and accounts that keep something. */
async function filledObjects(lines: readonly any[]): Promise<string[]> {
  const spaces = [
    [env.RATE_LIMITS, 'api_keys', 'hash', ''],
    [env.ACCOUNTS, 'calendar_accounts', 'id', 'calendar/'],
    [env.ACCOUNTS, 'conferencing_connections', 'id', 'conferencing/'],
  ] as const
  const kept = spaces.flatMap(([space, table, column, prefix]) =>
    lines
      .filter(({ type }) => type === table)
      .map((line) =>
        runInDurableObject(space.get(space.idFromName(prefix + line[column])), (_, { storage }) => {
          const tables = storage.sql.exec(
            "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'",
          )
          const what = [...storage.kv.list(), ...tables]
          return what.length === 0 ? [] : [`${table} ${JSON.stringify(what)}`]
        }),
      ),
  )
  return (await Promise.all(kept)).flat()
}

/** What the guide says of each kind of line. */
const DOCUMENTED = new Map(
  guide
    .split(/^### /m)
    .slice(1)
    .map((part) => [part.split('\n', 1)[0]!, fieldsIn(part)]),
)

function fieldsIn(part: string) {
  const items = [...part.matchAll(/^- `(\w+)` \(([^)]+?)( or null)?\): (.+)$/gm)]
  return new Map(
    items.map(([, name, type, orNull, about]) => {
      const values = /(?:One of|Always) (`.+`)\.$/.exec(about!)?.[1]?.match(/\w[\w.]*/g) ?? null
      return [name!, { type: type!, values, isFine: (value: unknown) => isOf(type!, Boolean(orNull), value) }]
    }),
  )
}

function isOf(type: string, isNullable: boolean, value: unknown): boolean {
  if (value === null) return isNullable
  if (type === 'JSON') return typeof value === 'object'
  if (type === 'text') return typeof value === 'string'
  return typeof value === (type === 'yes or no' ? 'boolean' : 'number')
}

describe('the guide to exports', () => {
  it('describes every kind of line and every field, with its type and its values, and nothing else', () => {
    const told = new Map(
      [...DOCUMENTED].map(([kind, fields]) => [
        kind,
        [...fields].map(([name, { type, values, isFine }]) => [name, type, values, isFine(null)]),
      ]),
    )
    const fields = [...TABLES.values()].map(({ line, columns }) => [
      line,
      columns.map(({ name, dataType, notNull, enumValues = null }) => {
        const isLinked = enumValues?.includes('booking.created') ?? false
        return [name, typeOf(line, name, dataType), isLinked ? null : enumValues, !notNull]
      }),
    ])
    expect([...told]).toEqual(fields)
  })
})

const NUMBERS = ['number', 'instant', 'minutes', 'days']

function typeOf(line: string, name: string, dataType: string): string {
  const types: Record<string, string> = { string: 'text', boolean: 'yes or no', json: 'JSON' }
  const said = DOCUMENTED.get(line)?.get(name)?.type
  return types[dataType] ?? (NUMBERS.includes(said!) ? said! : 'number')
}

describe('every table', () => {
  it('is exported, or is named with the reason why it stays behind', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    ).all<{ name: string }>()
    const names = results
      .map(({ name }) => name)
      .filter((name) => !['d1_migrations', 'posted_letters'].includes(name))
    expect(names.filter((name) => !TABLES.has(name) && !LEFT_OUT[name])).toEqual([])
    expect([...TABLES.keys()].filter((name) => name in LEFT_OUT)).toEqual([])
  })
})

describe('a moved organization', () => {
  let organization: Organization
  let before: Tables
  let text: string
  let booked: any

  beforeAll(async () => {
    organization = await fullOrganization()
    const { id } = await createEventType(organization.liveKey)
    booked = (await book(id, dayFromNow(5) + 9 * HOUR_MS)).body
    await settled()
    text = await exportTextOf(organization.liveKey)
    before = await audit()
  }, 120_000)

  it('has rows in every exported table', () => {
    const empty = Object.entries(before).filter(([name, rows]) => TABLES.has(name) && rows.length === 0)
    expect(empty.map(([name]) => name)).toEqual([])
  })

  it('has exactly the fields that the guide describes, each of its type', () => {
    const lines = linesOf(text).slice(1, -1)
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(DOCUMENTED.keys()))
    const wrong = lines.flatMap(({ type, ...row }) => {
      const fields = DOCUMENTED.get(type)!
      const names = Object.keys(row).filter((name) => !fields.has(name))
      const missing = [...fields.keys()].filter((name) => !(name in row))
      const others = Object.entries(row).filter(([name, value]) => !fields.get(name)?.isFine(value))
      return [...names, ...missing, ...others.map(([name]) => name)].map((name) => `${type}.${name}`)
    })
    expect([...new Set(wrong)]).toEqual([])
    const ends = [linesOf(text)[0], linesOf(text).at(-1)].flatMap(({ type: _, ...row }) => Object.keys(row))
    expect(ends.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  })

  it('logs who exported it, unless it is moving or the request is only a HEAD', async () => {
    const taken = async () => {
      const { body } = await call('GET', '/v1/activity?action=organization.exported', {
        key: organization.liveKey,
      })
      return body.data
    }
    const [entry, ...others] = await taken()
    expect([entry.actor_type, entry.resource_id, others]).toEqual(['api_key', organization.id, []])
    const run = (query: string) => env.DB.prepare(query).bind(organization.id).run()
    await run('INSERT INTO moves (organization_id, began_at) VALUES (?, 1)')
    expect(linesOf(await exportTextOf(organization.liveKey)).at(-1).type).toBe('end')
    await run('DELETE FROM moves WHERE organization_id = ?')
    expect(await taken()).toHaveLength(1)
    expect((await call('HEAD', '/v1/export', { key: organization.liveKey })).status).toBe(200)
    expect(await taken()).toHaveLength(1)
  })

  it('is the same in small pages and in large ones', async () => {
    const read = async (limit: number) => {
      const texts: string[] = []
      for (let next: Position | null = START; next !== null; ) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(
          openDb(env, 'decide'),
          organization.id,
          next,
          limit,
        )
        texts.push(...page.lines.map(({ table, row }) => JSON.stringify([table.name, row])))
        next = page.next
      }
      return texts.sort()
    }
    const all = await read(10_000)
    expect(await read(3)).toEqual(all)
    expect(new Set(all).size).toBe(all.length)
  })

  it('contains no credentials', () => {
    const lines = linesOf(text)
    expect(lines.at(-1)).toMatchObject({ type: 'end', changed_meanwhile: false })
    for (const secret of [organization.liveKey, organization.testKey, booked.cancel_token]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/hf_(live|test)_\w{20}|whsec_|sk_test|http[^"]*[?&]token=/)
    const hashed = lines
      .flatMap((line) => Object.keys(line))
      .filter((name) => /token|secret|hash|credential/.test(name))
    expect([...new Set(hashed)].sort()).toEqual([
      'credentials',
      'hash',
      'previous_secret',
      'previous_secret_expires_at',
      'request_hash',
      'secret',
      'token_hash',
    ])
    for (const [table, columns] of Object.entries(SEALED)) {
      const sealed = lines
        .filter(({ type }) => type === table)
        .flatMap((line) => Object.keys(columns).map((name) => line[name]))
      for (const value of sealed.filter(Boolean)) expect(value).toMatch(/^[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/)
    }
  })

  describe('at its new place', () => {
    let answer: Answered
    let arrived: Tables

    beforeAll(async () => {
      await forgetEverything()
      answer = await importText(text)
      arrived = await audit()
    })

    it('is equal, row by row', () => {
      const { status, body } = answer
      expect({ status, body }).toMatchObject({ status: 201, body: { left_out: [], keeps_tokens: true } })
      expect(body.rows).toEqual(linesOf(text).at(-1).rows)
      expect(arrived).toEqual(before)
    })

    it('is there once', async () => {
      const there = await audit()
      expect(await importText(text)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
      expect(await audit()).toEqual(there)
    })

    it('works with earlier keys and tokens, and its feed continues', async () => {
      const last = linesOf(text)
        .filter((line) => line.type === 'events' && !line.is_test)
        .at(-1).sequence
      const cancelled = await call('POST', `/v1/bookings/${booked.id}/cancel?token=${booked.cancel_token}`, {
        body: {},
      })
      expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
      const [event] = (
        await env.DB.prepare(
          'SELECT sequence, kind FROM events WHERE organization_id = ? AND is_test = 0 ORDER BY sequence DESC LIMIT 1',
        )
          .bind(organization.id)
          .all()
      ).results
      expect(event).toEqual({ sequence: last + 1, kind: 'booking.cancelled' })
      expect((await call('GET', '/v1/event-types', { key: organization.testKey })).status).toBe(200)
    })

    it('is gone from every table and every object once it is deleted, and is equal when it is imported again', {
      timeout: 60_000,
    }, async () => {
      const { id } = organization
      const ids = new Set(text.match(UUID))
      await fillTablesThatStayBehind(organization)
      await settled()
      await callAsService('PUT', `/v1/operator/moves/${id}`)
      await callAsService('DELETE', `${deletionPath(id)}?grace_days=0`)
      // Each sweep has the time for one page, so each page begins where a process died.
      expect(await deleteToTheEnd(id, true)).toBeGreaterThan(TABLES.size)
      expect(await rowsThatName(ids)).toEqual([])
      expect(await filledObjects(linesOf(text))).toEqual([])

      expect(await importText(text)).toMatchObject({ status: 201 })
      expect(await audit()).toEqual(before)
    })
  })
})
