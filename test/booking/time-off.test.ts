import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { guardAffected, listAffected } from '../../src/booking/hours/time-off/affected/queries.ts'
import { moveDated } from '../../src/booking/hours/time-off/statements.ts'
import { guardNumber, guardZones } from '../../src/booking/hours/time-off/targets/queries.ts'
import worker from '../../src/index.ts'
import { openDb, type Statement } from '../../src/platform/db/client.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import { type Answered, call, callAsService, freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember, leftByFirst } from '../support/hosts.ts'
import { keyOfMember, memberWithRole } from '../support/members.ts'
import { connectAccount } from '../support/payments.ts'
import { asService } from '../support/recipes.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/
const DAY = dayFromNow(10)
const HOLIDAYS = { start: '2058-12-24', end: '2058-12-26' }

type Input = Record<string, unknown>

function take(key: string, memberIds: readonly string[], input: Input = HOLIDAYS): Promise<Answered> {
  return call('POST', '/v1/time-off', { key, body: { member_ids: memberIds, ...input } })
}

/** The same by a service with another database. */
async function takeWith(other: typeof env, key: string, body: Input) {
  const request = new Request('https://holdfast.test/v1/time-off', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'CF-Connecting-IP': freshAddress(),
    },
    body: JSON.stringify(body),
  })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], other)
  return { status: response.status, body: await response.json<any>() }
}

