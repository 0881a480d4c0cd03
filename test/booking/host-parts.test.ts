import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const half = (at: number) => SLOT + (at * HOUR_MS) / 2

/** An event type with so many hosts of the pool and so many who are required, each with an organization of its own. */
async function team(pool: number, required: number, input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const members = async (count: number, part: string) => {
    const ids: string[] = []
    for (let made = 0; made < count; made++) {
      const member = await createMember(organization)
      await addHost(key, id, member.id, { part })
      ids.push(member.id)
    }
    return ids
  }
  const poolIds = await members(pool, 'pool')
  const requiredIds = await members(required, 'required')
  return { organization, key, id: id as string, poolIds, requiredIds }
}

/** Another event type that one member hosts alone. */
async function aloneWith(key: string, memberId: string): Promise<string> {
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHost(key, id, memberId)
  return id
}

const idsOf = (hosts: readonly { member_id: string }[]) => hosts.map(({ member_id }) => member_id)

async function heldResources(holderId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT resource_id FROM holds WHERE holder_id = ?')
    .bind(holderId)
    .all<{ resource_id: string }>()
  return results.map(({ resource_id }) => resource_id).sort()
}

describe('parts of hosts', () => {
  it('are pool by default, and can be changed to a valid part only', async () => {
    const { key, id, poolIds } = await team(1, 0)
    const path = `/v1/event-types/${id}/hosts`
    const [host] = (await call('GET', path, { key })).body.data
    expect(host.part).toBe('pool')
    const changed = await call('PATCH', `${path}/${poolIds[0]}`, { key, body: { part: 'required' } })
    expect(changed.body).toEqual({ ...host, part: 'required' })
    const wrong = await call('PATCH', `${path}/${poolIds[0]}`, { key, body: { part: 'chosen' } })
    expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['part']])
    expect((await call('GET', path, { key })).body.data[0].part).toBe('required')
  })

  it('go with a pool size from 1 to 10', async () => {
    const { key, id } = await team(1, 0)
    const read = await call('GET', `/v1/event-types/${id}`, { key })
    expect(read.body.pool_size).toBe(1)
    for (const pool_size of [0, 11, 1.5, 'two']) {
      const { status, body } = await call('PATCH', `/v1/event-types/${id}`, { key, body: { pool_size } })
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['pool_size']])
    }
    const { body } = await call('PATCH', `/v1/event-types/${id}`, { key, body: { pool_size: 10 } })
    expect(body.pool_size).toBe(10)
  })

  it('are ignored without a strategy', async () => {
    const { key, id, poolIds, requiredIds } = await team(2, 1, { pool_size: 5, assignment_strategy: 'none' })
    const { body } = await book(id, SLOT)
    expect(idsOf(body.hosts)).toEqual([...poolIds, ...requiredIds])
    expect((await call('GET', `/v1/event-types/${id}`, { key })).body.bookable.ok).toBe(true)
  })
})

