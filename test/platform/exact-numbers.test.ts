import { describe, expect, it } from 'vitest'
import { call, type Json } from '../support/app.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'

const SLOT = dayFromNow(3) + 10 * 60 * 60_000
const QUESTION = { key: 'size', label: 'How many?', type: 'number', required: false }

async function asked() {
  const { liveKey: key } = await createOrganization()
  const { id } = await createEventType(key, { questions: [QUESTION], waitlist_enabled: true })
  return { key, id: id as string }
}

/** JSON with numbers as they are spelled: each "@…" is one. */
function spelled(body: Json): string {
  return JSON.stringify(body).replace(/"@([^"]*)"/g, '$1')
}

const book = (id: string, more: Json) =>
  call('POST', '/v1/bookings', { body: spelled({ ...bookingInput(id, SLOT), ...more }) })

describe('a number that a double cannot hold', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.000',
    '9.007199254740993e15',
    '9.007199254740993E+15',
    '90071992547409930e-1',
    '18446744073709551616',
    '123456789012345678901234567890',
    '1.00000000000000000000000001e26',
  ])('is refused in metadata, and named: %s', async (number) => {
    const { key, id } = await asked()
    for (const metadata of [{ order: `@${number}` }, { a: [{ order: `@${number}` }] }]) {
      const { status, body } = await book(id, { metadata })
      const field = 'order' in metadata ? 'metadata.order' : 'metadata.a.0.order'
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'validation_error',
        [field],
      ])
    }
    expect((await call('GET', '/v1/bookings', { key })).body.data).toEqual([])
  })

  it('is refused in answers, of a hold, when it is confirmed, and in the waitlist', async () => {
    const { id } = await asked()
    const big = '@9007199254740993'
    const { details } = (await book(id, { answers: { size: big } })).body.error
    expect(Object.keys(details)).toEqual(['answers.size'])
    const start = { event_type_id: id, start_time: iso(SLOT) }
    const hold = (metadata: Json) => call('POST', '/v1/holds', { body: spelled({ ...start, metadata }) })
    expect(Object.keys((await hold({ n: big })).body.error.details)).toEqual(['metadata.n'])
    const { body: held } = await hold({ n: 1 })
    const ada = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const confirm = (more: Json) =>
      call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}`, {
        body: spelled({ ...ada, ...more }),
      })
    expect(Object.keys((await confirm({ metadata: { n: big } })).body.error.details)).toEqual(['metadata.n'])
    expect(Object.keys((await confirm({ answers: { size: big } })).body.error.details)).toEqual([
      'answers.size',
    ])
    expect((await confirm({})).status).toBe(201)
    const waiting = await call('POST', '/v1/waitlist', {
      body: spelled({ ...start, ...ada, answers: { size: big } }),
    })
    expect(Object.keys(waiting.body.error.details)).toEqual(['answers.size'])
  })

  it('is refused by a tool, and named', async () => {
    const { id } = await asked()
    const { invitee_name, invitee_email } = bookingInput(id, SLOT)
    const args = { event_type_id: id, start_time: iso(SLOT), invitee_name, invitee_email }
    const params = { name: 'book', arguments: { ...args, answers: { size: '@9007199254740993' } } }
    const { status, body } = await call('POST', '/mcp', {
      headers: { Accept: 'application/json, text/event-stream' },
      body: spelled({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const { isError, structuredContent } = body.result
    expect([status, isError, structuredContent.error.code]).toEqual([200, true, 'validation_error'])
    expect(Object.keys(structuredContent.error.details)).toEqual(['answers.size'])
  })

  it('is nothing to a field that is ignored', async () => {
    const { id } = await asked()
    expect((await book(id, { unknown: '@9007199254740993' })).status).toBe(201)
  })
})

describe('a number that a double holds', () => {
  it('is stored as it was sent, and -0 as 0', async () => {
    const { key, id } = await asked()
    const metadata = {
      tenth: '@0.1',
      exact: '@9007199254740992',
      even: '@9007199254740994',
      large: '@1e21',
      point: '@1.50e3',
      zero: '@-0',
      zeros: '@-0.0e5',
      tiny: '@1e-400',
      text: '9007199254740993',
    }
    const { body } = await book(id, { metadata, answers: { size: '@-0' } })
    const kept = {
      tenth: 0.1,
      exact: 2 ** 53,
      even: 2 ** 53 + 2,
      large: 1e21,
      point: 1500,
      zero: 0,
      zeros: 0,
      tiny: 0,
      text: '9007199254740993',
    }
    expect(body.metadata).toEqual(kept)
    const { body: read } = await call('GET', `/v1/bookings/${body.id}`, { key })
    expect([read.metadata, read.answers]).toEqual([kept, { size: 0 }])
    expect(Object.is(read.metadata.zero, 0)).toBe(true)
  })

  it('takes no long time to read, however many digits it has', async () => {
    const { id } = await asked()
    const { status } = await book(id, { metadata: { n: `@1${'0'.repeat(8_000)}1.${'0'.repeat(40_000)}1` } })
    expect(status).toBe(400)
  })
})