async function taken(key: string, memberIds: readonly string[], input: Input = HOLIDAYS): Promise<any> {
  const { status, body } = await take(key, memberIds, input)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

function patch(key: string, id: string, body: Input) {
  return call('PATCH', `/v1/time-off/${id}`, { key, body })
}

function remove(key: string, id: string) {
  return call('DELETE', `/v1/time-off/${id}`, { key })
}

async function list(key: string, query = ''): Promise<any[]> {
  const { status, body } = await call('GET', `/v1/time-off?limit=100${query}`, { key })
  expect(status).toBe(200)
  return body.data
}

async function rowsIn({ id }: Organization): Promise<Record<string, any>[]> {
  const select = env.DB.prepare('SELECT * FROM time_off WHERE organization_id = ? ORDER BY id').bind(id)
  return (await select.all<Record<string, any>>()).results
}

function between(start: number, end: number) {
  return { start: iso(start), end: iso(end) }
}

function settings(organization: Organization, memberId: string, body: Input) {
  return call('PATCH', `/v1/organizations/${organization.id}/members/${memberId}`, {
    key: organization.liveKey,
    body,
  })
}

/** An event type of one host, whom every booking is assigned to. */
async function hosted(organization: Organization, input: Input = {}, key = organization.liveKey) {
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const { id: memberId } = await createMember(organization)
  await addHost(key, id, memberId)
  return { id: id as string, memberId }
}

async function bookedAt(eventTypeId: string, start: number, input: Input = {}): Promise<string> {
  const { status, body } = await bookAsAnother(eventTypeId, start, input)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

describe('time off', () => {
  it('is taken by several members at once and returned as it was sent', async () => {
    const organization = await createOrganization()
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const { status, body } = await take(organization.liveKey, [other.id, one.id.toUpperCase(), other.id], {
      ...HOLIDAYS,
      reason: 'Christmas',
      external_id: 'hr-1',
    })
    expect(status).toBe(201)
    const record = (member_id: string) => ({
      id: expect.stringMatching(ID),
      member_id,
      resource_id: null,
      ...HOLIDAYS,
      reason: 'Christmas',
      external_id: 'hr-1',
    })
    expect(body).toEqual({ data: [record(other.id), record(one.id)], affected_bookings: [] })
    expect(await list(organization.liveKey)).toEqual([...body.data].reverse())
    const instants = await taken(organization.liveKey, [one.id], {
      start: '2058-12-24T10:00:00+01:00',
      end: '2058-12-24T12:30:00.500Z',
    })
    expect(instants.data).toEqual([
      {
        id: expect.stringMatching(ID),
        member_id: one.id,
        resource_id: null,
        start: '2058-12-24T09:00:00.000Z',
        end: '2058-12-24T12:30:00.500Z',
        reason: null,
        external_id: null,
      },
    ])
  })

  it('is taken by everybody if it is for all members', async () => {
    const organization = await createOrganization()
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const { status, body } = await call('POST', '/v1/time-off', {
      key: organization.liveKey,
      body: { all: true, ...HOLIDAYS },
    })
    expect(status).toBe(201)
    const [owner, ...members] = body.data.map(({ member_id }: { member_id: string }) => member_id)
    expect([owner, members]).toEqual([expect.stringMatching(ID), [one.id, other.id, null]])
  })

  it('lasts from the beginning of the first date to the end of the last, as each member has them', async () => {
    const organization = await createOrganization({ timezone: 'Asia/Tokyo' })
    const [one, other] = [await createMember(organization), await createMember(organization)]
    await settings(organization, one.id, { timezone: 'America/New_York' })
    await taken(organization.liveKey, [one.id, other.id], { start: '2058-03-09', end: '2058-03-10' })
    const times = (await rowsIn(organization)).map(({ starts_at, ends_at }) => [iso(starts_at), iso(ends_at)])
    expect(times).toEqual([
      ['2058-03-09T05:00:00.000Z', '2058-03-11T04:00:00.000Z'],
      ['2058-03-08T15:00:00.000Z', '2058-03-10T15:00:00.000Z'],
    ])
  })

  it('may be on the first date that there is, and on the last', async () => {
    const organization = await createOrganization({ timezone: 'Pacific/Kiritimati' })
    const { id } = await createMember(organization)
    for (const date of ['1970-01-01', '9999-12-29']) {
      const { data } = await taken(organization.liveKey, [id], { start: date, end: date })
      expect(data).toMatchObject([{ start: date, end: date }])
    }
    expect(await list(organization.liveKey, '&from=1970-01-01&to=9999-12-29')).toHaveLength(2)
  })

  it('is replaced by what comes under the same external id for the same member', async () => {
    const organization = await createOrganization()
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const { liveKey: key, testKey } = organization
    const named = { ...HOLIDAYS, external_id: 'hr-1', reason: 'Ill' }
    const first = await taken(key, [one.id], named)
    const beside = await taken(key, [other.id], named)
    const further = await taken(key, [one.id], { ...named, external_id: 'hr-2' })
    await taken(testKey, [one.id], named)
    const again = await taken(key, [other.id, one.id], {
      ...between(DAY, DAY + HOUR_MS),
      external_id: 'hr-1',
    })
    expect(again.data.map(({ id }: any) => id)).toEqual([beside.data[0].id, first.data[0].id])
    expect(await list(key)).toEqual([...further.data, ...again.data])
    expect(again.data[0]).toMatchObject({ start: iso(DAY), reason: null })
    expect(await list(testKey)).toHaveLength(1)
  })

  it('is one under one external id when it comes several times at once', async () => {
    const organization = await createOrganization()
    const { id } = await createMember(organization)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => take(organization.liveKey, [id], { ...HOLIDAYS, external_id: 'hr' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map(({ body }) => body.data[0].id)).size).toBe(1)
    expect(await rowsIn(organization)).toHaveLength(1)
  })

  it('is made once under one Idempotency-Key', async () => {
    const organization = await createOrganization()
    const { id, memberId } = await hosted(organization)
    const booked = await bookedAt(id, DAY)
    const asked = {
      key: organization.liveKey,
      headers: { 'Idempotency-Key': unique('key') },
      body: { member_ids: [memberId], ...between(DAY, DAY + HOUR_MS) },
    }
    const [first, again] = [
      await call('POST', '/v1/time-off', asked),
      await call('POST', '/v1/time-off', asked),
    ]
    expect(first.body.affected_bookings).toEqual([booked])
    expect(again.body).toEqual(first.body)
    expect(await rowsIn(organization)).toHaveLength(1)
  })

  it('is listed newest first, by member and by the time it touches', async () => {
    const organization = await createOrganization({ timezone: 'America/New_York' })
    const { liveKey: key } = organization
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const made: Record<string, string> = {}
    for (const [name, member, input] of [
      ['early', one, between(DAY, DAY + HOUR_MS)],
      ['late', one, between(DAY + 5 * DAY_MS, DAY + 6 * DAY_MS)],
      ['other', other, between(DAY, DAY + 6 * DAY_MS)],
      ['dated', other, { start: '2058-01-07', end: '2058-01-08' }],
    ] as const) {
      made[(await taken(key, [member.id], input)).data[0].id] = name
    }
    const names = async (query: string) => (await list(key, query)).map(({ id }) => made[id])
    expect(await names('')).toEqual(['dated', 'other', 'late', 'early'])
    expect(await names(`&member_id=${one.id.toUpperCase()}`)).toEqual(['late', 'early'])
    expect(await names(`&member_id=${crypto.randomUUID()}`)).toEqual([])
    const at = (instant: number) => encodeURIComponent(iso(instant))
    expect(await names(`&from=${at(DAY + HOUR_MS)}`)).toEqual(['dated', 'other', 'late'])
    expect(await names(`&to=${at(DAY)}`)).toEqual([])
    expect(await names(`&from=${at(DAY)}&to=${at(DAY + 1)}`)).toEqual(['other', 'early'])
    expect(await names(`&member_id=${one.id}&from=${at(DAY + 2 * DAY_MS)}`)).toEqual(['late'])
    expect(await names('&from=2058-01-08&to=2058-01-08')).toEqual(['dated'])
    expect(await names('&from=2058-01-09')).toEqual([])
    expect(await names('&from=2058-01-01&to=2058-01-06')).toEqual([])
    const page = await call('GET', '/v1/time-off?limit=1&from=2000-01-01', { key })
    expect([page.body.data.length, page.body.has_more]).toEqual([1, true])
    const next = await call('GET', `/v1/time-off?starting_after=${page.body.data[0].id}`, { key })
    expect(next.body.data).toHaveLength(3)
    for (const query of ['from=today', 'to=', 'from=2058-01-08&to=2058-01-07', 'member_id=']) {
      expect((await call('GET', `/v1/time-off?${query}`, { key })).status).toBe(400)
    }
  })

  it('is listed by a date that its organization has never had, which holds none', async () => {
    const { liveKey: key } = await createOrganization({ timezone: 'Pacific/Apia' })
    expect(await list(key, '&from=2011-12-30&to=2011-12-30')).toEqual([])
    const reversed = await call('GET', '/v1/time-off?from=2011-12-31&to=2011-12-30', { key })
    expect(reversed.status).toBe(400)
  })

  it('changes in what is sent and stays as it is otherwise', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id: memberId } = await createMember(organization)
    const first = { ...HOLIDAYS, reason: 'Ill', external_id: 'hr-1' }
    const { data } = await taken(key, [memberId], first)
    const [{ id }] = data
    const longer = await patch(key, id, { end: '2058-12-31' })
    expect([longer.status, longer.body]).toEqual([
      200,
      { ...data[0], end: '2058-12-31', affected_bookings: [] },
    ])
    const bare = await patch(key, id, { reason: null, external_id: null })
    expect(bare.body).toMatchObject({ end: '2058-12-31', reason: null, external_id: null })
    const exact = await patch(key, id, between(DAY, DAY + HOUR_MS))
    expect(exact.body).toMatchObject(between(DAY, DAY + HOUR_MS))
    expect(await list(key)).toEqual([{ ...exact.body, affected_bookings: undefined }])
    expect((await patch(key, id, {})).body).toEqual(exact.body)
    const later = await patch(key, id, { end: iso(DAY + 2 * HOUR_MS) })
    expect(later.body).toMatchObject(between(DAY, DAY + 2 * HOUR_MS))
  })

  it('is gone once it is deleted, and then unknown', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id: memberId } = await createMember(organization)
    const { data } = await taken(key, [memberId])
    expect((await remove(key, data[0].id)).status).toBe(204)
    const after = [await patch(key, data[0].id, { reason: 'X' }), await remove(key, data[0].id)]
    expect(after.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(2).fill([404, 'not_found']),
    )
    expect(await rowsIn(organization)).toEqual([])
  })

  it('is logged with each change, but without its reason', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const input = { ...HOLIDAYS, reason: 'Operation', external_id: 'hr-1' }
    const { data } = await taken(key, [one.id, other.id], input)
    await taken(key, [one.id], input)
    await patch(key, data[1].id, { end: '2058-12-25', reason: 'Recovery' })
    await remove(key, data[0].id)
    const { body } = await call('GET', '/v1/activity?resource_type=time_off', { key })
    expect(body.data).toMatchObject([
      { action: 'time_off.deleted', resource_id: data[0].id },
      { action: 'time_off.updated', resource_id: data[1].id, changes: { end: '2058-12-25' } },
      { action: 'time_off.updated', resource_id: data[0].id },
      { action: 'time_off.created', resource_id: data[1].id, changes: { member_id: other.id, ...HOLIDAYS } },
      { action: 'time_off.created', resource_id: data[0].id, changes: { member_id: one.id, ...HOLIDAYS } },
    ])
    expect(JSON.stringify(body)).not.toMatch(/Operation|Recovery/)
  })

  it('goes with the member, and with the test data', async () => {
    const organization = await createOrganization()
    const [one, other] = [await createMember(organization), await createMember(organization)]
    await taken(organization.testKey, [one.id, other.id])
    await taken(organization.liveKey, [one.id, other.id])
    await call('DELETE', `/v1/organizations/${organization.id}/members/${one.id}`, {
      key: organization.liveKey,
    })
    expect((await rowsIn(organization)).map(({ member_id }) => member_id)).toEqual([other.id, other.id])
    const { body } = await call('DELETE', '/v1/test-data', { key: organization.testKey })
    expect(body.deleted).toMatchObject({ schedules: 0, time_off: 1 })
    expect((await rowsIn(organization)).map(({ is_test }) => is_test)).toEqual([0])
  })
})

