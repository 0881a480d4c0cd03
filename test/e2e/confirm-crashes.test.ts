import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const ROUNDS = amount(2, 25)
const HOLDS_A_ROUND = amount(30, 400)
const CLIENTS = 16
/** A process dies at any moment of a change, and soon after an answer. */
const MAX_DELAY_MS = 25
const DAY_MS = 86_400_000
const RANGE = [2, 21].map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10))
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

type Answer = { readonly status: number; readonly body: any }
type Held = { readonly id: string; readonly token: string; readonly start_time: string }

const { below, roll } = chance(SEED)
let directory: string
let bundle: string
let service: Service
let headers: Record<string, string> = { Authorization: `Bearer ${SERVICE_KEY}` }

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'confirm-crashes-'))
  bundle = await takeBuilt(directory)
  service = await startService(bundle, directory)
  const { body } = await call('POST', '/v1/organizations', { name: 'Crash', owner_user_id: randomUUID() })
  await call('PATCH', `/v1/organizations/${body.id}`, { tier: 'scale' })
  headers = { ...headers, 'X-Org-Id': body.id }
})

afterAll(async () => {
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

async function openStarts(): Promise<{ id: string; starts: string[] }> {
  const input = { title: 'Crash', slug: `crash-${randomUUID()}`, duration_minutes: 30, timezone: 'UTC' }
  const { id } = (await call('POST', '/v1/event-types', { ...input, minimum_notice_minutes: 0 })).body
  await call('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY })
  const query = `event_type_id=${id}&start=${RANGE[0]}&end=${RANGE[1]}&timezone=UTC`
  const { body } = await call('GET', `/v1/availability?${query}`)
  return { id, starts: body.slots.map(({ start_time }: { start_time: string }) => start_time) }
}

/** So many clients at a time, one after another each. */
async function together<T>(all: readonly T[], each: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const client = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await each(one)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

it('confirms every hold before its deadline, though the process is killed repeatedly', async () => {
  const held: Held[] = []
  const booked = new Map<string, { id: string; start_time: string }>()
  let lost = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { id, starts } = await openStarts()
    const own: Held[] = []
    await together(starts.slice(0, HOLDS_A_ROUND), async (start_time) => {
      const { status, body } = await call('POST', '/v1/holds', {
        event_type_id: id,
        start_time,
        ttl_seconds: 900,
      })
      expect(status).toBe(201)
      own.push(body)
    })
    expect(own).toHaveLength(HOLDS_A_ROUND)

    let acknowledged = 0
    let death: Promise<void> | null = null
    const diesAfter = 1 + below(HOLDS_A_ROUND / 2)
    const delayMs = round % 2 === 0 ? 0 : roll() * MAX_DELAY_MS
    const confirm = async ({ id: holdId, token }: Held) => {
      const invitee = { invitee_name: 'Ada Lovelace', invitee_email: `${holdId}@example.com` }
      const { status, body } = await call('POST', `/v1/holds/${holdId}/confirm?token=${token}`, invitee)
      expect([200, 201], JSON.stringify(body)).toContain(status)
      const before = booked.get(holdId)
      if (before) expect(body).toMatchObject(before)
      booked.set(holdId, { id: body.id, start_time: body.start_time })
      if (++acknowledged === diesAfter) setTimeout(() => (death ??= service.kill()), delayMs)
    }
    await together(own, async (one) => {
      try {
        if (!death) await confirm(one)
      } catch (error) {
        if (!death) throw error
        lost++
      }
    })
    await death!
    service = await startService(bundle, directory)
    // Also what was answered: confirmed again it is the same booking.
    await together(own, confirm)
    held.push(...own)
  }
  expect(lost).toBeGreaterThan(0)
  for (const { id, start_time } of held) expect(booked.get(id)?.start_time).toBe(start_time)
  expect(new Set([...booked.values()].map(({ id }) => id)).size).toBe(ROUNDS * HOLDS_A_ROUND)

  await service.kill()
  const [counts, stray] = queryState(directory, [
    `SELECT (SELECT count(*) FROM bookings WHERE status = 'confirmed') AS bookings,
       (SELECT count(*) FROM slot_holds w JOIN bookings b ON b.id = w.booking_id AND b.start_time = w.start_time
         WHERE w.status = 'confirmed') AS holds,
       (SELECT count(*) FROM events WHERE kind = 'booking.created') AS events`,
    `SELECT h.holder_id FROM holds h LEFT JOIN bookings b ON b.id = h.holder_id
     WHERE b.id IS NULL OR h.expires_at IS NOT NULL OR h.starts_at <> b.start_time`,
  ])
  const each = ROUNDS * HOLDS_A_ROUND
  expect(counts).toEqual([{ bookings: each, holds: each, events: each }])
  expect(stray).toEqual([])
})
