import { exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADA, bookedStarts, connectAgent, NEXT, START, sandboxFor } from '../support/agent.ts'
import { call, freshAddress, type Json } from '../support/app.ts'
import { createEventType, createOrganization, unique } from '../support/factories.ts'

const LIST_BYTES = 40 * 1024
const POST_BYTES = 256 * 1024
const MONTH = { start: '2030-04-01', end: '2030-04-28', timezone: 'Europe/Berlin' }

type Sent = { readonly body: unknown; readonly key?: string | undefined; readonly address?: string }

async function post({ body, key, address = freshAddress() }: Sent) {
  const headers = new Headers({
    'CF-Connecting-IP': address,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(key && { Authorization: `Bearer ${key}` }),
  })
  const request = new Request('https://holdfast.test/mcp', {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const response = await exports.default.fetch(request)
  const bytes = await response.bytes()
  return {
    status: response.status,
    bytes: bytes.byteLength,
    body: JSON.parse(new TextDecoder().decode(bytes)),
  }
}

function callOf(name: string, args: Json, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

/** What takes the most bytes in UTF-8 for its length. */
const long = (length: number) => '語'.repeat(length)

const QUESTIONS = Array.from({ length: 20 }, (_, at) => ({
  key: `q${at}`,
  label: long(100),
  type: 'choice',
  options: Array.from({ length: 10 }, (_, option) => `${long(50)}${option}`),
  help: long(100),
}))

describe('a batch', () => {
  it('of eleven messages is refused as a whole, and one of ten is carried out', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 20 })
    const bookings = Array.from({ length: 11 }, (_, at) =>
      callOf(
        'book',
        { event_type_id: id, start_time: START, ...ADA, invitee_email: `a${at}@example.com` },
        at,
      ),
    )
    const refused = await post({ body: bookings })
    expect([refused.status, refused.body.error.code]).toEqual([400, -32600])
    expect(refused.body.error.data.details).toEqual({ body: 'Must have at most 10 items.' })
    expect(await bookedStarts(key, id)).toEqual([])
    const { status, body } = await post({ body: bookings.slice(1) })
    expect([status, body.length]).toEqual([200, 10])
    expect(await bookedStarts(key, id)).toHaveLength(10)
  })

  it('is carried out in its order, and a refused message stops none after it', async () => {
    const { key, id } = await sandboxFor()
    const asked = [
      callOf('book', { event_type_id: id, start_time: START, ...ADA }, 1),
      callOf('book', { event_type_id: id, start_time: START, ...ADA, invitee_email: 'bob@example.com' }, 2),
      { jsonrpc: '2.0', id: 3, method: 'nothing/like-it' },
      callOf('no_such_tool', {}, 4),
      callOf('book', { event_type_id: id, start_time: NEXT, ...ADA, invitee_email: 'eve@example.com' }, 5),
    ]
    for (let times = 0; times < 3; times++) {
      const { body } = await post({ body: asked, key })
      const byId = new Map<number, any>(body.map((one: any) => [one.id, one]))
      expect(byId.get(1).result.structuredContent.start_time).toBe(START)
      expect(byId.get(2).result.structuredContent.error.code).toBe('conflict')
      expect(byId.get(3).error.code).toBe(-32601)
      expect(byId.get(4).error.code).toBe(-32602)
      expect(byId.get(5).result.structuredContent.start_time).toBe(NEXT)
    }
    expect(await bookedStarts(key, id)).toEqual([START, NEXT])
  })
})

describe('the id of a message', () => {
  it('is short, because it is part of the response', async () => {
    const ping = { jsonrpc: '2.0', method: 'ping' }
    expect((await post({ body: { ...ping, id: 'x'.repeat(255) } })).status).toBe(200)
    for (const body of [
      { ...ping, id: 'x'.repeat(256) },
      [
        { ...ping, id: 1 },
        { ...ping, id: long(256) },
      ],
    ]) {
      const { status, body: answer } = await post({ body })
      expect([status, answer.error.data.details]).toEqual([400, { id: 'Must have at most 255 characters.' }])
    }
  })
})

