import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { findSlotsToMove } from '../../src/booking/slots/find-open-slots.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { bookingInput, dateOf, iso, openStarts, unique } from '../support/factories.ts'
import { packAll, unsoundPacks } from '../support/packed.ts'
import { act, DAY, makeWorld, STARTS, type World } from '../support/storm/changes.ts'
import { unsoundAt } from '../support/storm/kept.ts'
import { rows } from '../support/storm/world.ts'

const WORLDS = amount(1, 50)
const ACTS = amount(30, 60)

/** What is open, whatever is remembered; null where nobody can book. */
async function openAfresh(id: string): Promise<string[] | null> {
  const [type] = await rows('SELECT active, deleted_at FROM event_types WHERE id = ?', id)
  if (!type!.active || type!.deleted_at !== null) return null
  const query = { event_type_id: id, start: dateOf(DAY), end: dateOf(DAY), timezone: 'UTC' }
  const nothing = { bookingId: '', withoutIt: (schedule: Schedule) => ({ schedule, seats: 1 }) }
  const { starts } = await findSlotsToMove({ env, now: Date.now() } as Context, query, nothing)
  return starts.map(iso)
}

/** Waits for what one event type had the other hand out: that is done before whatever is asked of it next. */
async function settle({ key, types }: World): Promise<void> {
  for (const id of types)
    await call('POST', '/v1/bookings?dry_run=true', { key, body: bookingInput(id, DAY) })
}

/** What is offered, explained, tried and read afresh is the same, but where there is more than who waits is owed. */
async function auditStart({ key }: World, id: string, start: number, about: string): Promise<void> {
  const open = await openAfresh(id)
  if (open === null) return
  expect([about, await openStarts(id, DAY)]).toEqual([about, open])
  const input = bookingInput(id, start, { invitee_email: `${unique('dry')}@example.com` })
  const tried = await call('POST', '/v1/bookings?dry_run=true', { body: input })
  const { body } = await call('GET', `/v1/event-types/${id}/explain?start_time=${iso(start)}`, { key })
  const waits = "SELECT id FROM waitlist_entries WHERE event_type_id = ? AND status = 'waiting'"
  const isLeft = body.bookable && (await rows(waits, id)).length > 0
  const isOpen = open.includes(iso(start)) || isLeft
  const told = [tried.status === 201, body.bookable]
  expect([about, iso(start), ...told]).toEqual([about, iso(start), isOpen, isOpen])
}

it(`a storm of changes to what is booked leaves everybody in one place: seed ${SEED}`, {
  timeout: SOAK_TIMEOUT_MS,
}, async () => {
  // However busy the machine is, nobody gives up an answer.
  Object.assign(env, { answerMs: SOAK_TIMEOUT_MS })
  const done = new Set<string>()
  for (let at = 0; at < WORLDS; at++) {
    const seed = SEED * 1_000 + at
    const world = await makeWorld(chance(seed))
    const taken = new Map<string, number>()
    for (let acts = 0; acts < ACTS; acts++) {
      const draw = chance(seed * 1_000 + acts)
      if (acts % 3 === 0) await packAll(rows, chance(seed + acts))
      const [name, { status, body }] = await act(world, draw)
      await settle(world)
      const about = `world ${seed}, act ${acts}: ${name} ${status}`
      if (status < 300) done.add(name)
      expect(status, `${about} ${JSON.stringify(body)}`).toBeLessThan(500)
      expect([about, world.unlike]).toEqual([about, []])
      expect([about, await unsoundAt(world.organizationId, world.now, taken)]).toEqual([about, []])
      expect([about, await unsoundPacks(rows)]).toEqual([about, []])
      await auditStart(world, draw.pick(world.types), draw.pick(STARTS), about)
    }
  }
  // Else it proves little.
  expect([...done]).toEqual(
    expect.arrayContaining(
      amount(0, 1) ? ['approve', 'book', 'change', 'confirm', 'later', 'move', 'wait'] : ['book', 'change'],
    ),
  )
})