describe('five hundred members', () => {
  async function withMembers(count: number): Promise<{ organization: Organization; ids: string[] }> {
    const organization = await createOrganization()
    await env.DB.prepare(
      `INSERT INTO members (id, organization_id, user_id, user_email, role, timezone, created_at, updated_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT printf('0192f1e0-7c11-7000-8000-%012x', random() & 0xffffffffffff), ?1, 'user-' || i, 'user@example.com', 'member',
         CASE i % 3 WHEN 0 THEN 'Asia/Tokyo' WHEN 1 THEN 'America/New_York' END, i, i FROM n`,
    )
      .bind(organization.id, count)
      .run()
    const select = env.DB.prepare(`SELECT id FROM members WHERE organization_id = ? AND role = 'member'`)
    const { results } = await select.bind(organization.id).all<{ id: string }>()
    return { organization, ids: results.map(({ id }) => id) }
  }

  async function counted(organization: Organization, body: Input) {
    const { trips, ran, env: watched } = countedEnv()
    return { ...(await takeWith(watched, organization.liveKey, body)), trips: trips.count, ran }
  }

  it('are off in one commit, with as many round trips as one takes', async () => {
    const { organization, ids } = await withMembers(500)
    await counted(organization, { member_ids: [ids[0]], ...HOLIDAYS })
    const one = await counted(organization, { member_ids: [ids[0]], ...HOLIDAYS })
    const all = await counted(organization, { member_ids: ids, ...HOLIDAYS, external_id: 'hr' })
    expect([all.status, all.body.data.length]).toEqual([201, 500])
    expect(new Set(all.body.data.map(({ member_id }: any) => member_id)).size).toBe(500)
    expect(all.trips).toBe(one.trips)
    // A row with its indexes, its entry in the log and the version.
    expect(all.ran.reduce((sum, { written }) => sum + written, 0)).toBeLessThan(12 * 500)
    expect(all.ran.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(30 * 500)
  })

  it('are off together or not at all', async () => {
    const { organization, ids } = await withMembers(500)
    const { status, body } = await take(organization.liveKey, [...ids.slice(1), crypto.randomUUID()])
    expect([status, body.error.code]).toEqual([404, 'not_found'])
    const many = await take(organization.liveKey, [...ids, crypto.randomUUID()])
    expect([many.status, Object.keys(many.body.error.details)]).toEqual([400, ['member_ids']])
    expect(await rowsIn(organization)).toEqual([])
  })
})

describe('what is booked in time off', () => {
  it('is named, of each way in which a member takes part, and stays booked', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    await connectAccount(organization)
    const { id: alone, memberId } = await hosted(organization)
    const collective = await createEventType(key)
    await addHosts(organization, key, collective.id, 1)
    await addHost(key, collective.id, memberId)
    const group = await createEventType(key, { max_attendees: 5, assignment_strategy: 'least_recent' })
    await addHost(key, group.id, memberId)
    const paid = await createEventType(key, { price_amount: 5_000, assignment_strategy: 'round_robin' })
    await addHost(key, paid.id, memberId)
    const elsewhere = await hosted(organization)
    const named = [
      await bookedAt(alone, DAY + HOUR_MS),
      await bookedAt(collective.id, DAY + 2 * HOUR_MS),
      await bookedAt(group.id, DAY + 3 * HOUR_MS),
      await bookedAt(group.id, DAY + 3 * HOUR_MS),
      await bookedAt(paid.id, DAY + 4 * HOUR_MS),
    ]
    const cancelled = await bookedAt(alone, DAY + 5 * HOUR_MS)
    await call('POST', `/v1/bookings/${cancelled}/cancel`, { key, body: {} })
    await bookedAt(elsewhere.id, DAY + HOUR_MS)
    await bookedAt(alone, DAY + 30 * HOUR_MS)
    const { affected_bookings } = await taken(key, [memberId], between(DAY, DAY + DAY_MS))
    expect(affected_bookings).toEqual(named)
    const { body } = await call('GET', '/v1/bookings?status=confirmed&limit=100', { key })
    expect(body.data).toHaveLength(named.length - 1 + 2)
  })

  it('is not a booking that began a session of theirs and moved to that of another host', async () => {
    const organization = await createOrganization()
    const { host, second } = await leftByFirst(organization, DAY + 10 * HOUR_MS)
    const { affected_bookings } = await taken(organization.liveKey, [host], between(DAY, DAY + DAY_MS))
    expect(affected_bookings).toEqual([second.id])
  })

  it('is named once, though several of its hosts are off', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const hosts = await addHosts(organization, organization.liveKey, id, 3)
    const booked = await bookedAt(id, DAY)
    const { affected_bookings } = await taken(organization.liveKey, hosts, between(DAY, DAY + HOUR_MS))
    expect(affected_bookings).toEqual([booked])
  })

  it('is what the meeting itself touches, its buffers left out', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const buffers = { buffer_before_minutes: 60, buffer_after_minutes: 60 }
    const { id, memberId } = await hosted(organization, { duration_minutes: 60, ...buffers })
    const booked = await bookedAt(id, DAY + 10 * HOUR_MS)
    for (const [start, end, named] of [
      [8, 10, []],
      [11, 12, []],
      [9.5, 10.5, [booked]],
      [10.9, 11, [booked]],
      [10.25, 10.5, [booked]],
      [0, 24, [booked]],
    ] as const) {
      const time = between(DAY + start * HOUR_MS, DAY + end * HOUR_MS)
      expect((await taken(key, [memberId], time)).affected_bookings).toEqual(named)
    }
  })

  it('is named by the zone of each member, if dates are sent', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const [tokyo, lima] = [await hosted(organization), await hosted(organization)]
    await settings(organization, tokyo.memberId, { timezone: 'Asia/Tokyo' })
    await settings(organization, lima.memberId, { timezone: 'America/Lima' })
    const evening = DAY - 2 * HOUR_MS
    const inTokyo = await bookedAt(tokyo.id, evening)
    await bookedAt(lima.id, evening)
    await bookedAt(tokyo.id, DAY + 20 * HOUR_MS)
    const inLima = await bookedAt(lima.id, DAY + 26 * HOUR_MS)
    const date = iso(DAY).slice(0, 10)
    const { affected_bookings } = await taken(key, [tokyo.memberId, lima.memberId], {
      start: date,
      end: date,
    })
    expect(affected_bookings).toEqual([inTokyo, inLima])
  })

  it('is named again when time off changes', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id, memberId } = await hosted(organization)
    const [early, late] = [await bookedAt(id, DAY), await bookedAt(id, DAY + 5 * HOUR_MS)]
    const { data } = await taken(key, [memberId], between(DAY, DAY + HOUR_MS))
    const longer = await patch(key, data[0].id, { end: iso(DAY + 6 * HOUR_MS) })
    expect(longer.body.affected_bookings).toEqual([early, late])
    const later = await patch(key, data[0].id, { start: iso(DAY + HOUR_MS) })
    expect(later.body.affected_bookings).toEqual([late])
    expect((await patch(key, data[0].id, { reason: 'Ill' })).body.affected_bookings).toEqual([late])
  })

  it('is that of the same mode', async () => {
    const organization = await createOrganization()
    const { liveKey, testKey } = organization
    const { id, memberId } = await hosted(organization)
    const test = await createEventType(testKey, { assignment_strategy: 'round_robin' })
    await addHost(testKey, test.id, memberId)
    const [live, tried] = [await bookedAt(id, DAY), await bookedAt(test.id, DAY)]
    const time = between(DAY, DAY + HOUR_MS)
    expect((await taken(liveKey, [memberId], time)).affected_bookings).toEqual([live])
    expect((await taken(testKey, [memberId], time)).affected_bookings).toEqual([tried])
  })

  it('is named or refused when it is booked at the same time', async () => {
    for (const strategy of ['round_robin', 'none']) {
      const organization = await createOrganization()
      const { id, memberId } = await hosted(organization, { assignment_strategy: strategy })
      const starts = Array.from({ length: 12 }, (_, at) => DAY + at * HOUR_MS)
      const [off, ...booked] = await Promise.all([
        taken(organization.liveKey, [memberId], between(DAY, DAY + DAY_MS)),
        ...starts.map((start) => bookAsAnother(id, start)),
      ])
      const made = booked.filter(({ status }) => status === 201).map(({ body }) => body.id)
      expect([...off.affected_bookings].sort()).toEqual(made.sort())
      expect(booked.every(({ status }) => status === 201 || status === 409)).toBe(true)
    }
  })

  it('is listed or nothing is taken, even if others book again and again in the meantime', async () => {
    const organization = await createOrganization()
    const { id, memberId } = await hosted(organization)
    const starts = Array.from({ length: 24 }, (_, at) => DAY + at * HOUR_MS)
    const booked: string[] = []
    const { env: busy } = countedEnv(env, async (texts) => {
      const isTaken = texts.some((sql) => /insert into "?time_off/i.test(sql))
      if (isTaken) booked.push(await bookedAt(id, starts[booked.length]!))
    })
    const time = between(DAY, DAY + DAY_MS)
    const { status, body } = await takeWith(busy, organization.liveKey, { member_ids: [memberId], ...time })
    expect([status, body.error.message]).toEqual([409, 'This keeps changing; try again in a moment.'])
    expect(booked.length).toBeGreaterThan(10)
    expect(await rowsIn(organization)).toEqual([])
    const again = await taken(organization.liveKey, [memberId], time)
    expect(again.affected_bookings).toEqual(booked)
  })

  it('is never committed between being named and the time off', async () => {
    const organization = await createOrganization()
    const { id, memberId } = await hosted(organization)
    const db = openDb(env, 'decide')
    const absences = [
      {
        memberId,
        resourceId: null,
        organizationId: organization.id,
        isTest: false,
        startsAt: DAY,
        endsAt: DAY + HOUR_MS,
      },
    ]
    expect(await listAffected(db, absences)).toEqual([])
    await db.batch([guardAffected(db, absences, [])])
    const booked = await bookedAt(id, DAY)
    const error = await db.batch([guardAffected(db, absences, [])]).catch((caught: unknown) => caught)
    expect(fenceOf(error)).toBe('STALE')
    await db.batch([guardAffected(db, absences, [booked])])
  })
})

