import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { openTwilio } from '../../doubles/twilio/open-twilio.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'

const ACCOUNT = `AC${'d0'.repeat(16)}`
const SERVICE = `MG${'d0'.repeat(16)}`
const TOKEN = 'double-auth-token-of-32-letters1'
const BASIC = `Basic ${btoa(`${ACCOUNT}:${TOKEN}`)}`
const FROM = '+15005550006'
const PERSON = '+4915112345678'
const CALLBACK = 'http://127.0.0.1:1/status?of=1'
const MESSAGES = `/2010-04-01/Accounts/${ACCOUNT}/Messages`

const { base, control } = freshWorld(openTwilio)

async function call(path: string, init: RequestInit = {}, authorization = BASIC) {
  const response = await fetch(base() + path, { ...init, headers: { Authorization: authorization } })
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json }
}

const send = (form: Record<string, string>, authorization?: string) =>
  call(
    `${MESSAGES}.json`,
    { method: 'POST', body: new URLSearchParams({ To: PERSON, From: FROM, Body: 'Hello', ...form }) },
    authorization,
  )

const sendBy = (service: string) =>
  call(`${MESSAGES}.json`, {
    method: 'POST',
    body: new URLSearchParams({ To: PERSON, MessagingServiceSid: service, Body: 'Hello' }),
  })

const notifications = async () =>
  ((await control('GET', '/notifications')) as Json[]).map((one) => ({
    url: one.url as string,
    signature: one.headers['x-twilio-signature'] as string,
    form: Object.fromEntries(new URLSearchParams(one.body)) as Record<string, string>,
  }))

const receive = (body: string, to = FROM) => control('POST', '/receive', { from: PERSON, to, body })

const wait = () => control('PUT', '', { outcome: 'waits' })

describe('messages', () => {
  it('are accepted in the form of the Messages resource', async () => {
    await wait()
    const { status, json } = await send({})
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'queued',
      from: FROM,
      to: PERSON,
      body: 'Hello',
      num_segments: '1',
      num_media: '0',
      direction: 'outbound-api',
      error_code: null,
      messaging_service_sid: null,
      account_sid: ACCOUNT,
      api_version: '2010-04-01',
    })
    expect(json.sid).toMatch(/^SM[0-9a-f]{32}$/)
    expect(json.date_created).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)
    expect(json.uri).toBe(`${MESSAGES}/${json.sid}.json`)
    expect((await call(`${MESSAGES}/${json.sid}.json`)).json).toEqual(json)
  })

  it('have no sender and no segments before a Messaging Service chose one', async () => {
    await wait()
    const { json } = await sendBy(SERVICE)
    expect(json).toMatchObject({ status: 'accepted', from: null, num_segments: '0' })
    await control('POST', `/messages/${json.sid}/deliver`)
    const later = (await call(`${MESSAGES}/${json.sid}.json`)).json
    expect(later).toMatchObject({ status: 'delivered', from: '+15005550010', num_segments: '1' })
  })

  it.each([
    ['a'.repeat(160), '1'],
    ['a'.repeat(161), '2'],
    [`${'a'.repeat(159)}€`, '2'],
    ['ü'.repeat(160), '1'],
    ['“'.repeat(70), '1'],
    ['“'.repeat(71), '2'],
    [`${'“'.repeat(66)}😀${'“'.repeat(67)}`, '3'],
  ])('are counted in segments (%#)', async (Body, count) => {
    await wait()
    expect((await send({ Body })).json.num_segments).toBe(count)
  })

  it.each([
    [{ To: '' }, 21604],
    [{ From: '' }, 21603],
    [{ Body: '' }, 21602],
    [{ Body: 'a'.repeat(1601) }, 21617],
    [{ To: '015112345678' }, 21211],
    [{ To: FROM }, 21266],
    [{ From: '+15005550099' }, 21659],
    [{ From: '+1' }, 21212],
    [{ From: 'Practice', To: '+12025550123' }, 21612],
    [{ StatusCallback: '/status' }, 21609],
    [{ To: '+15005550009' }, 21614],
    [{ To: '+15005550003' }, 21408],
    [{ To: '+15005550004' }, 21610],
  ])('are refused: %o', async (form, code) => {
    const { status, json } = await send(form)
    expect({ status, code: json.code }).toEqual({ status: 400, code })
    expect(json.more_info).toBe(`https://www.twilio.com/docs/errors/${code}`)
    expect((await control('GET', '')).messages).toEqual([])
  })

  it('are refused from numbers that cannot send, to other regions, and by unknown services', async () => {
    const { registration } = await control('GET', '')
    const numbers = (registration.numbers as Json[]).map((one) => ({ ...one, isSmsCapable: false }))
    await control('PUT', '/registration', { numbers })
    expect((await send({})).json.code).toBe(21606)
    await control('PUT', '/registration', registration)
    await control('PUT', '', { regions: ['+1'] })
    expect((await send({})).json.code).toBe(21408)
    expect((await sendBy(`MG${'0'.repeat(32)}`)).json.code).toBe(21705)
  })

  it('are for the account and its keys alone', async () => {
    const wrong = await send({}, `Basic ${btoa(`${ACCOUNT}:wrong`)}`)
    expect(wrong).toMatchObject({ status: 401, json: { code: 20003, message: 'Authenticate' } })
    expect((await send({}, `Basic ${btoa(`SK${'d0'.repeat(16)}:double-api-key-secret`)}`)).status).toBe(201)
    expect((await call(`${MESSAGES}/SM0.json`)).json).toMatchObject({ code: 20404, status: 404 })
  })

  it('are limited to so many a second', async () => {
    await control('PUT', '', { requestsPerSecond: 0 })
    expect(await send({})).toMatchObject({ status: 429, json: { code: 20429 } })
  })
})

