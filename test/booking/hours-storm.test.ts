import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { decideStart } from '../../src/engine/schedule/decide-start.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { PresentMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { referenceStarts } from '../core/reference.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { bookingInput, iso, openStarts, unique } from '../support/factories.ts'
import { passedOver, stillWaiting, stoodIn, waitedFor, writeDownFreeing } from '../support/freed-by-rows.ts'
import { caseOf, flawsOf } from '../support/hours-by-rows.ts'
import { statesMade, writeDownStates } from '../support/hours-history.ts'
import { DAYS, FIRST, storm } from '../support/hours-operations.ts'
import { stateOf } from '../support/hours-rows.ts'
import { makeWorld, NOW } from '../support/hours-world.ts'
import { unsoundPacks } from '../support/packed.ts'
import { rows } from '../support/storm/world.ts'

const STEP_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000
const LAST = FIRST + DAYS * DAY_MS
const OPERATIONS = amount(200, 4_000)
/** Starts of which availability, search and booking must say the same: half of them open, and any others. */
const SAMPLES = amount(250, 2_000)
/** So many of these are booked for real at the end, one after the other; the others are decided and not taken. */
const BOOKED = amount(6, 500)

type Row = Record<string, any>

/** Every booking that stood in new time off when it was taken is named, and no other. */
async function auditNamed({ data, affected_bookings: named }: Row): Promise<void> {
  expect(new Set(named)).toEqual(await stoodIn(data.map((one: Row) => one.id)))
}

/** Hands out what is owed, as the minutes to come would. */
async function settle(): Promise<void> {
  await expect
    .poll(
      async () => {
        await sweep(env, Date.now())
        return (await env.DB.prepare('SELECT * FROM freed_times').all()).results
      },
      { timeout: 20_000 },
    )
    .toEqual([])
}

/** The soonest starts, page by page, as search tells them. */
async function searched(id: string): Promise<string[]> {
  const found: string[] = []
  for (let from = iso(FIRST); ; ) {
    const path = `/v1/availability/search?event_type_ids=${id}&from=${from}&to=${iso(LAST)}&limit=100`
    const { body } = await call('GET', path)
    found.push(...body.data.map((one: Row) => one.start_time))
    if (body.data.length < 100) return found
    from = iso(Date.parse(found.at(-1)!) + 60_000)
  }
}

async function available(id: string): Promise<string[]> {
  return openStarts(id, FIRST, LAST - DAY_MS)
}

/** What the deciding function says of each of these starts, without taking them. */
async function decider(id: string): Promise<(start: number) => boolean> {
  const range = { start: NOW, end: FIRST + 40 * DAY_MS }
  const now = NOW as PresentMs
  const { schedule } = await loadSchedule(openDb(env, 'decide'), id, { range, seatsAt: null }, now)
  const durationMinutes = schedule!.eventType.durationMinutes
  const wanted = { durationMinutes, now, emails: ['new@example.com'], mover: null, hostsToSkip: 0 }
  return (start) => 'placement' in decideStart(schedule!, start, wanted)
}

/** Every booking lies where it could, at the moment it was made or moved, and passed over nobody. */
async function auditBookings(): Promise<void> {
  let made = 0
  for await (const one of statesMade()) {
    expect([one.id, iso(one.start), flawsOf(one)]).toEqual([one.id, iso(one.start), []])
    made++
  }
  expect(made).toBeGreaterThan(OPERATIONS / amount(20, 10))
  const waited = await waitedFor({ from: FIRST, to: LAST })
  expect(await passedOver(waited)).toEqual([])
  expect([...waited.values()].filter(({ status }) => status === 'promoted').length).toBeGreaterThan(
    amount(0, 3),
  )
}

/** What is open at the end is the same to the reference, availability and search, and none of it is owed to anybody. */
async function auditOpenStarts(types: readonly string[]): Promise<Map<string, readonly string[]>> {
  const starts = new Map<string, readonly string[]>()
  const waited = await waitedFor({ from: FIRST, to: LAST })
  for (const id of types) {
    const open = await available(id)
    starts.set(id, open)
    expect(open).toEqual(referenceStarts(caseOf(await stateOf(id), { from: FIRST, to: LAST })).map(iso))
    expect(await searched(id)).toEqual(open)
    const instants = open.map((start) => Date.parse(start))
    expect(await stillWaiting(id, instants)).toEqual([])
    const left = [...waited.values()].filter(
      ({ eventTypeId, status }) => eventTypeId === id && status === 'waiting',
    )
    expect(left.filter(({ opensLater }) => instants.some(opensLater)).map((one) => one.id)).toEqual([])
  }
  return starts
}

describe('a storm of bookings, hours, time off, limits and hosts', () => {
  it(
    `leaves every booking where it may be and nobody passed over: seed ${SEED}`,
    async () => {
      // However busy the machine is, nobody gives up an answer.
      Object.assign(env, { answerMs: SOAK_TIMEOUT_MS })
      const world = await makeWorld()
      const { types } = world
      const { below: random, pick } = chance(SEED + 1)
      const forgetStates = await writeDownStates()
      const forgetFreeing = await writeDownFreeing()
      try {
        const counts = await storm(world, SEED, OPERATIONS, auditNamed)
        for (const told of counts.keys()) expect(told).toMatch(/ (20[014]|400|404|409)$/)
        await settle()
        expect(await unsoundPacks(rows)).toEqual([])
        const starts = await auditOpenStarts(types)

        const anyStart = () => FIRST + random((DAYS * DAY_MS) / STEP_MS) * STEP_MS
        for (const id of types) {
          const open = starts.get(id)!
          const isOpen = new Set(open)
          const isDecided = await decider(id)
          for (let at = 0; at < SAMPLES / types.length; at++) {
            const start = at % 2 === 0 && open.length > 0 ? Date.parse(pick(open)) : anyStart()
            expect([id, iso(start), isDecided(start)]).toEqual([id, iso(start), isOpen.has(iso(start))])
          }
        }
        for (let at = 0; at < BOOKED; at++) {
          const id = pick(types)
          const open = await available(id)
          const start = at % 2 === 0 && open.length > 0 ? pick(open) : iso(anyStart())
          const invitee_email = `${unique('last')}@example.com`
          const { status } = await call('POST', '/v1/bookings', {
            body: bookingInput(id, Date.parse(start), { invitee_email }),
          })
          expect([id, start, status === 201]).toEqual([id, start, open.includes(start)])
        }
        await auditBookings()
      } finally {
        await forgetFreeing()
        await forgetStates()
      }
    },
    SOAK_TIMEOUT_MS,
  )
})
