import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { chooseUnits, type Need } from '../../src/core/units.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { bookAsAnother, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { packAll, unsoundPacks } from '../support/packed.ts'
import { createRoom } from '../support/rooms.ts'
import { rows } from '../support/storm/world.ts'

const HALF_HOUR_MS = 1_800_000
const SLOT = dayFromNow(3) + 20 * HALF_HOUR_MS

type Made = {
  readonly key: string
  readonly types: readonly {
    readonly id: string
    readonly hosts: readonly string[]
    readonly needs: readonly Need[]
  }[]
  readonly rooms: ReadonlyMap<string, number>
}

type Taken = {
  readonly type: string
  readonly start: number
  readonly host: string
  readonly units: readonly { readonly of: string; readonly unit: number }[]
}

async function booked({ types }: Made): Promise<Taken[]> {
  const ids = JSON.stringify(types.map(({ id }) => id))
  const { results } = await env.DB.prepare(
    `SELECT event_type_id AS type, start_time AS start, assigned_host_id AS host, resources FROM bookings
     WHERE status <> 'cancelled' AND event_type_id IN (SELECT value FROM json_each(?))`,
  )
    .bind(ids)
    .all<{ type: string; start: number; host: string; resources: string }>()
  return results.map(({ resources, ...row }) => ({
    ...row,
    units: JSON.parse(resources).map(({ id, unit }: { id: string; unit: number }) => ({ of: id, unit })),
  }))
}

/** Nobody and no unit is in two meetings at once. */
function expectNoOverlap(taken: readonly Taken[]) {
  const all = taken.flatMap(({ start, host, units }) => [
    `${host} ${start}`,
    ...units.map(({ of, unit }) => `${of}#${unit} ${start}`),
  ])
  expect(all.length).toBe(new Set(all).size)
}

/** Whether some host and some units of an event type are still free at a start, by trying all. */
function isLegal({ types, rooms }: Made, taken: readonly Taken[], typeId: string, start: number): boolean {
  const { hosts, needs } = types.find(({ id }) => id === typeId)!
  const then = taken.filter((one) => one.start === start)
  const isHostFree = hosts.some((id) => !then.some(({ host }) => host === id))
  const wanted = needs.flatMap(({ of, count }) => Array.from({ length: count }, () => of))
  const isFree = (of: string, unit: number) =>
    !then.some(({ units }) => units.some((one) => one.of === of && one.unit === unit))
  const search = (at: number, mine: ReadonlySet<string>): boolean =>
    at === wanted.length ||
    wanted[at]!.some((of) =>
      Array.from({ length: rooms.get(of)! }, (_, index) => index + 1).some(
        (unit) =>
          isFree(of, unit) && !mine.has(`${of}${unit}`) && search(at + 1, new Set([...mine, `${of}${unit}`])),
      ),
    )
  return isHostFree && search(0, new Set())
}

async function makeWorld(
  quantities: readonly number[],
  hostCount: number,
  types: readonly {
    readonly hosts: readonly number[]
    readonly needs: readonly { of: number[]; count: number }[]
  }[],
): Promise<Made> {
  const organization = await createOrganization()
  const key = organization.liveKey
  const rooms = new Map<string, number>()
  for (const quantity of quantities) rooms.set((await createRoom(key, { quantity })).id, quantity)
  const roomIds = [...rooms.keys()]
  const members: string[] = []
  for (let made = 0; made < hostCount; made++) members.push((await createMember(organization)).id)
  const made = []
  for (const { hosts, needs } of types) {
    const wanted = needs.map(({ of, count }) => ({ of: of.map((at) => roomIds[at]!), count }))
    const { id } = await createEventType(key, {
      assignment_strategy: 'round_robin',
      requires: wanted.map(({ of, count }) => ({ resource_ids: of, count })),
    })
    for (const at of hosts) await addHost(key, id, members[at]!)
    made.push({ id, hosts: hosts.map((at) => members[at]!), needs: wanted })
  }
  return { key, types: made, rooms }
}