describe('dates of time off', () => {
  it('begin and end again when the member moves to another zone, in both modes, and instants do not', async () => {
    const organization = await createOrganization()
    const [one, other] = [await createMember(organization), await createMember(organization)]
    for (const key of [organization.liveKey, organization.testKey]) {
      await taken(key, [one.id, other.id], { start: '2058-07-01', end: '2058-07-01' })
      await taken(key, [one.id], { start: '2058-07-01T00:00:00Z', end: '2058-07-02T00:00:00Z' })
    }
    const times = async (memberId: string) =>
      (await rowsIn(organization))
        .filter(({ member_id }) => member_id === memberId)
        .map(({ starts_at, ends_at }) => [iso(starts_at), iso(ends_at)])
    const utc = ['2058-07-01T00:00:00.000Z', '2058-07-02T00:00:00.000Z']
    const berlin = ['2058-06-30T22:00:00.000Z', '2058-07-01T22:00:00.000Z']
    expect(await times(one.id)).toEqual([utc, utc, utc, utc])
    await settings(organization, one.id, { timezone: 'Europe/Berlin' })
    expect(await times(one.id)).toEqual([berlin, utc, berlin, utc])
    await settings(organization, one.id, { timezone: null })
    expect(await times(one.id)).toEqual([utc, utc, utc, utc])
    expect(await times(other.id)).toEqual([utc, utc])
    expect((await list(organization.liveKey)).filter(({ start }) => start === '2058-07-01')).toHaveLength(2)
  })

  it('begin and end again when the organization moves, for members who have no zone of their own', async () => {
    const organization = await createOrganization()
    const [one, other] = [await createMember(organization), await createMember(organization)]
    await settings(organization, other.id, { timezone: 'Asia/Tokyo' })
    for (const key of [organization.liveKey, organization.testKey])
      await taken(key, [one.id, other.id], { start: '2058-07-01', end: '2058-07-01' })
    const { status } = await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { timezone: 'Europe/Berlin' },
    })
    expect(status).toBe(200)
    const times = (await rowsIn(organization)).map(({ member_id, starts_at, ends_at }) => [
      member_id,
      iso(starts_at),
      iso(ends_at),
    ])
    const berlin = [one.id, '2058-06-30T22:00:00.000Z', '2058-07-01T22:00:00.000Z']
    const tokyo = [other.id, '2058-06-30T15:00:00.000Z', '2058-07-01T15:00:00.000Z']
    expect(times).toEqual([berlin, tokyo, berlin, tokyo])
  })

  it('are those of the zone that the member has when both change at once', async () => {
    const organization = await createOrganization()
    const { id } = await createMember(organization)
    await Promise.all([
      ...['2058-07-01', '2058-07-02', '2058-07-03'].map((date) =>
        taken(organization.liveKey, [id], { start: date, end: date }),
      ),
      settings(organization, id, { timezone: 'Asia/Tokyo' }),
    ])
    const hours = (await rowsIn(organization)).map(({ starts_at }) => iso(starts_at).slice(11, 16))
    expect(hours).toEqual(['15:00', '15:00', '15:00'])
  })
})

