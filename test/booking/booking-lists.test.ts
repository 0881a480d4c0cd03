import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { call, freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function idsOf(key: string, query: string): Promise<string[]> {
  const { status, body } = await call('GET', `/v1/bookings?${query}`, { key })
  expect([query, status]).toEqual([query, 200])
  return body.data.map(({ id }: { id: string }) => id)
}

/** Pages of two, forwards and then backwards from the last one. */
async function walk(key: string, query: string) {
  const [forwards, backwards]: [string[], string[]] = [[], []]
  for (let cursor = ''; ; ) {
    const ids = await idsOf(key, `${query}&limit=2${cursor}`)
    forwards.push(...ids)
    if (ids.length < 2) break
    cursor = `&starting_after=${ids.at(-1)}`
  }
  for (let cursor = `&ending_before=${forwards.at(-1)}`; ; ) {
    const ids = await idsOf(key, `${query}&limit=2${cursor}`)
    backwards.unshift(...ids)
    if (ids.length < 2) return { forwards, backwards }
    cursor = `&ending_before=${ids[0]}`
  }
}

describe('a list of bookings by start', () => {
  it('is ascending by default, and its cursors lead through it in both directions', async () => {
    const { liveKey: key } = await createOrganization()
    const [one, two] = [await createEventType(key), await createEventType(key)]
    const made: [number, string][] = []
    for (const [index, hours] of [5, 2, 4, 1, 2, 3].entries()) {
      const start = SLOT + hours * HOUR_MS
      made.push([start, (await book(index % 2 ? one.id : two.id, start)).body.id])
    }
    const ids = made.toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : 1)).map(([, id]) => id)
    await call('POST', `/v1/bookings/${ids[1]}/cancel`, { key, body: {} })

    expect(await idsOf(key, 'sort=start_time')).toEqual(ids)
    expect(await walk(key, 'sort=start_time')).toEqual({ forwards: ids, backwards: ids.slice(0, -1) })
    const backwards = ids.toReversed()
    expect(await walk(key, 'sort=start_time&order=desc')).toEqual({
      forwards: backwards,
      backwards: backwards.slice(0, -1),
    })
    const after = new Date(SLOT + HOUR_MS).toISOString()
    expect(await idsOf(key, `sort=start_time&start_after=${after}`)).toEqual(ids.slice(1))
    expect(await idsOf(key, 'sort=start_time&status=cancelled')).toEqual([ids[1]])
    const ofOne = ids.filter((id) => made.findIndex(([, booked]) => booked === id) % 2)
    expect(await walk(key, `sort=start_time&event_type_id=${one.id}`)).toMatchObject({ forwards: ofOne })
    expect(await walk(key, `sort=start_time&event_type_id=${one.id},${two.id}`)).toMatchObject({
      forwards: ids,
    })
    const newest = made.map(([, id]) => id).toReversed()
    expect(await idsOf(key, 'sort=created_at')).toEqual(newest)
    expect(await idsOf(key, 'sort=created_at&order=asc')).toEqual(newest.toReversed())
  })

  it('refuses an unknown sort, and a cursor of another organization', async () => {
    const { liveKey: key } = await createOrganization()
    const other = await createOrganization()
    const { id } = await createEventType(other.liveKey)
    const { body: booked } = await book(id, SLOT)
    const unknown = await call('GET', '/v1/bookings?sort=name', { key })
    expect([unknown.status, Object.keys(unknown.body.error.details)]).toEqual([400, ['sort']])
    const foreign = await call('GET', `/v1/bookings?sort=start_time&starting_after=${booked.id}`, { key })
    expect([foreign.status, Object.keys(foreign.body.error.details)]).toEqual([400, ['starting_after']])
    expect((await call('GET', '/v1/bookings?member_id=nobody', { key })).status).toBe(404)
  })
})

