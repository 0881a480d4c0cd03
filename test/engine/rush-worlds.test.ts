import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { type Answered, call, type Json } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { packAll } from '../support/packed.ts'
import { bookedIn, rushedService } from '../support/rush.ts'
import { auditDeadlines, auditHolds } from '../support/storm/audits.ts'
import { miscounted, unsoundSeats } from '../support/storm/sound.ts'
import { rows } from '../support/storm/world.ts'

const HALF_HOUR_MS = 1_800_000
const DAY = dayFromNow(3)
const STARTS = Array.from({ length: 20 }, (_, at) => DAY + (18 + at) * HALF_HOUR_MS)
const HOURS = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '19:00',
}))
const WORLDS = amount(12, 400)
const BURSTS = 3
const CALLERS = 30
const MOST_SEATS = 4
const NOT_NOW = ['conflict', 'no_host_available', 'booking_cap_reached', 'plan_limit_exceeded']

type Draw = ReturnType<typeof chance>
type World = Awaited<ReturnType<typeof makeWorld>>
type Acted = { readonly start: number | null; readonly answer: Answered }

afterEach(() => {
  vi.restoreAllMocks()
})

/** An event type that shares its hosts with another one, near the end of its cap or of the month of its plan. */
async function makeWorld({ below, pick }: Draw) {
  const isSmall = below(4) === 0
  const organization = await createOrganization({ tier: isSmall ? 'free' : 'scale' })
  const key = organization.liveKey
  const hosts = isSmall ? 0 : below(4)
  const members: string[] = []
  for (let made = 0; made < hosts; made++) members.push((await createMember(organization)).id)
  const input = {
    minimum_notice_minutes: 0,
    ...(hosts > 0 && { assignment_strategy: pick(['round_robin', 'least_bookings', 'none']) }),
    ...(below(3) === 0 && { max_attendees: 2 + below(3) }),
    ...(below(3) === 0 && { booking_cap: 3 + below(10), booking_cap_period: pick(['daily', 'total']) }),
    ...(below(4) === 0 && { buffer_after_minutes: 15 }),
    ...(below(4) === 0 && { requires_approval: true }),
    ...(below(4) === 0 && { waitlist_enabled: true }),
  }
  const { id } = await createEventType(key, input, HOURS)
  const other = await createEventType(key, { assignment_strategy: 'round_robin' }, HOURS)
  for (const member of members) await addHost(key, id, member)
  if (members[0]) await addHost(key, other.id, members[0])
  return { key, id: String(id), other: String(other.id), isHosted: hosts > 0, isSmall }
}

/** What others do just before a batch arrives. */
async function rival({ other, isHosted, isSmall }: World, { pick }: Draw): Promise<void> {
  if (isHosted || isSmall) await bookAsAnother(other, pick(STARTS))
}

function person(): Json {
  return { invitee_name: 'Ada', invitee_email: `${unique('r')}@example.com` }
}

/** One caller: books or holds, or gives up or moves what was booked before. */
function act(
  service: ReturnType<typeof rushedService>,
  { id, key }: World,
  { below, pick }: Draw,
  booked: readonly Json[],
): () => Promise<Acted> {
  const start = pick(STARTS)
  const post = (
    path: string,
    body: Json,
    headers: Record<string, string> = {},
    of: number | null = start,
  ) => {
    return async () => ({ start: of, answer: await service.call('POST', path, { body, headers }) })
  }
  const dice = below(20)
  const any = booked.length > 0 ? pick([...booked]) : null
  if (dice === 0 && any) return post(`/v1/bookings/${any.id}/cancel?token=${any.cancel_token}`, {}, {}, null)
  if (dice === 1 && any) {
    const path = `/v1/bookings/${any.id}/reschedule?token=${any.cancel_token}`
    return post(path, { new_start_time: iso(start) }, {}, null)
  }
  const body = bookingInput(id, start, person())
  if (dice < 5) {
    return post('/v1/holds', { event_type_id: id, start_time: iso(start), ttl_seconds: 900 })
  }
  if (dice < 7) return post('/v1/waitlist', body, {}, null)
  if (dice < 9) return post('/v1/bookings', body, { 'Idempotency-Key': unique('rush') })
  if (dice < 11) {
    return async () => ({ start, answer: await service.call('POST', '/v1/bookings', { body, key }) })
  }
  return post('/v1/bookings', body)
}

