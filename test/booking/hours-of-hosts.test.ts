import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff } from '../support/hours.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY = dayFromNow(3)
const NEXT = dayFromNow(4)

/** `HH:MM` of the day that is looked at. */
function at(time: string): number {
  return Date.parse(`${dateOf(DAY)}T${time}:00Z`)
}

type Window = readonly [string, string]
type GivenHost = {
  /** In UTC; null where the host has no schedule. */
  readonly hours?: readonly Window[] | null
  readonly off?: Window
}
type Given = {
  readonly own?: readonly Window[]
  readonly hosts?: readonly GivenHost[]
  readonly input?: Record<string, unknown>
}

/** An event type, open from nine to noon unless said otherwise, with hosts who have hours by default of their own. */
async function worldOf({ own = [['09:00', '12:00']], hosts = [], input = {} }: Given) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, input, daily(...own))
  const memberIds: string[] = []
  for (const { hours = null, off } of hosts) {
    const { id: memberId } = await createMember(organization)
    if (hours) await insertSchedule(organization, 'live', { memberId, rules: daily(...hours) })
    if (off) await insertTimeOff(organization, 'live', memberId, at(off[0]), at(off[1]))
    await addHost(key, id, memberId)
    memberIds.push(memberId)
  }
  return { organization, key, id, memberIds }
}

/** What is offered on the day. */
async function timesOf(id: string): Promise<string[]> {
  return (await openStarts(id, DAY)).map((start) => start.slice(11, 16))
}

async function bookAt(id: string, time: string, input: Record<string, unknown> = {}) {
  const { status, body } = await bookAsAnother(id, at(time), input)
  return { status, code: body.error?.code as string | undefined, host: body.assigned_host?.member_id, body }
}

const ROUND = { assignment_strategy: 'round_robin' }
const GROUP = { max_attendees: 3 }

