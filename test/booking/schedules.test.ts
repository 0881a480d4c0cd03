import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteUnusedAsRead, findScheduleInTenant } from '../../src/booking/hours/schedules/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { type Answered, call } from '../support/app.ts'
import {
  ALL_DAY,
  createEventType,
  createOrganization,
  dateOf,
  type Organization,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { insertSchedule } from '../support/hours.ts'
import { keyOfMember, userWithRole } from '../support/members.ts'
import { asService } from '../support/recipes.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/
const MORNING = { day_of_week: 1, start_time: '08:00', end_time: '12:00' }

type Input = Record<string, unknown>

function create(key: string, input: Input = {}): Promise<Answered> {
  return call('POST', '/v1/schedules', { key, body: { name: 'Hours', rules: [MORNING], ...input } })
}

async function created(key: string, input: Input = {}): Promise<any> {
  const { status, body } = await create(key, input)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

function get(key: string, id: string) {
  return call('GET', `/v1/schedules/${id}`, { key })
}

function patch(key: string, id: string, body: Input) {
  return call('PATCH', `/v1/schedules/${id}`, { key, body })
}

function remove(key: string, id: string) {
  return call('DELETE', `/v1/schedules/${id}`, { key })
}

async function list(key: string, query = ''): Promise<string[]> {
  const { status, body } = await call('GET', `/v1/schedules?limit=100${query}`, { key })
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => id)
}

async function schedulesIn({ id }: Organization): Promise<number> {
  return (await env.DB.prepare('SELECT count(*) AS n FROM schedules WHERE organization_id = ?')
    .bind(id)
    .first<number>('n'))!
}

describe('a schedule', () => {
  it('comes back as it was sent, with its overrides by date', async () => {
    const organization = await createOrganization()
    const { id: member_id } = await createMember(organization)
    const rules = [
      { day_of_week: 6, start_time: '09:00', end_time: '12:30:15' },
      { day_of_week: 0, start_time: '22:00:00', end_time: '24:00' },
    ]
    const overrides = [
      { date: '2030-12-25', intervals: [] },
      { date: '2030-12-24', intervals: [{ start_time: '09:00', end_time: '12:00' }] },
    ]
    const { status, body } = await create(organization.liveKey, {
      name: 'Weekends',
      timezone: 'Europe/Berlin',
      rules,
      overrides,
      member_id,
      is_default: true,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(ID),
      name: 'Weekends',
      timezone: 'Europe/Berlin',
      rules,
      overrides: [...overrides].reverse(),
      member_id,
      is_default: true,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    })
    expect((await get(organization.liveKey, body.id)).body).toEqual(body)
  })

  it("is the organization's and no default unless it says otherwise, in the zone of whose it is", async () => {
    const organization = await createOrganization({ timezone: 'Asia/Tokyo' })
    const { id: member_id } = await createMember(organization)
    const ours = await created(organization.liveKey)
    expect(ours).toMatchObject({ member_id: null, is_default: false, timezone: 'Asia/Tokyo', overrides: [] })
    expect(await created(organization.liveKey, { member_id })).toMatchObject({ timezone: 'Asia/Tokyo' })
    await call('PATCH', `/v1/organizations/${organization.id}/members/${member_id}`, {
      key: organization.liveKey,
      body: { timezone: 'America/New_York' },
    })
    const theirs = await created(organization.liveKey, { member_id })
    expect(theirs).toMatchObject({ member_id, timezone: 'America/New_York' })
  })

  it('changes in what is sent and stays as it is otherwise', async () => {
    const { liveKey: key } = await createOrganization()
    const before = await created(key, { overrides: [{ date: '2030-12-24', intervals: [] }] })
    const rules = [{ ...MORNING, day_of_week: 2 }]
    const { status, body } = await patch(key, before.id, { name: 'Tuesdays', rules })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'Tuesdays', rules, updated_at: body.updated_at })
    expect(body.updated_at > before.updated_at).toBe(true)
    const rest = { timezone: 'Europe/Paris', overrides: [] }
    expect((await patch(key, before.id, rest)).body).toMatchObject({ ...rest, name: 'Tuesdays', rules })
    const last = await get(key, before.id)
    expect((await patch(key, before.id, { ...rest, rules })).body).toEqual(last.body)
    expect((await patch(key, before.id, {})).body).toEqual(last.body)
  })

  it('is listed with the others, newest first, and by whose it is', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const [one, other] = [await createMember(organization), await createMember(organization)]
    const made: string[] = []
    for (const member_id of [one.id, null, other.id, one.id])
      made.unshift((await created(key, { member_id })).id)
    expect(await list(key)).toEqual(made)
    expect(await list(key, `&member_id=${one.id.toUpperCase()}`)).toEqual([made[0], made[3]])
    expect(await list(key, `&member_id=${crypto.randomUUID()}`)).toEqual([])
    expect((await call('GET', '/v1/schedules?member_id=', { key })).status).toBe(400)
    const page = await call('GET', `/v1/schedules?limit=2&starting_after=${made[0]}`, { key })
    expect(page.body).toMatchObject({ data: [{ id: made[1] }, { id: made[2] }], has_more: true })
  })

  it('is gone once it is deleted, and then unknown', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await created(key)
    expect((await remove(key, id)).status).toBe(204)
    const after = [await get(key, id), await patch(key, id, { name: 'X' }), await remove(key, id)]
    expect(after.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(3).fill([404, 'not_found']),
    )
  })

  it('is made once under one Idempotency-Key', async () => {
    const organization = await createOrganization()
    const asked = {
      key: organization.liveKey,
      headers: { 'Idempotency-Key': unique('key') },
      body: { name: 'Hours', rules: [] },
    }
    const [first, again] = [
      await call('POST', '/v1/schedules', asked),
      await call('POST', '/v1/schedules', asked),
    ]
    expect(again.body).toEqual(first.body)
    expect(await schedulesIn(organization)).toBe(1)
  })

  it('records who made, changed and deleted it', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await created(key)
    await patch(key, id, { name: 'New', rules: [] })
    await remove(key, id)
    const { body } = await call('GET', '/v1/activity?resource_type=schedule', { key })
    expect(body.data).toMatchObject([
      { action: 'schedule.deleted', resource_id: id },
      { action: 'schedule.updated', resource_id: id, changes: { name: 'New', rules: 0 } },
      { action: 'schedule.created', resource_id: id, changes: { name: 'Hours', rules: 1 } },
    ])
  })
})

