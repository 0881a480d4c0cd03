import { describe, expect, it } from 'vitest'
import { ADA, bookedStarts, connectAgent, insist, NEXT, NOW, START, sandboxFor } from '../support/agent.ts'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dateOf, dayFromNow } from '../support/factories.ts'

const MONDAY = { start: '2030-04-01', end: '2030-04-01' }

describe('an agent that books', () => {
  it('finds what an organization offers by the address of its page, and books what it offers first', async () => {
    const { liveKey, slug } = await createOrganization()
    const made = await createEventType(liveKey, { booking_page_enabled: true })
    const agent = await connectAgent()
    const organization = `https://holdfast.test/book/${slug}/${made.slug}`
    const { body: offered } = await agent.call('find_event_types', { organization })
    expect(offered.event_types.map(({ id }: { id: string }) => id)).toEqual([made.id])
    const date = dateOf(dayFromNow(3))
    const range = { start: date, end: date, timezone: 'Asia/Tokyo' }
    const { body: found } = await agent.call('find_open_times', { event_type_id: made.id, ...range })
    const [slot] = found.slots
    expect(slot.local_start).toBe(`${date}T00:00:00+09:00`)
    const args = { event_type_id: made.id, start_time: slot.start_time, timezone: 'Asia/Tokyo', ...ADA }
    const { body } = await agent.call('book', args)
    expect(body).toMatchObject({ status: 'confirmed', local_start: slot.local_start, timezone: 'Asia/Tokyo' })
    expect(body.suggested_next_action).toContain(body.cancel_token)
    expect(await bookedStarts(liveKey, made.id)).toEqual([slot.start_time])
  })

  it('books once if the response is lost repeatedly', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectAgent()
    agent.lose(3)
    const { body } = await insist(agent, 'book', { event_type_id: id, start_time: START, ...ADA })
    expect(body).toMatchObject({ status: 'confirmed', start_time: START, replayed: true })
    expect(body.cancel_token).toBeTruthy()
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('books once if it spells the same call differently the second time', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 5 })
    const agent = await connectAgent()
    const first = await agent.call('book', { event_type_id: id, start_time: START, ...ADA })
    const again = {
      ...ADA,
      start_time: '2030-04-01T11:00:00+02:00',
      event_type_id: id.toUpperCase(),
      notes: undefined,
    }
    expect((await agent.call('book', again)).body.id).toBe(first.body.id)
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('books once even if it retries in another time zone, unless that zone becomes the invitee’s', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 5 })
    const agent = await connectAgent()
    const args = { event_type_id: id, start_time: START, ...ADA, timezone: 'Asia/Tokyo' }
    const known = { ...args, invitee_timezone: 'Europe/London' }
    const first = await agent.call('book', known)
    const again = await agent.call('book', { ...known, timezone: 'Asia/Kolkata' })
    expect(again.body).toMatchObject({ id: first.body.id, replayed: true, timezone: 'Asia/Kolkata' })
    const other = await agent.call('book', { ...args, start_time: NEXT })
    expect(other.body.invitee_timezone).toBe('Asia/Tokyo')
    const refused = await agent.call('book', { ...args, start_time: NEXT, timezone: 'Asia/Kolkata' })
    expect(refused.body.error.details).toEqual({ code: 'already_seated' })
    expect(await bookedStarts(key, id)).toEqual([START, NEXT])
  })

  it('books once with an idempotency_key from wherever it calls, and another time with another one', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 5 })
    const args = { event_type_id: id, start_time: START, ...ADA, idempotency_key: 'of-the-agent' }
    const [here, there] = [await connectAgent(), await connectAgent()]
    here.lose(1)
    await expect(here.call('book', args)).rejects.toThrow('cut')
    expect((await there.call('book', args)).body).toMatchObject({ replayed: true, start_time: START })
    const other = { ...args, start_time: NEXT }
    const mistaken = await there.call('book', other)
    expect(mistaken.body.error).toMatchObject({ code: 'conflict', retryable: false })
    expect(mistaken.body.error.suggested_next_action).toContain('idempotency_key')
    await there.call('book', { ...other, idempotency_key: 'another' })
    expect(await bookedStarts(key, id)).toEqual([START, NEXT])
  })

  it('books once if it calls twice at the same time', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 5 })
    const agent = await connectAgent()
    const args = { event_type_id: id, start_time: START, ...ADA }
    const answers = await Promise.all([1, 2, 3].map(() => agent.call('book', args)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('never gets the answer to the very same call of another anonymous caller', async () => {
    const { id } = await sandboxFor()
    const args = { event_type_id: id, start_time: START, ...ADA }
    const { body: first } = await (await connectAgent()).call('book', args)
    const { body: second } = await (await connectAgent()).call('book', args)
    expect(second.error.code).toBe('conflict')
    expect(JSON.stringify(second)).not.toContain(first.cancel_token)
  })

  it('is one of two who want a time; the other is offered the next ones in its own zone, and takes one', async () => {
    const { key, id } = await sandboxFor()
    const agents = [await connectAgent(), await connectAgent()]
    const asked = { event_type_id: id, start_time: START, timezone: 'America/New_York', ...ADA }
    const answers = await Promise.all(agents.map((agent) => agent.call('book', asked)))
    const loser = answers.findIndex(({ isError }) => isError)
    const { error } = answers[loser]!.body
    expect(answers.filter(({ isError }) => isError)).toHaveLength(1)
    expect([error.code, error.details.alternatives[0]]).toEqual(['conflict', NEXT])
    expect(error.details.local_alternatives[0]).toBe('2030-04-01T05:30:00-04:00')
    expect(error.suggested_next_action).toContain('local_alternatives')
    const start_time = error.details.alternatives[0]
    const { body } = await agents[loser]!.call('book', { ...asked, start_time })
    expect(body.local_start).toBe('2030-04-01T05:30:00-04:00')
    expect(await bookedStarts(key, id)).toEqual([START, NEXT])
  })

  it('means nine in the morning in the person’s time zone, on both sides of a clock change', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectAgent()
    const range = { start: '2030-03-30', end: '2030-04-01', timezone: 'Europe/Berlin', limit: 500 }
    const { body: found } = await agent.call('find_open_times', { event_type_id: id, ...range })
    for (const wanted of ['2030-03-30T09:00:00+01:00', '2030-03-31T09:00:00+02:00']) {
      const slot = found.slots.find(({ local_start }: { local_start: string }) => local_start === wanted)
      const { body } = await agent.call('book', {
        event_type_id: id,
        start_time: slot.start_time,
        timezone: 'Europe/Berlin',
        ...ADA,
      })
      expect(body.local_start).toBe(wanted)
    }
    expect(await bookedStarts(key, id)).toEqual(['2030-03-30T08:00:00.000Z', '2030-03-31T07:00:00.000Z'])
  })

  it('learns that a time without an offset could mean any hour, and books the one that was listed', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectAgent()
    const args = { event_type_id: id, timezone: 'Europe/Berlin', ...ADA }
    const refused = await agent.call('book', { ...args, start_time: '2030-04-01T11:00:00' })
    expect(refused.body.error).toMatchObject({
      code: 'validation_error',
      retryable: false,
      details: { start_time: expect.stringContaining('offset') },
    })
    expect(await bookedStarts(key, id)).toEqual([])
    const listed = await agent.call('find_open_times', { ...args, ...MONDAY, limit: 100 })
    const slot = listed.body.slots.find(({ local_start }: any) => local_start === '2030-04-01T11:00:00+02:00')
    await agent.call('book', { ...args, start_time: slot.start_time })
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('only previews with dry_run, and books afterwards with the same call', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectAgent()
    const args = { event_type_id: id, start_time: START, ...ADA }
    const { body: dry } = await agent.call('book', { ...args, dry_run: true })
    expect(dry).toMatchObject({ status: 'confirmed', dry_run: true })
    expect(dry.suggested_next_action).toContain('without dry_run')
    expect(await bookedStarts(key, id)).toEqual([])
    expect((await agent.call('book', args)).body.replayed).toBeUndefined()
    expect(await bookedStarts(key, id)).toEqual([START])
    expect((await agent.call('book', { ...args, dry_run: 'yes' })).body.error.code).toBe('validation_error')
  })

  it('learns which argument is an object where a text or a number is expected', async () => {
    const { key, id } = await sandboxFor()
    const [agent, owner] = [await connectAgent(), await connectAgent(key)]
    const odd = { toString: 1, valueOf: 1 }
    const book = { event_type_id: id, start_time: START, ...ADA }
    const range = { event_type_id: id, ...MONDAY, timezone: 'UTC' }
    for (const [calls, tool, args] of [
      [agent, 'find_event_types', { organization: odd }],
      [agent, 'find_open_times', { ...range, limit: odd }],
      [agent, 'find_open_times', { ...range, duration: [odd] }],
      [agent, 'find_open_times', { ...range, hold_token: [[odd]] }],
      [agent, 'get_booking', { id: odd }],
      [agent, 'book', { ...book, dry_run: odd }],
      [owner, 'list_bookings', { status: [odd] }],
    ] as const) {
      const { body } = await calls.call(tool, args)
      const [name] = Object.entries(args).find(([, value]) => JSON.stringify(value).includes('valueOf'))!
      expect([tool, body.error.code, Object.keys(body.error.details ?? {})]).toEqual([
        tool,
        'validation_error',
        [name],
      ])
    }
    expect((await owner.call('list_bookings', { status: ['confirmed', 'cancelled'] })).isError).toBeFalsy()
    expect(await bookedStarts(key, id)).toEqual([])
  })

  it('answers the questions that it has read before', async () => {
    const questions = [{ key: 'topic', label: 'About what?', type: 'short_text', required: true }]
    const { key, id } = await sandboxFor({ questions })
    const agent = await connectAgent(key)
    const range = { ...MONDAY, timezone: 'UTC' }
    const { body: found } = await agent.call('find_open_times', { event_type_id: id, ...range })
    expect(found.event_type.questions).toMatchObject([{ key: 'topic', label: 'About what?', required: true }])
    const args = { event_type_id: id, start_time: START, ...ADA }
    const silent = await agent.call('book', args)
    expect(silent.body.error.details).toEqual({ 'answers.topic': 'Is required.' })
    const { body } = await agent.call('book', { ...args, answers: { topic: 'Engines' } })
    const looked = await agent.call('get_booking', { id: body.id })
    expect(looked.body).toMatchObject({ answers: { topic: 'Engines' }, start_time: START })
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('proves the invitee’s address if that is required', async () => {
    const { key, id } = await sandboxFor({ verify_email: true })
    const agent = await connectAgent()
    const args = { event_type_id: id, start_time: START, ...ADA }
    const { error } = (await agent.call('book', args)).body
    expect(error.details.code).toBe('email_unverified')
    expect(error.suggested_next_action).toContain('/v1/email-verifications')
    const proof = { event_type_id: id, email: ADA.invitee_email }
    expect((await call('POST', '/v1/email-verifications', { body: proof })).status).toBe(202)
    const { body: outbox } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
    const letter = outbox.data.find(({ subject }: any) => String(subject).startsWith('Your code'))
    const verification_code = /\b\d{6}\b/.exec(letter.body)![0]
    expect((await agent.call('book', { ...args, verification_code })).body.start_time).toBe(START)
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('retries a refused call once the time is free, without a key of its own', async () => {
    const { key, id } = await sandboxFor()
    const [agent, other] = [await connectAgent(), await connectAgent()]
    const { body: theirs } = await other.call('book', { event_type_id: id, start_time: START, ...ADA })
    const args = { event_type_id: id, start_time: START, ...ADA, invitee_email: 'bob@example.com' }
    expect((await agent.call('book', args)).body.error.code).toBe('conflict')
    await other.call('cancel_booking', { id: theirs.id, token: theirs.cancel_token })
    expect((await agent.call('book', args)).body.start_time).toBe(START)
    expect(await bookedStarts(key, id)).toEqual([START])
  })

  it('gets the same refusal for the same key, with the id of the refused request', async () => {
    const { id } = await sandboxFor()
    const [agent, other] = [await connectAgent(), await connectAgent()]
    await other.call('book', { event_type_id: id, start_time: START, ...ADA })
    const args = { event_type_id: id, start_time: START, ...ADA, idempotency_key: 'mine' }
    const [first, again] = [await agent.call('book', args), await agent.call('book', args)]
    expect(first.body.error.code).toBe('conflict')
    expect(again.body).toEqual(first.body)
  })

  it('learns that nothing is open, and when something is', async () => {
    const { id } = await sandboxFor({}, [{ day_of_week: 2, start_time: '09:00', end_time: '10:00' }])
    const agent = await connectAgent()
    const range = { ...MONDAY, timezone: 'America/New_York' }
    const { body } = await agent.call('find_open_times', { event_type_id: id, ...range })
    expect(body).toMatchObject({
      slots: [],
      next_available: '2030-04-02T09:00:00.000Z',
      local_next_available: '2030-04-02T05:00:00-04:00',
    })
    expect(body.suggested_next_action).toContain('next_available')
    expect(Date.parse(NOW)).toBeLessThan(Date.parse(body.next_available))
  })
})