describe('the bookings of a member', () => {
  it('are those that they host alone and those that they host with others, by either sort', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const turns = await createEventType(key, { assignment_strategy: 'round_robin' })
    const together = await createEventType(key)
    const group = await createEventType(key, { assignment_strategy: 'round_robin', max_attendees: 3 })
    const [first, second] = await addHosts(organization, key, turns.id, 2)
    for (const id of [together.id, group.id]) {
      for (const member_id of [first, second]) {
        await call('POST', `/v1/event-types/${id}/hosts`, { key, body: { member_id } })
      }
    }
    const booked: any[] = []
    for (const [id, hours] of [
      [turns.id, 6],
      [turns.id, 5],
      [together.id, 4],
      [group.id, 3],
      [group.id, 3],
      [turns.id, 2],
      [turns.id, 1],
    ] as const) {
      const { status, body } = await bookAsAnother(id, SLOT + hours * HOUR_MS)
      expect(status).toBe(201)
      booked.push(body)
    }
    for (const one of [booked[5], booked[6]]) {
      await call('POST', `/v1/bookings/${one.id}/cancel`, { key, body: {} })
    }
    for (const member of [first, second]) {
      const theirs = booked.filter(
        ({ event_type_id: type, assigned_host: host }) => type === together.id || host.member_id === member,
      )
      expect(theirs.length).toBeGreaterThan(2)
      const newest = theirs.map(({ id }) => id).toReversed()
      const soonest = theirs
        .toSorted((a, b) => a.start_time.localeCompare(b.start_time) || a.id.localeCompare(b.id))
        .map(({ id }) => id)
      const query = `member_id=${member}`
      expect(await walk(key, query)).toEqual({ forwards: newest, backwards: newest.slice(0, -1) })
      expect(await walk(key, `${query}&sort=start_time`)).toEqual({
        forwards: soonest,
        backwards: soonest.slice(0, -1),
      })
      expect(await walk(key, `${query}&sort=start_time&order=desc`)).toMatchObject({
        forwards: soonest.toReversed(),
      })
      const from = `start_after=${new Date(SLOT).toISOString()}`
      expect(await idsOf(key, `${query}&${from}`)).toEqual(newest)
      const late = `start_after=${new Date(SLOT + 3 * HOUR_MS).toISOString()}`
      const isLate = new Set(booked.slice(0, 3).map(({ id }) => id))
      expect(await idsOf(key, `${query}&${late}`)).toEqual(newest.filter((id) => isLate.has(id)))
      expect(await idsOf(key, `${query}&${late}&sort=start_time`)).toEqual(
        soonest.filter((id) => isLate.has(id)),
      )
      expect(await idsOf(key, `${query}&event_type_id=${together.id}`)).toEqual([booked[2].id])
      const cancelled = theirs.filter(({ id }) => [booked[5].id, booked[6].id].includes(id))
      expect(await idsOf(key, `${query}&status=cancelled&sort=start_time`)).toEqual(
        cancelled.map(({ id }) => id).toReversed(),
      )
      expect(await idsOf(key, `${query}&assigned_host_id=${member === first ? second : first}`)).toEqual(
        theirs.some(({ assigned_host: host }) => host.member_id !== member) ? [booked[2].id] : [],
      )
    }
  })
})

describe('the bookings of a member who was taken off the event type', () => {
  it.each([1, 25])('are still theirs, among %i bookings of theirs, by either sort', async (others) => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const together = await createEventType(key)
    const [, second] = await addHosts(organization, key, together.id, 2)
    const alone = await createEventType(key, { assignment_strategy: 'round_robin' })
    await call('POST', `/v1/event-types/${alone.id}/hosts`, { key, body: { member_id: second } })
    const { body: met } = await bookAsAnother(together.id, SLOT)
    const ids = [met.id]
    for (let at = 1; at <= others; at++) {
      const { status, body } = await bookAsAnother(alone.id, SLOT + at * HOUR_MS)
      expect(status).toBe(201)
      ids.push(body.id)
    }
    const removed = await call('DELETE', `/v1/event-types/${together.id}/hosts/${second}`, { key })
    expect(removed.status).toBe(204)
    const query = `member_id=${second}&limit=100`
    expect(await idsOf(key, query)).toEqual(ids.toReversed())
    expect(await idsOf(key, `${query}&sort=start_time`)).toEqual(ids)
    const from = `start_after=${iso(SLOT - HOUR_MS)}&start_before=${iso(SLOT + HOUR_MS)}`
    for (const sort of ['created_at', 'start_time'])
      expect(await idsOf(key, `${query}&${from}&sort=${sort}`)).toEqual([met.id])
    expect(await idsOf(key, `${query}&event_type_id=${together.id}`)).toEqual([met.id])
  })
})