describe('the default schedule of a member', () => {
  it('is one at most: another takes over', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id: member_id } = await createMember(organization)
    const { id: other } = await createMember(organization)
    const ids = async () => {
      const { body } = await call('GET', '/v1/schedules', { key })
      return body.data.filter((one: any) => one.is_default).map(({ id }: any) => id)
    }
    const theirs = await created(key, { member_id: other, is_default: true })
    const first = await created(key, { member_id, is_default: true })
    const second = await created(key, { member_id, is_default: true })
    expect(await ids()).toEqual([second.id, theirs.id])
    expect((await patch(key, first.id, { is_default: true })).body.is_default).toBe(true)
    expect(await ids()).toEqual([first.id, theirs.id])
    expect((await patch(key, first.id, { is_default: false })).body.is_default).toBe(false)
    expect(await ids()).toEqual([theirs.id])
  })

  it('is one at most when several are made at once', async () => {
    const organization = await createOrganization()
    const { id: member_id } = await createMember(organization)
    const made = await Promise.all(
      Array.from({ length: 8 }, () => create(organization.liveKey, { member_id, is_default: true })),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const { body } = await call('GET', '/v1/schedules', { key: organization.liveKey })
    expect(body.data.filter((one: any) => one.is_default)).toHaveLength(1)
  })

  it('is another one in test mode', async () => {
    const organization = await createOrganization()
    const { id: member_id } = await createMember(organization)
    const live = await created(organization.liveKey, { member_id, is_default: true })
    const test = await created(organization.testKey, { member_id, is_default: true })
    expect((await get(organization.liveKey, live.id)).body.is_default).toBe(true)
    expect((await get(organization.testKey, test.id)).body.is_default).toBe(true)
    expect(await list(organization.testKey)).toEqual([test.id])
    expect((await get(organization.testKey, live.id)).status).toBe(404)
  })

  it("is one of the organization's at most, apart from those of members", async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id: member_id } = await createMember(organization)
    const theirs = await created(key, { member_id, is_default: true })
    const first = await created(key, { is_default: true })
    const second = await created(key)
    expect((await patch(key, second.id, { is_default: true })).body.is_default).toBe(true)
    expect((await get(key, first.id)).body.is_default).toBe(false)
    expect((await get(key, theirs.id)).body.is_default).toBe(true)
    expect(await schedulesIn(organization)).toBe(3)
  })
})