describe("hours of the event type's own", () => {
  it('are open if a host with hours is open too, on the grid of the event type', async () => {
    const { id, memberIds } = await worldOf({
      hosts: [{ hours: [['10:10', '11:40']] }, { hours: [['11:20', '14:00']] }],
      input: ROUND,
    })
    expect(await timesOf(id)).toEqual(['10:30', '11:00', '11:30'])
    expect(await bookAt(id, '11:30')).toMatchObject({ status: 201, host: memberIds[1] })
    expect(await bookAt(id, '10:30')).toMatchObject({ status: 201, host: memberIds[0] })
    expect(await bookAt(id, '10:10')).toMatchObject({ status: 409, code: 'conflict' })
  })

  it('are open for a host without hours whenever the event type is', async () => {
    const { id } = await worldOf({ hosts: [{}], input: ROUND })
    expect(await timesOf(id)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'])
  })

  it('need the hours of every host for a meeting of all', async () => {
    const { id } = await worldOf({
      hosts: [{ hours: [['08:00', '11:15']] }, { hours: [['09:45', '23:00']] }, {}],
    })
    expect(await timesOf(id)).toEqual(['10:00', '10:30'])
    expect((await bookAt(id, '09:30')).code).toBe('conflict')
    expect((await bookAt(id, '10:00')).status).toBe(201)
    expect(await timesOf(id)).toEqual(['10:30'])
  })

  it('distinguish a start at which every working host is busy from a start at which no host works', async () => {
    const { id } = await worldOf({ hosts: [{ hours: [['10:00', '11:00']] }, { hours: [] }], input: ROUND })
    expect((await bookAt(id, '10:00')).status).toBe(201)
    expect((await bookAt(id, '10:00')).code).toBe('no_host_available')
    expect((await bookAt(id, '11:00')).code).toBe('conflict')
    const off = await worldOf({ hosts: [{ off: ['09:00', '12:00'] }], input: ROUND })
    expect((await bookAt(off.id, '10:00')).code).toBe('conflict')
  })
})

describe('the hours of hosts alone', () => {
  const FROM_HOSTS = { hours_from: 'hosts' }
  const TWO = [{ hours: [['09:00', '10:00']] }, { hours: [['09:20', '10:20']] }] as const

  it('offer every start of every grid once, to whichever host can take it', async () => {
    const { id, memberIds } = await worldOf({ hosts: TWO, input: { ...ROUND, ...FROM_HOSTS }, own: [] })
    expect(await timesOf(id)).toEqual(['09:00', '09:20', '09:30', '09:50'])
    expect(await bookAt(id, '09:50')).toMatchObject({ status: 201, host: memberIds[1] })
    // It is a start of the other one's grid, and whoever is there and free takes it.
    expect(await bookAt(id, '09:20')).toMatchObject({ status: 201, host: memberIds[0] })
    expect(await timesOf(id)).toEqual(['09:20'])
    expect(await bookAt(id, '09:20')).toMatchObject({ status: 201, host: memberIds[1] })
    expect(await timesOf(id)).toEqual([])
    expect((await bookAt(id, '09:00')).code).toBe('no_host_available')
    expect((await bookAt(id, '10:00')).code).toBe('conflict')
  })

  it('offer a meeting of all the windows that all share, on a grid of these', async () => {
    const { id } = await worldOf({ hosts: TWO, input: FROM_HOSTS })
    expect(await timesOf(id)).toEqual(['09:20'])
    expect((await bookAt(id, '09:30')).code).toBe('conflict')
    expect((await bookAt(id, '09:20')).status).toBe(201)
  })

  it('offer nothing without hosts, and nothing of a host without a schedule', async () => {
    expect(await timesOf((await worldOf({ input: FROM_HOSTS })).id)).toEqual([])
    const nobody = await worldOf({ input: { ...FROM_HOSTS, ...ROUND } })
    expect(await timesOf(nobody.id)).toEqual([])
    expect((await bookAt(nobody.id, '10:00')).code).toBe('conflict')

    const { id, memberIds } = await worldOf({
      hosts: [{ hours: null }, { hours: [['09:00', '10:00']] }],
      input: { ...FROM_HOSTS, ...ROUND },
    })
    expect(await bookAt(id, '09:00')).toMatchObject({ status: 201, host: memberIds[1] })
    expect((await bookAt(id, '09:00')).code).toBe('no_host_available')
    const all = await worldOf({ hosts: [{ hours: null }, ...TWO], input: FROM_HOSTS })
    expect(await timesOf(all.id)).toEqual([])
  })

  it('ignore the hours of the event type, its schedule included', async () => {
    const { id, key, organization } = await worldOf({ hosts: TWO, input: { ...ROUND, ...FROM_HOSTS } })
    const schedule_id = await insertSchedule(organization, 'live', { rules: daily(['20:00', '22:00']) })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { schedule_id } })
    expect(await timesOf(id)).toEqual(['09:00', '09:20', '09:30', '09:50'])
  })
})