describe('a page by start of 105,000 bookings', () => {
  const [SIZE, HALF_HOUR_MS] = [105_000, 1_800_000]
  let key: string
  let eventType: string
  let host: string
  let cursor: string
  let newcomer: string

  beforeAll(async () => {
    const organization = await createOrganization()
    key = organization.liveKey
    eventType = (await createEventType(key)).id
    ;[host, newcomer] = (await addHosts(organization, key, eventType, 2)) as [string, string]
    const first = Date.now() - (SIZE - 500) * HALF_HOUR_MS
    await env.DB.prepare(`INSERT INTO bookings (organization_id, is_test, id, event_type_id, status, start_time, end_time,
        invitee_name, invitee_email, invitee_timezone, metadata, attendees, assigned_host_id, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SIZE})
      SELECT '${organization.id}', 0, printf('%08x-%04x-7000-8000-%012x', 26000000, i % 65536, i), '${eventType}',
        CASE i % 10 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'rescheduled' ELSE 'confirmed' END,
        ${first} + i * ${HALF_HOUR_MS}, ${first} + (i + 1) * ${HALF_HOUR_MS}, 'Ada', 'p' || (i % 997) || '@example.com', 'UTC',
        '{}', '[]', '${host}', 1, 1 FROM n`).run()
    await env.DB.prepare(`INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at)
      SELECT assigned_host_id, start_time, end_time, id, start_time FROM bookings
      WHERE organization_id = ? AND status <> 'cancelled'`)
      .bind(organization.id)
      .run()
    const row = await env.DB.prepare('SELECT id FROM bookings WHERE organization_id = ? LIMIT 1 OFFSET 50000')
      .bind(organization.id)
      .first<{ id: string }>()
    cursor = row!.id
  }, 120_000)

  async function readFor(query: string) {
    const counted = countedEnv()
    const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() }
    const request = new Request(`https://holdfast.test/v1/bookings?limit=100&${query}`, { headers })
    const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
    const { data } = await response.json<any>()
    return { rows: counted.ran.reduce((sum, { read }) => sum + read, 0), shown: data.length as number }
  }

  it('reads at most three rows for each booking that it shows', async () => {
    const orders = ['sort=start_time', 'sort=start_time&order=desc']
    const parts = ['', `&starting_after=${cursor}`, `&ending_before=${cursor}`]
    const only = ['', '&status=confirmed', '&status=cancelled,rescheduled', `&event_type_id=${eventType}`]
    const told: string[] = []
    for (const order of orders) {
      for (const part of parts) {
        for (const filter of only) {
          const query = `${order}${part}${filter}`
          const { rows, shown } = await readFor(query)
          if (shown !== 100 || rows > 300) told.push(`${rows} for ${shown} of ${query}`)
        }
      }
    }
    expect(told).toEqual([])
    const { rows } = await readFor('sort=start_time&status=pending_approval')
    expect(rows).toBeLessThan(10)
  })

  it('reads a page of each source for a member, however few bookings they have', async () => {
    const told: string[] = []
    for (const member of [host, newcomer]) {
      for (const sort of ['', '&sort=start_time', `&sort=start_time&order=desc&starting_after=${cursor}`]) {
        const query = `member_id=${member}${sort}`
        const { rows, shown } = await readFor(query)
        if (shown !== (member === host ? 100 : 0) || rows > 1_100)
          told.push(`${rows} for ${shown} of ${query}`)
      }
    }
    expect(told).toEqual([])
  })

  it('reads three rows for each collective booking of a member with a status, and fixed ones for the call', async () => {
    await env.DB.prepare('UPDATE bookings SET assigned_host_id = NULL WHERE event_type_id = ?')
      .bind(eventType)
      .run()
    const told: string[] = []
    for (const status of ['&status=confirmed', '']) {
      for (const part of [
        '',
        `&starting_after=${cursor}`,
        `&ending_before=${cursor}`,
        '&order=asc',
        '&sort=start_time',
      ]) {
        const { rows, shown } = await readFor(`member_id=${host}${status}${part}`)
        // By creation, a page of each status is read. By start, the event type of each is asked for.
        const perBooking = part.includes('sort') ? 4 : status ? 3 : 6
        const most = perBooking * shown + 65
        if (shown !== 100 || rows > most) told.push(`${rows} for ${shown} of ${status}${part}`)
      }
    }
    expect(told).toEqual([])
  })
})