describe('a schedule in use', () => {
  const IN_USE = { code: 'conflict', details: { code: 'schedule_in_use' } }

  it('stays while it is a default', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id: member_id } = await createMember(organization)
    const { id } = await created(key, { member_id, is_default: true })
    const { status, body } = await remove(key, id)
    expect([status, body.error]).toMatchObject([409, IN_USE])
    await patch(key, id, { is_default: false })
    expect((await remove(key, id)).status).toBe(204)
  })

  it('stays while an event type or a host follows it, and says which', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await created(key)
    const [own, hosted] = [await createEventType(key), await createEventType(key)]
    const { id: memberId } = await createMember(organization)
    const host = await addHost(key, hosted.id, memberId)
    await env.DB.batch([
      env.DB.prepare('UPDATE event_types SET schedule_id = ? WHERE id = ?').bind(id, own.id),
      env.DB.prepare('UPDATE event_type_hosts SET schedule_id = ? WHERE id = ?').bind(id, host.id),
    ])
    const event_type_ids = [own.id, hosted.id].sort()
    const { status, body } = await remove(key, id)
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect(body.error.details).toEqual({ code: 'schedule_in_use', event_type_ids })
    expect((await call('DELETE', `/v1/event-types/${own.id}`, { key })).status).toBe(204)
    expect((await remove(key, id)).body.error.details.event_type_ids).toEqual([hosted.id])
    await call('DELETE', `/v1/event-types/${hosted.id}/hosts/${memberId}`, { key })
    expect((await remove(key, id)).status).toBe(204)
  })

  it('stays when somebody begins to use it while it is being deleted', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await created(key)
    const eventType = await createEventType(key)
    const db = openDb(env, 'decide')
    const tenant = { organizationId: organization.id, isTest: false }
    const read = (await findScheduleInTenant(db, tenant, id))!
    await env.DB.prepare('UPDATE event_types SET schedule_id = ? WHERE id = ?').bind(id, eventType.id).run()
    const [first, ...rest] = deleteUnusedAsRead(db, read)
    await expect(db.batch([first!, ...rest])).rejects.toThrow()
    expect((await get(key, id)).status).toBe(200)
  })
})