/** What was answered is there once; more is there only if somebody was told of a failure. */
async function expectAcknowledged({ id }: World, booked: readonly Json[], failed: number, about: string) {
  const { results } = await env.DB.prepare(
    `SELECT id FROM bookings WHERE event_type_id = ? AND id NOT IN (
       SELECT promoted_booking_id FROM waitlist_entries WHERE promoted_booking_id IS NOT NULL)`,
  )
    .bind(id)
    .all<{ id: string }>()
  const there = new Set(results.map((row) => row.id))
  expect([about, booked.filter((one) => !there.has(String(one.id)))]).toEqual([about, []])
  expect(there.size - booked.length).toBeLessThanOrEqual(failed)
}

it(`many at a time book what is offered and nothing else, whatever happens to their batches: seed ${SEED}`, {
  timeout: SOAK_TIMEOUT_MS,
}, async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const draw = chance(SEED + 40)
  const { below, roll } = draw
  const packs = chance(SEED + 41)
  let [together, refusedBatches] = [0, 0]
  const types: string[] = []
  for (let at = 0; at < WORLDS; at++) {
    const world = await makeWorld(draw)
    types.push(world.id)
    const isBlinking = below(3) === 0
    const hasRival = below(2) === 0
    const service = rushedService(async ({ together: batch, queries }) => {
      if (packs.below(4) === 0) await packAll(rows, packs)
      if (batch !== null) together += bookedIn(queries)
      if (batch !== null && hasRival && below(3) === 0) {
        refusedBatches++
        await rival(world, draw)
      }
      return isBlinking && roll() < 0.05 ? (below(2) === 0 ? 'before' : 'after') : null
    })
    const booked: Json[] = []
    let failed = 0
    for (let burst = 0; burst < BURSTS; burst++) {
      const about = `world ${at}, burst ${burst}, ${JSON.stringify(world)}`
      const acts = Array.from({ length: CALLERS }, () => act(service, world, draw, burst > 0 ? booked : []))
      const acted = await service.rush(acts)
      const failures = acted.filter(({ answer }) => answer.status >= 500).map(({ answer }) => answer.body)
      failed += failures.length
      if (!isBlinking) expect([about, failures]).toEqual([about, []])
      for (const { answer } of acted)
        if (answer.status === 201 && answer.body.attendees) booked.push(answer.body)
      await expectAcknowledged(world, booked, failed, about)
      const isFreed = acted.some(({ start, answer }) => start === null && answer.status === 200)
      if (isFreed || failed > 0) continue
      // Nothing was released, so whatever was refused is closed for good.
      const open = new Set(await openStarts(world.id, DAY))
      for (const { start, answer } of acted) {
        if (start === null || answer.status < 400) continue
        expect(NOT_NOW).toContain(answer.body.error.code)
        expect([about, iso(start), open.has(iso(start))]).toEqual([about, iso(start), false])
      }
    }
    await auditHolds()
    await auditDeadlines()
    // Whatever is offered after all that can be booked.
    const [next] = await openStarts(world.id, DAY)
    if (next !== undefined) {
      const { status } = await call('POST', '/v1/bookings', {
        body: bookingInput(world.id, Date.parse(next), person()),
      })
      expect(status).toBe(201)
    }
  }
  expect(await unsoundSeats(rows, MOST_SEATS)).toEqual([])
  for (const id of types) expect(await miscounted(rows, id)).toEqual([])
  // Else it proves little.
  expect(together).toBeGreaterThan(WORLDS * 10)
  expect(refusedBatches).toBeGreaterThan(WORLDS / 4)
})