describe('the hosts of a booking', () => {
  it('are so many of the pool, the first of whom is assigned, and all who are required', async () => {
    const { key, id, poolIds, requiredIds } = await team(3, 2, { pool_size: 2 })
    const { status, body } = await book(id, SLOT)
    expect(status).toBe(201)
    expect(idsOf(body.hosts)).toEqual([poolIds[0], poolIds[1], ...requiredIds])
    expect(body.assigned_host).toEqual(body.hosts[0])
    expect(await heldResources(body.id)).toEqual([poolIds[0]!, poolIds[1]!, ...requiredIds].sort())
    const read = await call('GET', `/v1/bookings/${body.id}`, { key })
    expect(idsOf(read.body.hosts)).toEqual(idsOf(body.hosts))
  })

  it('are one without parts, and nobody without hosts', async () => {
    const { id, poolIds } = await team(2, 0)
    const { body } = await book(id, SLOT)
    expect(body.hosts).toEqual([body.assigned_host])
    expect(idsOf(body.hosts)).toEqual([poolIds[0]])
    const { liveKey } = await createOrganization()
    const alone = await createEventType(liveKey)
    expect((await book(alone.id, SLOT)).body.hosts).toEqual([])
  })

  it('are all who are required if there is no pool, the first by priority assigned', async () => {
    const { key, id, requiredIds } = await team(0, 3, { pool_size: 4 })
    await call('PATCH', `/v1/event-types/${id}/hosts/${requiredIds[2]}`, { key, body: { priority: 1 } })
    const { body } = await book(id, SLOT)
    expect(idsOf(body.hosts)).toEqual([requiredIds[2], requiredIds[0], requiredIds[1]])
    expect(body.assigned_host.member_id).toBe(requiredIds[2])
  })

  it('take turns in the pool only', async () => {
    const { key, id, poolIds, requiredIds } = await team(3, 1, { pool_size: 2 })
    const [a, b, c] = poolIds
    const chosen: string[][] = []
    for (const at of [0, 1, 2, 3]) {
      const { body } = await bookAsAnother(id, half(at))
      expect(idsOf(body.hosts)[2]).toBe(requiredIds[0])
      chosen.push(idsOf(body.hosts).slice(0, 2))
    }
    expect(chosen).toEqual([
      [a, b],
      [c, a],
      [b, c],
      [a, b],
    ])
    const hosts = (await call('GET', `/v1/event-types/${id}/hosts`, { key })).body.data
    const totals = Object.fromEntries(hosts.map((host: any) => [host.member_id, host.total_bookings]))
    expect(totals).toEqual({ [a!]: 3, [b!]: 3, [c!]: 2, [requiredIds[0]!]: 4 })
  })

  it.each(['least_recent', 'least_bookings', 'availability_weighted'])(
    'are as fairly divided by %s',
    async (strategy) => {
      const { id, poolIds } = await team(4, 1, { pool_size: 2, assignment_strategy: strategy })
      const counts = new Map(poolIds.map((one) => [one, 0]))
      for (const at of [0, 1, 2, 3, 4, 5]) {
        const { body } = await bookAsAnother(id, half(at))
        for (const one of idsOf(body.hosts).slice(0, 2)) counts.set(one, counts.get(one)! + 1)
      }
      expect([...counts.values()].sort()).toEqual([3, 3, 3, 3])
    },
  )

  it('are the ones who were chosen by name, with others of the pool', async () => {
    const { key, id, poolIds, requiredIds } = await team(3, 1, { pool_size: 2 })
    const body = { ...bookingInput(id, SLOT), member_id: poolIds[2] }
    const booked = await call('POST', '/v1/bookings', { key, body })
    expect(idsOf(booked.body.hosts)).toEqual([poolIds[2], poolIds[0], requiredIds[0]])
    const other = { ...bookingInput(id, half(1)), member_id: requiredIds[0] }
    const refused = await call('POST', '/v1/bookings', { key, body: other })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
  })
})