describe('schedules of others', () => {
  it('are not there for another organization or mode, whatever it wants', async () => {
    const [ours, theirs] = [await createOrganization(), await createOrganization()]
    const { id } = await created(ours.liveKey)
    for (const key of [theirs.liveKey, ours.testKey]) {
      const refused = [await get(key, id), await patch(key, id, { name: 'Mine' }), await remove(key, id)]
      expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
      expect(await list(key)).toEqual([])
    }
    const { id: member_id } = await createMember(theirs)
    for (const outsider of [member_id, crypto.randomUUID()]) {
      const { status, body } = await create(ours.liveKey, { member_id: outsider })
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
    expect([await schedulesIn(ours), await schedulesIn(theirs)]).toEqual([1, 0])
    expect((await get(ours.liveKey, id)).body.name).toBe('Hours')
  })

  it('are for admins to write, and for everybody in the organization to read', async () => {
    const organization = await createOrganization()
    const [me, other] = [await createMember(organization), await createMember(organization)]
    const key = await keyOfMember(organization, me)
    const ours = await insertSchedule(organization, 'live')
    const theirs = await insertSchedule(organization, 'live', { memberId: other.id })
    const refused = [
      await create(key),
      await create(key, { member_id: null }),
      await create(key, { member_id: other.id, is_default: true }),
    ]
    for (const id of [ours, theirs]) {
      refused.push(await patch(key, id, { name: 'Mine', is_default: false }), await remove(key, id))
      expect((await get(key, id)).status).toBe(200)
    }
    for (const { status, body } of refused) expect([status, body.error.code]).toEqual([403, 'forbidden'])
    expect(await list(key)).toEqual([theirs, ours])
    const mine = await created(key, { member_id: me.id, is_default: true })
    expect((await patch(key, mine.id, { name: 'Mine', is_default: false })).body.name).toBe('Mine')
    expect((await remove(key, mine.id)).status).toBe(204)
  })

  it('are written by members through the service key as through keys of theirs, and by viewers not at all', async () => {
    const organization = await createOrganization()
    const me = await createMember(organization)
    const headers = asService(organization, { 'X-User-Id': me.userId, 'X-Service-Mode': 'test' })
    const body = { name: 'Hours', rules: [] }
    const mine = await call('POST', '/v1/schedules', { headers, body: { ...body, member_id: me.id } })
    expect(mine.status).toBe(201)
    expect((await call('POST', '/v1/schedules', { headers, body })).status).toBe(403)
    const viewer = await userWithRole(organization, 'viewer')
    const row = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?').bind(viewer).first('id')
    const asViewer = asService(organization, { 'X-User-Id': viewer, 'X-Service-Mode': 'test' })
    const told = await call('POST', '/v1/schedules', { headers: asViewer, body: { ...body, member_id: row } })
    expect(told.status).toBe(403)
    expect((await call('GET', '/v1/schedules', { headers: asViewer })).body.data).toHaveLength(1)
  })
})

describe('what cannot be the hours of anybody', () => {
  const override = (date: string) => ({ date, intervals: [] })
  it.each<[string, Input]>([
    ['name', { name: '' }],
    ['name', { name: undefined }],
    ['name', { name: 'x'.repeat(256) }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '' }],
    ['rules', { rules: undefined }],
    ['rules', { rules: Array(101).fill(MORNING) }],
    ['rules.0.end_time', { rules: [{ ...MORNING, end_time: '08:00' }] }],
    ['rules.0.start_time', { rules: [{ ...MORNING, start_time: '8:00' }] }],
    ['rules.0.day_of_week', { rules: [{ ...MORNING, day_of_week: 7 }] }],
    ['overrides', { overrides: Array.from({ length: 367 }, (_, at) => override(dateOf(at * 86_400_000))) }],
    ['overrides.1.date', { overrides: [override('2030-12-24'), override('2030-12-24')] }],
    ['overrides.0.date', { overrides: [override('2030-02-30')] }],
    [
      'overrides.0.intervals.0.end_time',
      { overrides: [{ date: '2030-12-24', intervals: [{ start_time: '12:00', end_time: '11:00' }] }] },
    ],
    ['member_id', { member_id: 'somebody' }],
    ['is_default', { is_default: 'yes' }],
  ])('is rejected with an error for %s, and changes nothing', async (field, input) => {
    const organization = await createOrganization()
    const before = await created(organization.liveKey)
    const refused = [await create(organization.liveKey, input)]
    const [[name, value]] = Object.entries(input) as [[string, unknown]]
    if (value !== undefined && name !== 'member_id') {
      refused.push(await patch(organization.liveKey, before.id, { [name]: value }))
    }
    for (const { status, body } of refused) {
      expect([status, body.error.code]).toEqual([400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
      expect(body.error.details[field]).toMatch(/^(Must|Is required)/)
    }
    expect(await schedulesIn(organization)).toBe(1)
    expect((await get(organization.liveKey, before.id)).body).toEqual(before)
  })

  it('has 100 rules and 366 overrides at most', async () => {
    const { liveKey } = await createOrganization()
    const overrides = Array.from({ length: 366 }, (_, at) => override(dateOf(at * 86_400_000)))
    const { id } = await created(liveKey, { rules: Array(100).fill(MORNING), overrides })
    const { body } = await get(liveKey, id)
    expect([body.rules.length, body.overrides]).toEqual([100, overrides])
  })
})

describe('schedules whose member or sandbox goes', () => {
  it('go with the member, except those that others follow, which become the organization’s', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id: memberId } = await createMember(organization)
    const used = await created(key, { member_id: memberId, is_default: true })
    const unused = await created(key, { member_id: memberId, rules: ALL_DAY })
    const eventType = await createEventType(key)
    await env.DB.prepare('UPDATE event_types SET schedule_id = ? WHERE id = ?')
      .bind(used.id, eventType.id)
      .run()
    await call('DELETE', `/v1/organizations/${organization.id}/members/${memberId}`, { key })
    expect(await list(key)).toEqual([used.id])
    expect((await get(key, used.id)).body).toMatchObject({ member_id: null, is_default: false })
    expect((await get(key, unused.id)).status).toBe(404)
  })

  it('go with the test data, and live ones stay', async () => {
    const organization = await createOrganization()
    const { id: memberId } = await createMember(organization)
    await created(organization.testKey, { member_id: memberId, is_default: true })
    const live = await created(organization.liveKey)
    const { body } = await call('DELETE', '/v1/test-data', { key: organization.testKey })
    expect(body.deleted).toMatchObject({ schedules: 1, time_off: 0 })
    expect(await list(organization.testKey)).toEqual([])
    expect(await list(organization.liveKey)).toEqual([live.id])
  })
})
