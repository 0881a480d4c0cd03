import { describe, expect, it } from 'vitest'
import { ADA, bookedStarts, connectAgent, insist, NEXT, START, sandboxFor } from '../support/agent.ts'
import { call } from '../support/app.ts'
import { addHosts } from '../support/hosts.ts'

describe('an agent of the organization that hands a booking over', () => {
  async function hosted() {
    const world = await sandboxFor({ assignment_strategy: 'round_robin' })
    const hosts = await addHosts(world.organization, world.key, world.id, 2)
    const owner = await connectAgent(world.key)
    const { body: booked } = await owner.call('book', { event_type_id: world.id, start_time: START, ...ADA })
    return { ...world, hosts, owner, booked }
  }

  it('gives it to another host once, though the same call is made again', async () => {
    const { key, id, hosts, owner, booked } = await hosted()
    expect(booked.assigned_host.member_id).toBe(hosts[0])
    const asked = { id: booked.id, member_id: hosts[1], reason: 'I am ill.', timezone: 'Europe/Berlin' }
    const { body } = await owner.call('reassign_booking', asked)
    expect(body).toMatchObject({
      id: booked.id,
      status: 'confirmed',
      start_time: START,
      local_start: '2030-04-01T11:00:00+02:00',
      assigned_host: { member_id: hosts[1] },
      untrusted: expect.arrayContaining(['invitee_name', 'attendees']),
    })
    expect(body.suggested_next_action).toContain('assigned_host')
    const { body: again } = await owner.call('reassign_booking', asked)
    expect(again).toMatchObject({ replayed: true, assigned_host: { member_id: hosts[1] } })
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('tries it first with dry_run, and learns that nobody else is free', async () => {
    const { key, hosts, owner, booked } = await hosted()
    const dry = await owner.call('reassign_booking', { id: booked.id, dry_run: true })
    expect(dry.body).toMatchObject({ dry_run: true, assigned_host: { member_id: hosts[1] } })
    const { body: read } = await call('GET', `/v1/bookings/${booked.id}`, { key })
    expect(read.assigned_host.member_id).toBe(hosts[0])
    const times = { start: '2030-04-01T00:00:00Z', end: '2030-04-02T00:00:00Z' }
    await call('POST', '/v1/time-off', { key, body: { member_ids: [hosts[1]], ...times } })
    const { isError, body } = await owner.call('reassign_booking', { id: booked.id })
    expect([isError, body.error.code]).toEqual([true, 'no_host_available'])
  })

  it('needs a key', async () => {
    const { booked } = await hosted()
    const { body } = await (await connectAgent()).call('reassign_booking', { id: booked.id })
    expect(body.error.code).toBe('unauthorized')
  })
})

describe('an agent of the organization that lists sessions', () => {
  it('sees who is in each, page by page, and nobody’s words', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 3, waitlist_enabled: true })
    const owner = await connectAgent(key)
    const names = ['ada', 'bob', 'eve']
    for (const [at, start_time] of [START, START, NEXT].entries()) {
      const invitee = { invitee_name: names[at]!, invitee_email: `${names[at]}@example.com` }
      await call('POST', '/v1/bookings', { key, body: { event_type_id: id, start_time, ...invitee } })
    }
    const asked = { event_type_id: id, from: '2030-04-01', to: '2030-04-01', timezone: 'Europe/Berlin' }
    const { body } = await owner.call('list_sessions', asked)
    expect(body.data).toMatchObject([
      { start_time: START, local_start: '2030-04-01T11:00:00+02:00', seats: 3, taken: 2, waiting: 0 },
      { start_time: NEXT, seats: 3, taken: 1 },
    ])
    expect([body.data[0].booking_ids.length, body.has_more]).toEqual([2, false])
    expect(body).not.toHaveProperty('untrusted')
    const { body: first } = await owner.call('list_sessions', { ...asked, limit: 1 })
    expect([first.data.length, first.has_more]).toEqual([1, true])
    const starting_after = first.data[0].id
    const { body: second } = await owner.call('list_sessions', { ...asked, limit: 1, starting_after })
    expect([second.data[0].start_time, second.has_more]).toEqual([NEXT, false])
  })

  it('learns which argument is wrong, and that other event types have none', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 3 })
    const owner = await connectAgent(key)
    for (const [field, more] of [
      ['from', { from: 'soon' }],
      ['to', { from: '2030-04-02', to: '2030-04-01' }],
      ['limit', { limit: 0 }],
      ['starting_after', { starting_after: id }],
    ] as const) {
      const { body } = await owner.call('list_sessions', { event_type_id: id, ...more })
      expect([field, Object.keys(body.error.details)]).toEqual([field, [field]])
    }
    const other = await sandboxFor({ max_attendees: 3 })
    const { body } = await owner.call('list_sessions', { event_type_id: other.id })
    expect(body.error.code).toBe('not_found')
    const anonymous = await (await connectAgent()).call('list_sessions', { event_type_id: id })
    expect(anonymous.body.error.code).toBe('unauthorized')
  })
})