describe("a host's schedule", () => {
  it("is the one of the host, else the member's default in the mode, else none", async () => {
    const { organization, key, id, memberIds } = await worldOf({
      hosts: [{ hours: [['09:00', '10:00']] }],
      input: ROUND,
    })
    await insertSchedule(organization, 'test', { memberId: memberIds[0]!, rules: daily(['10:00', '11:00']) })
    expect(await timesOf(id)).toEqual(['09:00', '09:30'])
    const { id: sandboxed } = await createEventType(organization.testKey, ROUND, daily(['09:00', '12:00']))
    await addHost(organization.testKey, sandboxed, memberIds[0]!)
    expect(await timesOf(sandboxed)).toEqual(['10:00', '10:30'])
    const schedule_id = await insertSchedule(organization, 'live', { rules: daily(['11:00', '12:00']) })
    const path = `/v1/event-types/${id}/hosts/${memberIds[0]}`
    const set = await call('PATCH', path, { key, body: { schedule_id } })
    expect([set.status, set.body.schedule_id]).toEqual([200, schedule_id])
    expect(await timesOf(id)).toEqual(['11:00', '11:30'])
    await call('PATCH', path, { key, body: { schedule_id: null } })
    expect(await timesOf(id)).toEqual(['09:00', '09:30'])
  })

  it('is in a zone of its own, also its dates', async () => {
    const { organization, id, memberIds } = await worldOf({
      own: [['00:00', '24:00']],
      hosts: [{}],
      input: ROUND,
    })
    // In Tokyo it is nine hours later: the date there begins at 15:00 of the day before.
    await insertSchedule(organization, 'live', {
      memberId: memberIds[0]!,
      timezone: 'Asia/Tokyo',
      rules: daily(['09:00', '10:00']),
      overrides: [{ date: dateOf(NEXT), intervals: [{ start_time: '00:00', end_time: '01:00' }] }],
    })
    expect(await timesOf(id)).toEqual(['00:00', '00:30', '15:00', '15:30'])
  })

  it('can be changed with the rest of the host, and nothing else can', async () => {
    const { key, id, memberIds } = await worldOf({ hosts: [{}] })
    const path = `/v1/event-types/${id}/hosts/${memberIds[0]}`
    const { body: host } = await call('PATCH', path, {
      key,
      body: { priority: 3, weight: 7, member_id: 'x' },
    })
    expect(host).toMatchObject({ priority: 3, weight: 7, member_id: memberIds[0], schedule_id: null })
    const { body: listed } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
    expect(listed.data).toEqual([host])
    const same = await call('PATCH', `/v1/event-types/${id}/hosts/${host.id}`, { key, body: {} })
    expect([same.status, same.body]).toEqual([200, host])
  })

  it('is refused if it does not exist, or is of another organization or mode, or of another member', async () => {
    const { organization, key, id, memberIds } = await worldOf({ hosts: [{}, {}] })
    const outsider = await createOrganization()
    const foreign = [
      crypto.randomUUID(),
      await insertSchedule(outsider, 'live'),
      await insertSchedule(organization, 'test'),
    ]
    const path = `/v1/event-types/${id}/hosts/${memberIds[0]}`
    const { id: newcomer } = await createMember(organization)
    const add = (schedule_id: string) => ({ key, body: { member_id: newcomer, schedule_id } })
    for (const schedule_id of foreign) {
      expect((await call('PATCH', path, { key, body: { schedule_id } })).status).toBe(404)
      expect((await call('POST', `/v1/event-types/${id}/hosts`, add(schedule_id))).status).toBe(404)
    }
    const others = await insertSchedule(organization, 'live', { memberId: memberIds[1]! })
    const refused = await call('PATCH', path, { key, body: { schedule_id: others, priority: 1 } })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_error'])
    expect(refused.body.error.details.schedule_id).toMatch(/^Must be/)
    expect((await call('POST', `/v1/event-types/${id}/hosts`, add(others))).status).toBe(400)
    for (const body of [
      { priority: 0 },
      { priority: 101 },
      { weight: 0 },
      { weight: 1001 },
      { schedule_id: 'x' },
    ]) {
      expect((await call('PATCH', path, { key, body })).status).toBe(400)
    }
    const missing = `/v1/event-types/${id}/hosts/${newcomer}`
    expect((await call('PATCH', missing, { key, body: { priority: 1 } })).status).toBe(404)
    const { body } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
    expect(body.data.map((host: any) => [host.priority, host.schedule_id])).toEqual([
      [50, null],
      [50, null],
    ])
  })
})