describe('what time off was decided on', () => {
  const db = openDb(env, 'decide')
  const fenceAround = async (...statements: readonly Statement[]) => {
    const [first, ...rest] = statements
    const error = await db.batch([first!, ...rest]).catch((caught: unknown) => caught)
    return fenceOf(error)
  }

  it('is the zone of each member, and that they are members, until it is committed', async () => {
    const organization = await createOrganization({ timezone: 'Asia/Tokyo' })
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const seen = [
      { memberId: one.id, zone: 'Asia/Tokyo' },
      { memberId: other.id, zone: 'Asia/Tokyo' },
    ]
    expect(await fenceAround(guardZones(db, seen))).toBeNull()
    await settings(organization, other.id, { timezone: 'Asia/Seoul' })
    expect(await fenceAround(guardZones(db, seen))).toBe('STALE')
    await settings(organization, other.id, { timezone: null })
    expect(await fenceAround(guardZones(db, seen))).toBeNull()
    await call('DELETE', `/v1/organizations/${organization.id}/members/${one.id}`, {
      key: organization.liveKey,
    })
    expect(await fenceAround(guardZones(db, seen))).toBe('STALE')
  })

  it('is how many members there are, where all are off', async () => {
    const organization = await createOrganization()
    expect(await fenceAround(guardNumber(db, organization.id, 1))).toBeNull()
    await createMember(organization)
    expect(await fenceAround(guardNumber(db, organization.id, 1))).toBe('STALE')
  })

  it('is what else there is, where dates move with a zone', async () => {
    const organization = await createOrganization()
    const { id } = await createMember(organization)
    expect(await fenceAround(...moveDated(db, organization.id, 0, 'UTC', []))).toBeNull()
    await taken(organization.liveKey, [id])
    expect(await fenceAround(...moveDated(db, organization.id, 0, 'UTC', []))).toBe('STALE')
  })
})