describe('an agent that changes a booking', () => {
  async function booked() {
    const world = await sandboxFor({ max_attendees: 3 })
    const agent = await connectAgent()
    const { body } = await agent.call('book', { event_type_id: world.id, start_time: START, ...ADA })
    return { ...world, agent, own: { id: body.id, token: body.cancel_token } }
  }

  it('changes what the invitee said once, though the response is lost', async () => {
    const { key, agent, own } = await booked()
    const asked = {
      ...own,
      invitee_name: 'Ada King',
      invitee_phone: '+49301234567',
      notes: 'By train.',
      guests: [{ email: 'bob@example.com' }],
    }
    agent.lose(1)
    const { body } = await insist(agent, 'update_booking', asked)
    expect(body).toMatchObject({ id: own.id, start_time: START, invitee_name: 'Ada King' })
    expect(body.untrusted).toEqual(expect.arrayContaining(['invitee_name', 'notes', 'guests']))
    const { body: read } = await call('GET', `/v1/bookings/${own.id}`, { key })
    expect(read).toMatchObject({ invitee_name: 'Ada King', notes: 'By train.', start_time: START })
    expect(read.guests).toMatchObject([{ email: 'bob@example.com' }])
  })

  it('changes nothing of the organization’s with a token, and everything with a key', async () => {
    const { key, agent, own } = await booked()
    for (const [field, value] of Object.entries({
      location: 'Room 4',
      invitee_email: 'eve@example.com',
      attendees: [{ name: 'Eve', email: 'eve@example.com' }],
    })) {
      const { isError, body } = await agent.call('update_booking', { ...own, [field]: value })
      expect([isError, body.error.code, Object.keys(body.error.details)]).toEqual([
        true,
        'validation_error',
        [field],
      ])
    }
    const owner = await connectAgent(key)
    const asked = { id: own.id, location: 'Room 4', attendees: [{ name: 'Eve', email: 'eve@example.com' }] }
    const dry = await owner.call('update_booking', { ...asked, dry_run: true })
    expect(dry.body).toMatchObject({ dry_run: true, location: 'Room 4', attendee_count: 2 })
    const { body } = await owner.call('update_booking', asked)
    expect(body).toMatchObject({ location: 'Room 4', attendee_count: 2, start_time: START })
    const wrong = await agent.call('update_booking', { id: own.id, token: 'guess', notes: 'Mine' })
    expect(wrong.body.error.code).toBe('unauthorized')
  })
})

describe('an agent that looks for another time', () => {
  it('sees times that only this booking takes, with its token or with a key', async () => {
    const { key, id } = await sandboxFor({ slot_interval_minutes: 15 })
    const agent = await connectAgent()
    const { body: booked } = await agent.call('book', { event_type_id: id, start_time: START, ...ADA })
    const own = '2030-04-01T09:15:00.000Z'
    const range = { event_type_id: id, start: '2030-04-01', end: '2030-04-01', timezone: 'UTC', limit: 200 }
    const starts = ({ slots }: any) => slots.map(({ start_time }: any) => start_time)
    const { body: anybody } = await agent.call('find_open_times', range)
    expect(starts(anybody)).not.toContain(own)
    const move = { ...range, booking_id: booked.id }
    const { body: mine } = await agent.call('find_open_times', { ...move, token: booked.cancel_token })
    expect(starts(mine)).toContain(own)
    expect(mine.suggested_next_action).toContain('reschedule_booking')
    const { body: theirs } = await (await connectAgent(key)).call('find_open_times', move)
    expect(starts(theirs)).toEqual(starts(mine))
    const { body: guessed } = await agent.call('find_open_times', { ...move, token: 'guess' })
    expect(guessed.error.code).toBe('unauthorized')
    const asked = { id: booked.id, token: booked.cancel_token, new_start_time: own }
    expect((await agent.call('reschedule_booking', asked)).body.start_time).toBe(own)
  })
})
