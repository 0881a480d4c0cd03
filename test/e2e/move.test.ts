import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GIVEN_OUT, LEFT_OUT } from '../../src/platform/db/moved-tables.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const DAY_MS = 86_400_000
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

type Sent = {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

let directory: string
let bundle: string
const running: Service[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-move-'))
  bundle = await takeBuilt(join(directory, 'old'))
  await takeBuilt(join(directory, 'new'))
})

afterAll(async () => {
  for (const service of running) await service.kill().catch(() => {})
  await rm(directory, { recursive: true, force: true })
})

async function start(name: string): Promise<Service> {
  const service = await startService(bundle, join(directory, name))
  running.push(service)
  return service
}

async function call(
  at: Service,
  method: string,
  path: string,
  { key = SERVICE_KEY, body, headers }: Sent = {},
) {
  const response = await fetch(new URL(path, at.url), {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isLines = response.headers.get('content-type')?.startsWith('application/x-ndjson')
  return { status: response.status, body: isLines || text === '' ? (text as any) : JSON.parse(text) }
}

/** Every row of every table that goes over. */
function auditOf(name: string): Readonly<Record<string, readonly string[]>> {
  const state = join(directory, name)
  const [tables] = queryState(state, ["SELECT name FROM sqlite_master WHERE type = 'table'"])
  const names = tables!
    .map((row) => String(row.name))
    .filter((table) => !(table in LEFT_OUT) && !/^(sqlite_|_cf_|d1_)/.test(table))
  const rows = queryState(
    state,
    names.map((table) => `SELECT * FROM "${table}"`),
  )
  const texts = rows.map((found, at) =>
    found.map((row) => JSON.stringify(withoutGivenOut(names[at]!, row))).sort(),
  )
  return Object.fromEntries(names.map((table, at) => [table, texts[at]!]))
}

/** What the database gives out or counts again differs. */
function withoutGivenOut(table: string, row: object): object {
  const without = GIVEN_OUT[table] ?? []
  return Object.fromEntries(Object.entries(row).filter(([column]) => !without.includes(column)))
}

it('moves an organization while people book: acknowledged bookings are there, once, and both sides are equal', async () => {
  const [old, young] = [await start('old'), await start('new')]
  const made = await call(old, 'POST', '/v1/organizations', { body: { name: 'Acme', owner_user_id: 'ada' } })
  const id: string = made.body.id
  await call(old, 'PATCH', `/v1/organizations/${id}`, { body: { tier: 'scale' } })
  const ours = { headers: { 'X-Org-Id': id } }
  const { key } = (await call(old, 'POST', '/v1/api-keys', { ...ours, body: { name: 'first' } })).body
  const input = { title: 'Intro', slug: 'intro', duration_minutes: 30, max_attendees: 5 }
  const eventType = (await call(old, 'POST', '/v1/event-types', { key, body: input })).body.id
  await call(old, 'PUT', `/v1/event-types/${eventType}/availability`, { key, body: { rules: ALL_DAY } })

  const booked = new Map<string, { token: string; status: string }>()
  let isOver = false
  const storm = [0, 1, 2].map(async (person) => {
    for (let turn = 0; !isOver; turn++) {
      await new Promise((done) => setTimeout(done, 50))
      const start_time = new Date(
        Math.ceil(Date.now() / DAY_MS) * DAY_MS + (2 + turn) * 1_800_000,
      ).toISOString()
      const body = {
        event_type_id: eventType,
        start_time,
        invitee_name: `Person ${person}`,
        invitee_email: `person-${person}@example.com`,
      }
      const answer = await call(old, 'POST', '/v1/bookings', { key, body })
      if (answer.status === 201) {
        booked.set(answer.body.id, { token: answer.body.cancel_token, status: 'confirmed' })
        if (turn % 4 === 3) {
          const cancelled = await call(old, 'POST', `/v1/bookings/${answer.body.id}/cancel`, {
            key,
            body: {},
          })
          if (cancelled.status === 200) booked.get(answer.body.id)!.status = 'cancelled'
          else expect(cancelled.status).toBe(503)
        }
      } else expect(answer.status).toBe(503)
    }
  })
  while (booked.size < 40) await new Promise((done) => setTimeout(done, 50))

  expect((await call(old, 'PUT', `/v1/operator/moves/${id}`)).status).toBe(200)
  // What was on its way arrives.
  await new Promise((done) => setTimeout(done, 3_000))
  const exported = await call(old, 'GET', '/v1/export', ours)
  expect(JSON.parse(exported.body.trimEnd().split('\n').at(-1))).toMatchObject({
    type: 'end',
    changed_meanwhile: false,
  })
  const imported = await call(young, 'POST', '/v1/import?trust=true', { body: exported.body })
  expect(imported).toMatchObject({ status: 201, body: { left_out_count: 0, keeps_tokens: true } })
  isOver = true
  await Promise.all(storm)

  await Promise.all(running.splice(0).map((service) => service.kill()))
  const [before, after] = [auditOf('old'), auditOf('new')]
  expect(after).toEqual(before)
  expect(after.bookings).toHaveLength(booked.size)

  const there = await start('new')
  for (const [bookingId, { token, status }] of booked) {
    const found = await call(there, 'GET', `/v1/bookings/${bookingId}`, { key })
    expect(found).toMatchObject({ status: 200, body: { status } })
    if (status === 'confirmed') {
      const cancelled = await call(there, 'POST', `/v1/bookings/${bookingId}/cancel`, {
        key: token,
        body: {},
      })
      expect(cancelled.status).toBe(200)
    }
  }
})