describe('the answer of a tool that lists', () => {
  it('is at most 40 KB, and the rows are in its structure alone', async () => {
    const { key, id } = await sandboxFor({
      slot_interval_minutes: 5,
      questions: QUESTIONS,
      description: long(900),
    })
    const { bytes, body } = await post({
      body: callOf('find_open_times', { event_type_id: id, ...MONTH, limit: 200 }),
      key,
    })
    expect(bytes).toBeLessThanOrEqual(LIST_BYTES)
    const { structuredContent, content } = body.result
    expect(structuredContent.slots.length).toBeGreaterThan(20)
    expect(structuredContent.has_more).toBe(true)
    expect(structuredContent.event_type.questions.length).toBeGreaterThan(0)
    expect(structuredContent.suggested_next_action).toContain('starting_after')
    const [{ text }] = content
    expect(text.length).toBeLessThan(1_000)
    expect(text).not.toContain(structuredContent.slots[1].start_time)
    expect(JSON.parse(text).rows).toEqual({ slots: structuredContent.slots.length })
  })

  it('lists at most 200 starts, whatever limit says, and every start page by page', async () => {
    const { id } = await sandboxFor({ duration_minutes: 5, slot_interval_minutes: 5 })
    const agent = await connectAgent()
    const asked = { event_type_id: id, start: '2030-04-01', end: '2030-04-01', timezone: 'UTC' }
    const first = await agent.call('find_open_times', { ...asked, limit: 5_000 })
    expect([first.body.slots.length, first.body.has_more]).toEqual([200, true])
    const few = await agent.call('find_open_times', { ...asked, limit: 3 })
    expect([few.body.slots.length, few.body.has_more]).toEqual([3, true])
    const all = first.body.slots.map(({ start_time }: any) => start_time)
    for (let page = first.body; page.has_more; ) {
      const starting_after = page.slots.at(-1).start_time
      page = (await agent.call('find_open_times', { ...asked, limit: 200, starting_after })).body
      all.push(...page.slots.map(({ start_time }: any) => start_time))
    }
    const { body } = await call(
      'GET',
      `/v1/availability?event_type_id=${id}&start=2030-04-01&end=2030-04-01&timezone=UTC`,
    )
    expect(all).toEqual(body.slots.map(({ start_time }: any) => start_time))
    for (const limit of [0, -1, 1.5, 'many', {}]) {
      const refused = await agent.call('find_open_times', { ...asked, limit })
      expect(Object.keys(refused.body.error.details)).toEqual(['limit'])
    }
    const lost = await agent.call('find_open_times', { ...asked, starting_after: 'soon' })
    expect(Object.keys(lost.body.error.details)).toEqual(['starting_after'])
  })

  it('has lean event types, of which the next page is a call away', async () => {
    const { liveKey, slug } = await createOrganization()
    for (let at = 0; at < 30; at++) {
      await createEventType(liveKey, {
        title: `${long(200)} ${at}`,
        slug: unique('e'),
        description: long(990),
        booking_page_enabled: true,
      })
    }
    for (const key of [undefined, liveKey]) {
      const found = new Set<string>()
      let starting_after: string | undefined
      for (let pages = 0; ; pages++) {
        const { bytes, body } = await post({
          body: callOf('find_event_types', {
            ...(key ? {} : { organization: slug }),
            limit: 12,
            starting_after,
          }),
          key,
        })
        expect(bytes).toBeLessThanOrEqual(LIST_BYTES)
        const { event_types, has_more } = body.result.structuredContent
        expect(event_types.length).toBeLessThanOrEqual(12)
        for (const one of event_types) {
          expect(one.description.length).toBeLessThan(300)
          found.add(one.id)
        }
        if (!has_more || pages > 10) break
        starting_after = event_types.at(-1).id
      }
      expect(found.size).toBe(30)
    }
  })

  it('has lean bookings', async () => {
    const { key, id } = await sandboxFor({ max_attendees: 50 })
    for (let at = 0; at < 10; at++) {
      const invitee = { invitee_name: `Ada ${at}`, invitee_email: `ada${at}@example.com`, notes: long(1_900) }
      const metadata = { order: 'x'.repeat(10_000) }
      await call('POST', '/v1/bookings', {
        key,
        body: { event_type_id: id, start_time: START, ...invitee, metadata },
      })
    }
    const { bytes, body } = await post({ body: callOf('list_bookings', { limit: 500 }), key })
    expect(bytes).toBeLessThan(8_000)
    const { data, has_more } = body.result.structuredContent
    expect([data.length, has_more]).toEqual([10, false])
    expect(data[0]).toMatchObject({
      event_type_id: id,
      status: 'confirmed',
      start_time: START,
      invitee_name: 'Ada 9',
    })
    expect(data[0]).not.toHaveProperty('metadata')
  })
})