describe("an event type's schedule", () => {
  it('replaces its own rules, which are kept, and has its own time zone', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const schedule_id = await insertSchedule(organization, 'live', {
      timezone: 'Asia/Kathmandu',
      rules: daily(['10:00', '11:00']),
    })
    const { id } = await createEventType(key, { schedule_id }, daily(['20:00', '21:00']))
    expect(await timesOf(id)).toEqual(['04:15', '04:45'])
    const put = await call('PUT', `/v1/event-types/${id}/availability`, {
      key,
      body: { rules: daily(['22:00', '23:00']) },
    })
    expect(put.body.timezone).toBe('UTC')
    expect(await timesOf(id)).toEqual(['04:15', '04:45'])
    const patch = await call('PATCH', `/v1/event-types/${id}`, { key, body: { schedule_id: null } })
    expect(patch.body).toMatchObject({ schedule_id: null, timezone: 'UTC' })
    expect(await timesOf(id)).toEqual(['22:00', '22:30'])
  })

  it("may be a member's, and is refused if it is not of the organization and mode", async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id: memberId } = await createMember(organization)
    const mine = await insertSchedule(organization, 'live', { memberId })
    const { id, schedule_id } = await createEventType(key, { schedule_id: mine })
    expect(schedule_id).toBe(mine)
    const outsider = await createOrganization()
    for (const foreign of [
      crypto.randomUUID(),
      await insertSchedule(outsider, 'live'),
      await insertSchedule(organization, 'test'),
    ]) {
      const body = { title: 'Late', slug: 'late', duration_minutes: 30, schedule_id: foreign }
      expect((await call('POST', '/v1/event-types', { key, body })).status).toBe(404)
      const patch = await call('PATCH', `/v1/event-types/${id}`, { key, body: { schedule_id: foreign } })
      expect([patch.status, patch.body.error.code]).toEqual([404, 'not_found'])
    }
    expect((await call('GET', `/v1/event-types/${id}`, { key })).body.schedule_id).toBe(mine)
  })
})

describe('time off', () => {
  it('closes what it touches of a meeting, not of its buffers, and leaves the grid where it is', async () => {
    const { id } = await worldOf({
      hosts: [{ off: ['10:05', '10:30'] }],
      input: { ...ROUND, buffer_before_minutes: 30, buffer_after_minutes: 30 },
    })
    expect(await timesOf(id)).toEqual(['09:00', '09:30', '10:30', '11:00', '11:30'])
    expect((await bookAt(id, '10:00')).code).toBe('conflict')
    expect((await bookAt(id, '10:30')).status).toBe(201)
  })

  it('leaves the others, unless every host is needed', async () => {
    const hosts: GivenHost[] = [{ off: ['09:00', '12:00'] }, { off: ['10:00', '11:00'] }]
    const any = await worldOf({ hosts, input: ROUND })
    expect(await timesOf(any.id)).toEqual(['09:00', '09:30', '11:00', '11:30'])
    expect(await bookAt(any.id, '09:00')).toMatchObject({ status: 201, host: any.memberIds[1] })
    expect((await bookAt(any.id, '10:00')).code).toBe('conflict')
    const all = await worldOf({ hosts: [{ off: ['09:00', '10:00'] }, { off: ['11:00', '11:20'] }] })
    expect(await timesOf(all.id)).toEqual(['10:00', '10:30', '11:30'])
  })

  it('counts in its own mode only', async () => {
    const { organization, id, memberIds } = await worldOf({ hosts: [{}], input: ROUND })
    await insertTimeOff(organization, 'test', memberIds[0]!, at('09:00'), at('12:00'))
    expect(await timesOf(id)).toHaveLength(6)
  })

  it('moves no existing booking, and keeps bookings from being moved into it', async () => {
    const { organization, key, id, memberIds } = await worldOf({ hosts: [{}], input: ROUND })
    const { body } = await bookAt(id, '09:00')
    await insertTimeOff(organization, 'live', memberIds[0]!, at('09:00'), at('11:00'))
    const move = (time: string) =>
      call('POST', `/v1/bookings/${body.id}/reschedule`, { key, body: { new_start_time: iso(at(time)) } })
    expect((await move('10:00')).body.error.code).toBe('conflict')
    expect((await call('GET', `/v1/bookings/${body.id}`, { key })).body.start_time).toBe(iso(at('09:00')))
    expect((await move('11:00')).status).toBe(200)
  })
})