describe('a start', () => {
  it('is open while all who are required and enough of the pool are free', async () => {
    const { key, id, poolIds, requiredIds } = await team(3, 1, { pool_size: 2 })
    const isOpen = async (start: number) => (await openStarts(id, start)).includes(iso(start))
    const [first, second] = [await aloneWith(key, poolIds[0]!), await aloneWith(key, poolIds[1]!)]
    const required = await aloneWith(key, requiredIds[0]!)
    await book(first, half(0))
    expect(await isOpen(half(0))).toBe(true)
    await book(second, half(0))
    expect(await isOpen(half(0))).toBe(false)
    const busy = await book(id, half(0))
    expect([busy.status, busy.body.error.code]).toEqual([409, 'no_host_available'])
    await book(required, half(1))
    expect(await isOpen(half(1))).toBe(false)
    const missing = await book(id, half(1))
    expect([missing.status, missing.body.error.code]).toEqual([409, 'no_host_available'])
    expect(await isOpen(half(2))).toBe(true)
    expect((await bookAsAnother(id, half(2))).status).toBe(201)
    // None of them has time elsewhere.
    for (const other of [required, first, second])
      expect((await openStarts(other, half(2))).includes(iso(half(2)))).toBe(false)
  })

  it('is never open if the pool is smaller than what takes part', async () => {
    const { key, id } = await team(1, 1, { pool_size: 2 })
    expect(await openStarts(id, SLOT)).toEqual([])
    const { body } = await call('GET', `/v1/event-types/${id}`, { key })
    expect(body.bookable.reasons.map(({ code }: any) => code)).toEqual(['no_hosts'])
    const path = `/v1/event-types/${id}/explain?start_time=${iso(SLOT)}`
    const explained = (await call('GET', path, { key })).body
    expect(explained).toMatchObject({ bookable: false })
    expect(explained.reasons.map(({ code }: any) => code)).toEqual(['no_hosts'])
    expect((await book(id, SLOT)).status).toBe(409)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { pool_size: 1 } })
    expect((await book(id, SLOT)).status).toBe(201)
  })

  it('is explained with the reasons of the hosts who are missing', async () => {
    const { key, id, poolIds, requiredIds } = await team(2, 1)
    const required = await aloneWith(key, requiredIds[0]!)
    const { body: other } = await book(required, SLOT)
    const path = `/v1/event-types/${id}/explain?start_time=${iso(SLOT)}`
    const explained = (await call('GET', path, { key })).body
    expect(explained.bookable).toBe(false)
    expect(explained.reasons).toMatchObject([{ code: 'booked', booking_id: other.id }])
    const byHost = Object.fromEntries(explained.hosts.map((host: any) => [host.member_id, host.bookable]))
    expect(byHost).toMatchObject({ [requiredIds[0]!]: false, [poolIds[0]!]: true })
  })

  it('counts toward the limits of everybody who takes part', async () => {
    const { key, organization, id, requiredIds } = await team(3, 1)
    const path = `/v1/organizations/${organization.id}/members/${requiredIds[0]}`
    await call('PATCH', path, { key, body: { max_bookings_per_day: 1 } })
    expect((await book(id, half(0))).status).toBe(201)
    const refused = await bookAsAnother(id, half(1))
    expect([refused.status, refused.body.error.code]).toEqual([409, 'no_host_available'])
    expect((await bookAsAnother(id, half(48))).status).toBe(201)
  })

  it('goes to nobody twice, and to everybody there is room for', async () => {
    const { key, id, poolIds, requiredIds } = await team(3, 1, { pool_size: 2 })
    const starts = [0, 1, 2, 3].map(half)
    const alone = await Promise.all(poolIds.map((one) => aloneWith(key, one)))
    const raced = await Promise.all([
      ...Array.from({ length: 20 }, (_, at) => bookAsAnother(id, starts[at % 4]!)),
      ...starts.map((start) => bookAsAnother(alone[0]!, start)),
    ])
    // One required host: each start has room for one meeting, and two of three hosts are left whatever another one took.
    const won = raced.slice(0, 20).filter(({ status }) => status === 201)
    expect(won.map(({ body }) => body.start_time).sort()).toEqual(starts.map(iso))
    for (const { body } of won) {
      expect(new Set(idsOf(body.hosts)).size).toBe(3)
      expect(idsOf(body.hosts)[2]).toBe(requiredIds[0])
    }
    const { results } = await env.DB.prepare(
      `SELECT a.resource_id FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.starts_at < b.starts_at
       AND b.starts_at < a.ends_at WHERE a.resource_id IN (SELECT member_id FROM event_type_hosts WHERE event_type_id = ?)`,
    )
      .bind(id)
      .all()
    expect(results).toEqual([])
  })
})