describe('racers for rooms', () => {
  it('never share a unit or a host, and none is refused while a legal assignment exists', async () => {
    const anyRoom = [{ of: [0, 1], count: 1 }]
    const world = await makeWorld([1, 1], 3, [
      { hosts: [0, 1, 2], needs: anyRoom },
      { hosts: [0, 1, 2], needs: [{ of: [1, 0], count: 1 }] },
      { hosts: [0, 1, 2], needs: [{ of: [0], count: 1 }] },
    ])
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => {
        const { id } = world.types[at % 3]!
        const start = SLOT + (Math.floor(at / 3) % 4) * HALF_HOUR_MS
        return bookAsAnother(id, start).then(({ status, body }) => ({
          id,
          start,
          status,
          code: body.error?.code,
        }))
      }),
    )
    const taken = await booked(world)
    expectNoOverlap(taken)
    // Two rooms at four starts.
    expect(taken).toHaveLength(8)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(8)
    for (const { id, start, status, code } of answers) {
      if (status === 201) continue
      expect([status, code]).toEqual([409, 'conflict'])
      expect(isLegal(world, taken, id, start)).toBe(false)
    }
  }, 120_000)

  it(
    'get what brute force finds in any world, also after cancellations',
    async () => {
      const { below, pick } = chance(SEED)
      for (let round = 0; round < amount(4, 500); round++) {
        const quantities = Array.from({ length: 1 + below(3) }, () => 1 + below(2))
        const all = quantities.map((_, at) => at)
        const some = (from: readonly number[]) => {
          const turn = below(from.length)
          return [...from.slice(turn), ...from.slice(0, turn)].slice(0, 1 + below(from.length))
        }
        const hostCount = 1 + below(3)
        const hosts = Array.from({ length: hostCount }, (_, at) => at)
        const world = await makeWorld(
          quantities,
          hostCount,
          Array.from({ length: 1 + below(3) }, () => ({
            hosts: some(hosts),
            needs: Array.from({ length: 1 + below(2) }, () => ({ of: some(all), count: 1 + below(2) })),
          })),
        )
        for (let wave = 0; wave < 3; wave++) {
          const calls = Array.from({ length: 12 }, () => ({
            id: pick(world.types).id,
            start: SLOT + below(2) * HALF_HOUR_MS,
          }))
          const answers = await Promise.all(
            calls.map(async (one) => ({ ...one, ...(await bookAsAnother(one.id, one.start)) })),
          )
          const taken = await booked(world)
          expectNoOverlap(taken)
          expect(await unsoundPacks(rows)).toEqual([])
          if (below(2) === 0) await packAll(rows)
          for (const { id, start, status } of answers) {
            if (status !== 201)
              expect(isLegal(world, taken, id, start), JSON.stringify([round, wave])).toBe(false)
          }
          const { body } = await call('GET', `/v1/bookings?status=confirmed&limit=100`, { key: world.key })
          for (const { id } of body.data.filter(() => below(2) === 0)) {
            await call('POST', `/v1/bookings/${id}/cancel`, { key: world.key })
          }
          await expectFirstChoice(world)
        }
      }
    },
    SOAK_TIMEOUT_MS,
  )
})

/** One more booking takes the first complete assignment of what is free. */
async function expectFirstChoice(world: Made) {
  const type = world.types[0]!
  const taken = (await booked(world)).filter(({ start }) => start === SLOT)
  const isTaken = (of: string, unit: number) =>
    taken.some(({ units }) => units.some((one) => one.of === of && one.unit === unit))
  const free = new Map(
    Array.from(world.rooms, ([id, quantity]) => [
      id,
      Array.from({ length: quantity }, (_, at) => at + 1).filter((unit) => !isTaken(id, unit)),
    ]),
  )
  const expected = chooseUnits(type.needs, free)
  const { status, body } = await bookAsAnother(type.id, SLOT)
  expect(status === 201).toBe(isLegal(world, taken, type.id, SLOT))
  if (status !== 201) return
  expect(body.start_time).toBe(iso(SLOT))
  expect(body.resources.map(({ id, unit }: any) => ({ of: id, unit }))).toEqual(expected)
}