describe('status callbacks', () => {
  it('are signed over the URL and the sorted parameters', async () => {
    await wait()
    const { json } = await send({ StatusCallback: CALLBACK })
    await control('POST', `/messages/${json.sid}/undeliver`, { code: 30005 })
    const told = await notifications()
    expect(told.map(({ form }) => form.MessageStatus)).toEqual(['queued', 'sent', 'undelivered'])
    const { form, signature } = told[2]!
    expect(form).toMatchObject({ MessageSid: json.sid, ErrorCode: '30005', To: PERSON, From: FROM })
    expect(form.RawDlrDoneDate).toMatch(/^\d{10}$/)
    const text = Object.keys(form)
      .sort()
      .reduce((sum, name) => sum + name + form[name], CALLBACK)
    expect(signature).toBe(createHmac('sha1', TOKEN).update(text).digest('base64'))
  })

  it('are signed without the port after `signedPort: left out`', async () => {
    await control('PUT', '', { outcome: 'waits', signedPort: 'left out' })
    const { json } = await send({ StatusCallback: CALLBACK })
    await control('POST', `/messages/${json.sid}/fail`, { code: 30001 })
    const { form, signature } = (await notifications())[0]!
    const text = Object.keys(form)
      .sort()
      .reduce((sum, name) => sum + name + form[name], 'http://127.0.0.1/status?of=1')
    expect(signature).toBe(createHmac('sha1', TOKEN).update(text).digest('base64'))
  })

  it('come in another order and twice', async () => {
    await wait()
    const { json } = await send({ StatusCallback: CALLBACK })
    await control('POST', `/messages/${json.sid}/deliver`, { order: 'reversed', times: 2 })
    const statuses = (await notifications()).map(({ form }) => form.MessageStatus)
    expect(statuses).toEqual(['delivered', 'delivered', 'sent', 'sent', 'queued', 'queued'])
  })

  it('come automatically for what becomes of every message', async () => {
    await control('PUT', '', { outcome: 'undelivered', outcomeCode: 30006, callbackDelayMs: 1 })
    await send({ StatusCallback: CALLBACK })
    await vi.waitFor(async () => expect(await notifications()).toHaveLength(3))
    expect((await control('GET', '')).messages[0]).toMatchObject({ status: 'undelivered', error_code: 30006 })
  })
})

describe('people with a phone', () => {
  it.each(['STOP', 'stop', ' Unsubscribe ', 'OPTOUT'])('unsubscribe from a number with %o', async (word) => {
    await receive(word)
    expect(await send({})).toMatchObject({ status: 400, json: { code: 21610 } })
    expect((await send({ From: '+15005550010' })).status).toBe(201)
    await receive('START')
    expect((await send({})).status).toBe(201)
  })

  it('do not unsubscribe with more words than one', async () => {
    await receive('STOP please')
    expect((await send({})).status).toBe(201)
  })

  it('unsubscribe from all numbers of a Messaging Service', async () => {
    await receive('STOP', '+15005550010')
    expect((await sendBy(SERVICE)).json.code).toBe(21610)
    expect((await send({ From: '+15005550011' })).json.code).toBe(21610)
    expect((await send({})).status).toBe(201)
  })

  it('are not sent what a Messaging Service accepted before it looked', async () => {
    await control('PUT', '', { serviceOptOut: 'fails later', callbackDelayMs: 1 })
    await receive('STOP', '+15005550010')
    const { status, json } = await sendBy(SERVICE)
    expect({ status, now: json.status }).toEqual({ status: 201, now: 'accepted' })
    await vi.waitFor(async () =>
      expect((await call(`${MESSAGES}/${json.sid}.json`)).json).toMatchObject({
        status: 'failed',
        error_code: 21610,
      }),
    )
  })

  it('are forwarded to the webhook of the number, and answered by Twilio', async () => {
    const { registration } = await control('GET', '')
    const inboundUrl = 'http://127.0.0.1:1/inbound'
    const numbers = (registration.numbers as Json[]).map((one) => ({ ...one, inboundUrl }))
    await control('PUT', '/registration', { numbers })
    for (const word of ['STOP', 'STOP', 'HELP', 'Thank you']) await receive(word)
    const told = await notifications()
    expect(told.map(({ form }) => form.Body)).toEqual(['STOP', 'STOP', 'HELP', 'Thank you'])
    expect(told[0]!.form).toMatchObject({ From: PERSON, To: FROM, SmsStatus: 'received', NumMedia: '0' })
    expect(told[0]!.form).not.toHaveProperty('OptOutType')
    const text = Object.keys(told[0]!.form)
      .sort()
      .reduce((sum, name) => sum + name + told[0]!.form[name], inboundUrl)
    expect(told[0]!.signature).toBe(createHmac('sha1', TOKEN).update(text).digest('base64'))
    const replies = ((await control('GET', '')).messages as Json[]).filter(
      (one) => one.direction === 'outbound-reply',
    )
    expect(replies).toHaveLength(2)
  })

  it('are forwarded with the kind of their keyword by services with Advanced Opt-Out', async () => {
    const { registration } = await control('GET', '')
    const services = [{ ...registration.services[0], inboundUrl: 'http://127.0.0.1:1/inbound' }]
    await control('PUT', '/registration', { services })
    await control('PUT', '', { advancedOptOut: true })
    await receive('Quit', '+15005550011')
    expect((await notifications())[0]!.form).toMatchObject({
      OptOutType: 'STOP',
      MessagingServiceSid: SERVICE,
    })
  })
})