describe('a session', () => {
  it('is joined only while its host is there and not off', async () => {
    const { organization, id, memberIds } = await worldOf({
      hosts: [{ hours: [['09:00', '10:00']] }, {}],
      input: { ...ROUND, ...GROUP },
    })
    expect(await bookAt(id, '09:00')).toMatchObject({ status: 201, host: memberIds[0] })
    expect(await bookAt(id, '09:00')).toMatchObject({ status: 201, host: memberIds[0] })
    await insertTimeOff(organization, 'live', memberIds[0]!, at('09:15'), at('09:20'))
    // The other host is free, but whoever comes comes to the first one.
    expect((await bookAt(id, '09:00')).code).toBe('conflict')
    expect(await timesOf(id)).not.toContain('09:00')
    expect(await bookAt(id, '09:30')).toMatchObject({ status: 201 })
  })

  it('takes nobody else once the hours of its host have changed', async () => {
    const { organization, key, id, memberIds } = await worldOf({
      hosts: [{ hours: [['09:00', '10:00']] }, { hours: [['09:00', '12:00']] }],
      input: { ...ROUND, ...GROUP },
    })
    expect(await bookAt(id, '09:00')).toMatchObject({ status: 201, host: memberIds[0] })
    const schedule_id = await insertSchedule(organization, 'live', { rules: daily(['11:00', '12:00']) })
    await call('PATCH', `/v1/event-types/${id}/hosts/${memberIds[0]}`, { key, body: { schedule_id } })
    expect((await bookAt(id, '09:00')).code).toBe('conflict')
  })

  it('of all hosts is joined only while all are there', async () => {
    const { organization, id, memberIds } = await worldOf({ hosts: [{}, {}], input: GROUP })
    expect((await bookAt(id, '09:00')).status).toBe(201)
    expect((await bookAt(id, '10:00')).status).toBe(201)
    await insertTimeOff(organization, 'live', memberIds[1]!, at('09:00'), at('09:30'))
    expect((await bookAt(id, '09:00')).code).toBe('conflict')
    expect((await bookAt(id, '10:00')).status).toBe(201)
    await insertSchedule(organization, 'live', { memberId: memberIds[1]!, rules: daily(['10:15', '12:00']) })
    expect((await bookAt(id, '10:00')).code).toBe('conflict')
    expect(await timesOf(id)).toEqual(['10:30', '11:00', '11:30'])
  })
})

describe('the free time of hosts', () => {
  it('is the time in which they could be booked, once one of them has hours', async () => {
    const organization: Organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { assignment_strategy: 'availability_weighted' })
    const [always, partly] = [await createMember(organization), await createMember(organization)]
    await addHost(key, id, partly.id, { priority: 1 })
    await addHost(key, id, always.id, { priority: 2 })
    expect((await bookAt(id, '09:00')).host).toBe(partly.id)
    await insertSchedule(organization, 'live', { memberId: partly.id, rules: daily(['09:00', '12:00']) })
    expect((await bookAt(id, '09:30')).host).toBe(always.id)
    await insertTimeOff(organization, 'live', always.id, at('12:00') - 90 * HOUR_MS, at('09:30'))
    await insertTimeOff(organization, 'live', always.id, at('12:00'), at('12:00') + 90 * HOUR_MS)
    expect((await bookAt(id, '10:00')).host).toBe(partly.id)
  })

  it('is that of their own hours alone if no other hours count', async () => {
    const { id, memberIds } = await worldOf({
      own: [['09:00', '10:00']],
      hosts: [{ hours: [['09:00', '12:00']] }, { hours: [['09:00', '18:00']] }],
      input: { assignment_strategy: 'availability_weighted', hours_from: 'hosts' },
    })
    expect((await bookAt(id, '09:30')).host).toBe(memberIds[1])
  })
})