describe('time off of others', () => {
  it('is not there for another organization or mode, whatever it wants', async () => {
    const [ours, theirs] = [await createOrganization(), await createOrganization()]
    const { id: memberId } = await createMember(ours)
    const { data } = await taken(ours.liveKey, [memberId])
    for (const key of [theirs.liveKey, ours.testKey]) {
      const refused = [await patch(key, data[0].id, { reason: 'X' }), await remove(key, data[0].id)]
      expect(refused.map(({ status }) => status)).toEqual([404, 404])
      expect(await list(key)).toEqual([])
    }
    expect((await take(theirs.liveKey, [memberId])).status).toBe(404)
    expect(await rowsIn(theirs)).toEqual([])
    expect(await list(ours.liveKey)).toEqual(data)
  })

  it('is for admins to write, and for everybody in the organization to read', async () => {
    const organization = await createOrganization()
    const [me, other] = [await createMember(organization), await createMember(organization)]
    const key = await keyOfMember(organization, me)
    const { data } = await taken(organization.liveKey, [other.id])
    const refused = [
      await take(key, [other.id]),
      await take(key, [me.id, other.id]),
      await call('POST', '/v1/time-off', { key, body: { all: true, ...HOLIDAYS } }),
      await patch(key, data[0].id, { reason: 'X' }),
      await remove(key, data[0].id),
    ]
    for (const { status, body } of refused) expect([status, body.error.code]).toEqual([403, 'forbidden'])
    expect(await list(key)).toEqual(data)
    const mine = await taken(key, [me.id])
    expect((await patch(key, mine.data[0].id, { reason: 'Ill' })).status).toBe(200)
    expect((await remove(key, mine.data[0].id)).status).toBe(204)
    const headers = asService(organization, { 'X-User-Id': me.userId })
    const body = { member_ids: [me.id], ...HOLIDAYS }
    expect((await call('POST', '/v1/time-off', { headers, body })).status).toBe(201)
    const viewer = await memberWithRole(organization, 'viewer')
    const asViewer = asService(organization, { 'X-User-Id': viewer.userId })
    const told = await call('POST', '/v1/time-off', {
      headers: asViewer,
      body: { ...body, member_ids: [viewer.id] },
    })
    expect(told.status).toBe(403)
  })
})

