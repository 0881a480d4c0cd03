import { describe, expect, it } from 'vitest'
import { ADA, bookedStarts, connectAgent, insist, NEXT, START, sandboxFor } from '../support/agent.ts'
import { call, callAsService } from '../support/app.ts'

const BOB = { invitee_name: 'Bob', invitee_email: 'bob@example.com' }

describe('an agent that holds a time while it asks', () => {
  it('holds once and books once, though both answers are lost', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 5 })
    const agent = await connectAgent()
    agent.lose(1)
    const asked = { event_type_id: id, start_time: START, idempotency_key: crypto.randomUUID() }
    const { body: held } = await insist(agent, 'hold_time', asked)
    expect(held).toMatchObject({ status: 'held', start_time: START })
    const range = { start: '2030-04-01', end: '2030-04-01', timezone: 'UTC', limit: 500 }
    const open = await (await connectAgent()).call('find_open_times', { event_type_id: id, ...range })
    const slot = open.body.slots.find(({ start_time }: any) => start_time === START)
    expect(slot.spots_remaining).toBe(4)
    agent.lose(2)
    const { body } = await insist(agent, 'confirm_hold', { id: held.id, token: held.token, ...ADA })
    expect(body).toMatchObject({ status: 'confirmed', start_time: START })
    expect(body.cancel_token).toBeTruthy()
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('gets its time after nine minutes of thinking, although others wanted it', async () => {
    const { key, id, setClock } = await sandboxFor()
    const agent = await connectAgent()
    const asked = { event_type_id: id, start_time: START, timezone: 'Europe/Berlin' }
    const { body: held } = await agent.call('hold_time', asked)
    expect(held.local_expires).toBe('2030-03-29T09:10:00+01:00')
    await setClock('2030-03-29T08:09:00Z')
    const rival = await (await connectAgent()).call('book', { event_type_id: id, start_time: START, ...BOB })
    expect(rival.body.error.code).toBe('conflict')
    const { body } = await agent.call('confirm_hold', { id: held.id, token: held.token, ...ADA })
    expect([body.invitee_email, body.start_time]).toEqual([ADA.invitee_email, START])
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('learns that its hold has expired, and books the time if it is still free', async () => {
    const { key, id, setClock } = await sandboxFor()
    const agent = await connectAgent()
    const { body: held } = await agent.call('hold_time', { event_type_id: id, start_time: START })
    await setClock('2030-03-29T08:11:00Z')
    const args = { id: held.id, token: held.token, ...ADA }
    const { error } = (await agent.call('confirm_hold', args)).body
    expect(error.details.code).toBe('hold_expired')
    expect(error.suggested_next_action).toContain('if_still_free')
    const { body } = await agent.call('confirm_hold', { ...args, if_still_free: true })
    expect(body.start_time).toBe(START)
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('never books another hour if the time was taken after its hold expired', async () => {
    const { key, id, setClock } = await sandboxFor()
    const agent = await connectAgent()
    const { body: held } = await agent.call('hold_time', { event_type_id: id, start_time: START })
    await setClock('2030-03-29T08:11:00Z')
    await (await connectAgent()).call('book', { event_type_id: id, start_time: START, ...BOB })
    const args = { id: held.id, token: held.token, ...ADA, if_still_free: true }
    const { error } = (await agent.call('confirm_hold', args)).body
    expect([error.code, error.details.alternatives[0]]).toEqual(['conflict', NEXT])
    expect(await bookedStarts(key, id)).toEqual([START])
    const { body: other } = await agent.call('hold_time', { event_type_id: id, start_time: NEXT })
    await agent.call('confirm_hold', { id: other.id, token: other.token, ...ADA })
    expect(await bookedStarts(key, id)).toEqual([START, NEXT])
  })

  it('learns what became of a hold if it asks for the same one again, and holds again with a key of its own', async () => {
    const { id, setClock } = await sandboxFor()
    const agent = await connectAgent()
    const asked = { event_type_id: id, start_time: START, idempotency_key: crypto.randomUUID() }
    const { body: held } = await agent.call('hold_time', asked)
    await setClock('2030-03-29T08:11:00Z')
    const { body: again } = await agent.call('hold_time', asked)
    expect(again).toMatchObject({ id: held.id, status: 'expired', replayed: true })
    expect(again.suggested_next_action).toContain('idempotency_key')
    const { body: fresh } = await agent.call('hold_time', { ...asked, idempotency_key: crypto.randomUUID() })
    expect([fresh.status, fresh.id === held.id]).toEqual(['held', false])
  })
})

describe('an agent that changes a booking', () => {
  async function booked(input = {}) {
    const world = await sandboxFor(input)
    const agent = await connectAgent()
    const args = { event_type_id: world.id, start_time: START, timezone: 'Europe/Berlin', ...ADA }
    const { body } = await agent.call('book', args)
    return { ...world, agent, args, own: { id: body.id, token: body.cancel_token } }
  }

  it('moves it once though the response is lost, and says where it was', async () => {
    const { key, id, agent, own } = await booked()
    agent.lose(2)
    const { body } = await insist(agent, 'reschedule_booking', { ...own, new_start_time: NEXT })
    expect(body).toMatchObject({
      status: 'rescheduled',
      local_start: '2030-04-01T11:30:00+02:00',
      local_previous_start: '2030-04-01T11:00:00+02:00',
    })
    expect(await bookedStarts(key, id)).toEqual([NEXT])
  })

  it('moves it there and back, learns where it is, and moves it again only on purpose', async () => {
    const { key, id, agent, own } = await booked()
    await agent.call('reschedule_booking', { ...own, new_start_time: NEXT })
    await agent.call('reschedule_booking', { ...own, new_start_time: START })
    const { body } = await agent.call('reschedule_booking', { ...own, new_start_time: NEXT })
    expect(body).toMatchObject({ start_time: START, replayed: true })
    expect(body.suggested_next_action).toContain('idempotency_key')
    expect(await bookedStarts(key, id)).toEqual([START])
    const again = { ...own, new_start_time: NEXT, idempotency_key: 'again' }
    expect((await agent.call('reschedule_booking', again)).body.start_time).toBe(NEXT)
    expect(await bookedStarts(key, id)).toEqual([NEXT])
  })

  it('keeps its time if the other one is taken', async () => {
    const { key, id, agent, own } = await booked()
    await (await connectAgent()).call('book', { event_type_id: id, start_time: NEXT, ...BOB })
    const moved = await agent.call('reschedule_booking', { ...own, new_start_time: NEXT })
    expect([moved.isError, moved.body.error.code]).toEqual([true, 'conflict'])
    expect((await agent.call('get_booking', own)).body.start_time).toBe(START)
    expect(await bookedStarts(key, id)).toEqual([START, NEXT])
  })

  it('sends its invitee to pay, but not again while their payment is under way', async () => {
    const { key, id } = await sandboxFor({ price_amount: 5_000, delayed_payment_methods: true })
    const agent = await connectAgent()
    const { body: made } = await agent.call('book', { event_type_id: id, start_time: START, ...ADA })
    const look = async () => {
      const { body } = await agent.call('get_booking', { id: made.id, token: made.cancel_token })
      return [body.status, body.suggested_next_action]
    }
    expect(await look()).toEqual(['pending_payment', made.suggested_next_action])
    expect(made.suggested_next_action).toMatch(/Give the user http\S* to pay there/)
    await call('POST', `/v1/test-data/payments/${made.payment.id}/process`, { key })
    const [status, next] = await look()
    expect([status, next]).toEqual(['pending_payment', expect.stringContaining('in progress')])
    expect(next).not.toContain('to pay')
  })

  it('cancels once, and never reads that a cancelled booking is confirmed', async () => {
    const { key, id, agent, args, own } = await booked()
    agent.lose(1)
    expect((await insist(agent, 'cancel_booking', own)).body.status).toBe('cancelled')
    const { body: again } = await agent.call('book', args)
    expect(again).toMatchObject({ id: own.id, status: 'cancelled', replayed: true })
    expect(again.suggested_next_action).toContain('idempotency_key')
    const { body } = await agent.call('book', { ...args, idempotency_key: 'a new one' })
    expect([body.status, body.id === own.id]).toEqual(['confirmed', false])
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('is refused from the start on, and knows so before it tries', async () => {
    const { key, id, agent, own, setClock } = await booked()
    await setClock(START)
    const { body } = await agent.call('get_booking', own)
    expect(body.allowed_actions).toMatchObject({ cancel: { allowed: false }, reschedule: { allowed: false } })
    expect(body.suggested_next_action).not.toContain('cancel it')
    for (const [tool, args] of [
      ['cancel_booking', own],
      ['reschedule_booking', { ...own, new_start_time: NEXT }],
      ['cancel_booking', { ...own, dry_run: true }],
    ] as const) {
      const { error } = (await agent.call(tool, args)).body
      expect([tool, error.code, error.details.code]).toEqual([tool, 'forbidden', 'too_late'])
    }
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('is refused after the notice has passed, and without the token', async () => {
    const { key, id, agent, own, setClock } = await booked({ cancel_notice_minutes: 60 })
    await setClock('2030-04-01T08:30:00Z')
    const late = await agent.call('cancel_booking', own)
    expect(late.body.error).toMatchObject({
      code: 'forbidden',
      retryable: false,
      details: { code: 'too_late' },
    })
    const guessed = await agent.call('reschedule_booking', {
      id: own.id,
      token: 'guess',
      new_start_time: NEXT,
    })
    expect(guessed.body.error.code).toBe('unauthorized')
    expect(await bookedStarts(key, id)).toEqual([START])
  })
})

describe('an agent that waits', () => {
  it('joins a waitlist once, and its invitee is booked once when a time opens up', async () => {
    const { key, id } = await sandboxFor({ waitlist_enabled: true })
    const [agent, other] = [await connectAgent(), await connectAgent()]
    const { body: theirs } = await other.call('book', { event_type_id: id, start_time: START, ...BOB })
    const range = { start: '2030-04-01', end: '2030-04-01', timezone: 'Europe/Berlin' }
    const { body: found } = await agent.call('find_open_times', { event_type_id: id, ...range })
    expect(found.waitlist_slots).toMatchObject([
      { start_time: START, local_start: '2030-04-01T11:00:00+02:00' },
    ])
    agent.lose(2)
    const { body } = await insist(agent, 'join_waitlist', { event_type_id: id, start_time: START, ...ADA })
    expect(body).toMatchObject({ status: 'waiting', position: 1 })
    const any = await other.call('join_waitlist', { event_type_id: id, start_time: null, ...BOB })
    expect(any.body).toMatchObject({ status: 'waiting', start_time: null })
    await other.call('cancel_booking', { id: theirs.id, token: theirs.cancel_token })
    const { body: list } = await call('GET', `/v1/bookings?event_type_id=${id}&status=confirmed`, { key })
    expect(list.data.map((one: any) => [one.invitee_email, one.start_time])).toEqual([
      [ADA.invitee_email, START],
    ])
  })
})

describe('an agent of the organization', () => {
  it('sees who asks for a time, and approves once', async () => {
    const { key, id } = await sandboxFor({ requires_approval: true })
    const { body: asked } = await (await connectAgent()).call('book', {
      event_type_id: id,
      start_time: START,
      ...ADA,
    })
    expect(asked.status).toBe('pending_approval')
    expect(asked.suggested_next_action).toContain('not confirmed')
    const agent = await connectAgent(key)
    const { body: list } = await agent.call('list_bookings', {
      status: 'pending_approval',
      timezone: 'Asia/Kolkata',
    })
    expect(list.data).toMatchObject([{ id: asked.id, local_start: '2030-04-01T14:30:00+05:30' }])
    agent.lose(2)
    expect((await insist(agent, 'approve_booking', { id: asked.id })).body.status).toBe('confirmed')
    const seen = await (await connectAgent()).call('get_booking', { id: asked.id, token: asked.cancel_token })
    expect(seen.body.status).toBe('confirmed')
  })

  it('explains why a time cannot be booked', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectAgent(key)
    await agent.call('book', { event_type_id: id, start_time: START, ...ADA })
    const { body } = await agent.call('explain_time', {
      event_type_id: id,
      start_time: START,
      timezone: 'UTC',
    })
    expect([body.bookable, body.reasons[0].code]).toEqual([false, 'booked'])
    const day = await agent.call('explain_time', { event_type_id: id, date: '2030-04-01', timezone: 'UTC' })
    expect(day.body.closed).toMatchObject([{ start_time: START }])
  })

  it('lists its own event types without naming its organization', async () => {
    const { key, id } = await sandboxFor()
    const { body } = await (await connectAgent(key)).call('find_event_types', { organization: null })
    expect(body.event_types.map((one: any) => one.id)).toEqual([id])
  })
})

describe('an agent that is refused', () => {
  it('reports that the organization takes no bookings, and books nothing', async () => {
    const { key, id, organization } = await sandboxFor()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: true } })
    const agent = await connectAgent()
    const { body } = await agent.call('book', { event_type_id: id, start_time: START, ...ADA })
    expect(body.error).toMatchObject({ code: 'org_suspended', retryable: false })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: false } })
    expect(await bookedStarts(key, id)).toEqual([])
  })

  it('has every limit that callers without a key have', async () => {
    const { id, key } = await sandboxFor()
    const agent = await connectAgent()
    const held = []
    for (let at = 0; at < 6; at++) {
      const start_time = new Date(Date.parse(START) + at * 1_800_000).toISOString()
      held.push(await agent.call('hold_time', { event_type_id: id, start_time }))
    }
    expect(held.map(({ isError }) => isError)).toEqual([false, false, false, false, false, true])
    const { error } = held[5]!.body
    expect(error).toMatchObject({
      code: 'rate_limit_exceeded',
      retryable: true,
      details: { limit: 'pending_per_network' },
    })
    expect(error.suggested_next_action).toContain(String(error.details.retry_after))
    const own = await connectAgent(key)
    expect(
      (await own.call('hold_time', { event_type_id: id, start_time: '2030-04-02T09:00:00Z' })).isError,
    ).toBe(false)
  })
})