describe('all answers of one POST', () => {
  let world: Awaited<ReturnType<typeof sandboxFor>>
  let booked: Json

  beforeAll(async () => {
    world = await sandboxFor({
      slot_interval_minutes: 5,
      max_attendees: 100,
      waitlist_enabled: true,
      questions: QUESTIONS.map(({ key, label }) => ({ key, label, type: 'long_text' })),
    })
    const body = {
      event_type_id: world.id,
      start_time: START,
      ...ADA,
      invitee_name: long(255),
      notes: long(2_000),
      attendees: Array.from({ length: 10 }, (_, at) => ({
        name: long(255),
        email: `guest${at}@example.com`,
      })),
      answers: Object.fromEntries(QUESTIONS.slice(0, 3).map(({ key }) => [key, long(5_000)])),
    }
    booked = (await call('POST', '/v1/bookings', { key: world.key, body })).body
    expect(booked.id).toBeTruthy()
  })

  it('are at most 256 KB together, whatever is asked ten times', async () => {
    const { key, id } = world
    const asked: Record<string, object> = {
      times: callOf('find_open_times', { event_type_id: id, ...MONTH, limit: 200 }),
      types: callOf('find_event_types', {}),
      booking: callOf('get_booking', { id: booked.id }),
      day: callOf('explain_time', { event_type_id: id, date: '2030-04-01', timezone: 'UTC' }),
      tools: { jsonrpc: '2.0', method: 'tools/list' },
      wrong: callOf('book', {
        event_type_id: id,
        start_time: START,
        ...ADA,
        attendees: Array(1_500).fill({}),
      }),
    }
    for (const [what, one] of Object.entries(asked)) {
      const batch = Array.from({ length: 10 }, (_, at) => ({ ...one, id: `${what} ${at}` }))
      const { status, bytes, body } = await post({ body: batch, key })
      expect([what, status, body.length]).toEqual([what, 200, 10])
      expect(bytes, what).toBeLessThanOrEqual(POST_BYTES)
    }
  })

  it('have what was cut named, and only words are cut', async () => {
    const { key } = world
    const batch = Array.from({ length: 10 }, (_, at) => callOf('get_booking', { id: booked.id }, at))
    const { body } = await post({ body: batch, key })
    const { structuredContent } = body[0].result
    expect(structuredContent).toMatchObject({ id: booked.id, start_time: START, has_more: true })
    expect(structuredContent.suggested_next_action).toContain('are cut')
    const { body: alone } = await post({ body: callOf('get_booking', { id: booked.id }), key })
    expect(alone.result.structuredContent).toMatchObject({ notes: long(2_000), answers: { q0: long(5_000) } })
    expect(alone.result.structuredContent).not.toHaveProperty('has_more')
  })
})

describe('a refusal', () => {
  it('cuts the name of an invalid field, however long it is', async () => {
    const { id } = await sandboxFor()
    // As text it has four characters for each that was sent.
    const name = '"'.repeat(29_000)
    const sent = callOf('book', { event_type_id: id, start_time: START, ...ADA, answers: { [name]: 'N' } })
    const inexact = JSON.stringify(sent).replace('"N"', '9007199254740993')
    const { body, bytes } = await post({ body: inexact })
    const { error } = body.result.structuredContent
    expect(error.code).toBe('validation_error')
    expect(Object.keys(error.details)[0]).toMatch(/^answers\."{100,}…$/)
    expect(error.message).toMatch(/"{100,}…$/)
    expect(bytes).toBeLessThanOrEqual(8 * 1024)
    const half = JSON.stringify(callOf('book', { answers: { [name]: 'N' } })).replace('"N"', '"\\ud800"')
    const unreadable = await post({ body: half })
    expect([unreadable.status, unreadable.body.error.code]).toEqual([400, -32700])
    expect(unreadable.bytes).toBeLessThanOrEqual(8 * 1024)
  })

  it('names at most twenty fields, however many are wrong', async () => {
    const { id } = await sandboxFor()
    const attendees = Array(100).fill({ name: '', email: 1, timezone: 1 })
    const { body } = await post({
      body: callOf('book', { event_type_id: id, start_time: START, ...ADA, attendees }),
    })
    const { code, details } = body.result.structuredContent.error
    expect([code, Object.keys(details).length]).toEqual(['validation_error', 20])
  })
})