describe('what cannot be time off', () => {
  it.each<[string, Input]>([
    ['member_ids', { member_ids: undefined }],
    ['member_ids', { member_ids: undefined, all: false }],
    ['member_ids', { member_ids: [] }],
    ['member_ids.0', { member_ids: ['somebody'] }],
    ['all', { all: true }],
    ['start', { start: undefined }],
    ['start', { start: '2058-02-30' }],
    ['start', { start: '24.12.2058' }],
    ['start', { start: '2058-12-24T10:00:00' }],
    ['start', { start: '1969-12-31' }],
    ['start', { start: '9999-12-31' }],
    ['end', { end: undefined }],
    ['end', { end: '2058-12-23' }],
    ['end', { end: '2058-12-26T00:00:00Z' }],
    ['end', { start: '2058-12-24T10:00:00Z' }],
    ['end', { start: '2058-12-24T10:00:00Z', end: '2058-12-24T10:00:00Z' }],
    ['end', { start: '2058-12-24T10:00:00Z', end: '2058-12-24T11:00:00+02:00' }],
    ['reason', { reason: '' }],
    ['reason', { reason: 'x'.repeat(501) }],
    ['external_id', { external_id: '' }],
    ['external_id', { external_id: 'x'.repeat(256) }],
  ])('is rejected with an error for %s, and changes nothing', async (field, input) => {
    const organization = await createOrganization()
    const { id } = await createMember(organization)
    const { data } = await taken(organization.liveKey, [id])
    const refused = [await take(organization.liveKey, [id], { ...HOLIDAYS, ...input })]
    const isPatched = !('member_ids' in input || 'all' in input || Object.values(input).includes(undefined))
    if (isPatched) refused.push(await patch(organization.liveKey, data[0].id, input))
    for (const { status, body } of refused) {
      expect([status, body.error.code]).toEqual([400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
      expect(body.error.details[field]).toMatch(/^(Must|Is required)/)
    }
    expect(await list(organization.liveKey)).toEqual(data)
  })

  it('has no external id that other time off of the member has', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const [one, other] = [await createMember(organization), await createMember(organization)]
    await taken(key, [one.id, other.id], { ...HOLIDAYS, external_id: 'hr-1' })
    const { data } = await taken(key, [one.id], { ...HOLIDAYS, external_id: 'hr-2' })
    const before = await rowsIn(organization)
    const { status, body } = await patch(key, data[0].id, { external_id: 'hr-1', reason: 'X' })
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect(await rowsIn(organization)).toEqual(before)
    expect((await patch(key, data[0].id, { external_id: 'hr-2' })).status).toBe(200)
    expect((await patch(key, data[0].id, { external_id: 'hr-3' })).status).toBe(200)
  })
})
