import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Doubles } from '../../doubles/start-doubles.ts'
import type { Json } from '../../doubles/world.ts'
import { newWorld, reasonOf, startGoogle, timed } from '../support/google-double.ts'

type Message = { readonly headers: IncomingHttpHeaders; readonly body: string }

let doubles: Doubles
const received: Message[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  received.push({ headers: request.headers, body })
  response.end()
})
let address = ''
beforeAll(async () => {
  doubles = await startGoogle()
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`
})
afterAll(async () => {
  receiver.close()
  await doubles.stop()
})

let ids = 0
const events = '/calendars/primary/events'

async function watched(settings: Json = {}, more: Json = {}) {
  const world = newWorld(doubles)
  await world.control('PUT', '', settings)
  const { call } = await world.connect()
  const id = `channel-${++ids}`
  const body: Json = { id, type: 'web_hook', address, token: `of-${id}`, ...more }
  const opened = await call('POST', `${events}/watch`, body)
  const messages = () => received.filter(({ headers }) => headers['x-goog-channel-id'] === id)
  /** What was sent is known at once, what was received a little later. */
  const told = async (count: number) => {
    await vi.waitFor(() => expect(messages().length).toBeGreaterThanOrEqual(count), { timeout: 3000 })
    const { notifications } = (await world.control('GET', '')).json
    expect(notifications).toHaveLength(count)
  }
  const add = () => world.control('POST', '/events', { events: [timed('Changed', 2, 8)] })
  return { ...world, call, id, body, opened, messages, told, add }
}

describe('a channel', () => {
  it('sends sync first, then that there is a change, without a body', async () => {
    const { opened, messages, told, add, id } = await watched()
    expect(opened.json).toMatchObject({ kind: 'api#channel', id, token: `of-${id}` })
    expect(opened.json.resourceUri).toBe(
      'https://www.googleapis.com/calendar/v3/calendars/primary/events?alt=json',
    )
    await told(1)
    await add()
    await told(3)
    const about = messages().map(({ headers, body }) => [
      headers['x-goog-resource-state'],
      Number(headers['x-goog-message-number']),
      body,
    ])
    expect(about.sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      ['sync', 1, ''],
      ['exists', 2, ''],
      ['exists', 3, ''],
    ])
    expect(messages()[0]!.headers).toMatchObject({
      'x-goog-channel-token': `of-${id}`,
      'x-goog-resource-id': opened.json.resourceId,
      'x-goog-resource-uri': opened.json.resourceUri,
      'x-goog-channel-expiration': new Date(Number(opened.json.expiration)).toUTCString(),
    })
  })

  it('sends what the app does itself', async () => {
    const { call, told } = await watched({ notificationsPerChange: 1 })
    await call('POST', events, timed('Ours', 2, 8))
    await told(2)
  })

  it('sends nothing about another calendar', async () => {
    const { control, told } = await watched({ notificationsPerChange: 1 })
    const { id } = (await control('POST', '/calendars', { name: 'Second' })).json
    await control('POST', '/events', { calendar: id, events: [timed('Elsewhere', 2, 8)] })
    await told(1)
  })

  it('loses messages if the world is set so, and their numbers show it', async () => {
    const { messages, told, add } = await watched({ notificationsPerChange: 1, losesEveryNthNotification: 2 })
    for (let times = 0; times < 3; times++) await add()
    await told(3)
    const numbers = messages().map(({ headers }) => Number(headers['x-goog-message-number']))
    expect(numbers.sort()).toEqual([1, 2, 4])
  })

  it('lives a week unless asked, by the clock of the world', async () => {
    const { opened, control, told, add } = await watched({ notificationsPerChange: 1 })
    const left = Number(opened.json.expiration) - Date.now()
    expect(Math.round(left / 86_400_000)).toBe(7)
    await told(1)
    await control('PUT', '/clock', { ahead_ms: left + 2000 })
    await add()
    await control('PUT', '/clock', { ahead_ms: 0 })
    await add()
    await told(2)
  })

  it('lives thirty days at most', async () => {
    const { opened } = await watched({}, { expiration: String(Date.now() + 90 * 86_400_000) })
    expect(Math.round((Number(opened.json.expiration) - Date.now()) / 86_400_000)).toBe(30)
    const short = await watched({}, { params: { ttl: '3600' } })
    expect(Math.round((Number(short.opened.json.expiration) - Date.now()) / 60_000)).toBe(60)
  })

  it('is stopped by its id and its resource, by its creator', async () => {
    const world = await watched({ notificationsPerChange: 1 })
    const { id, opened, call, told, add } = world
    await told(1)
    const stop = (resourceId: string) => call('POST', '/channels/stop', { id, resourceId })
    expect(reasonOf(await stop('another'))).toEqual([404, 'notFound'])
    const other = await world.connect({ as: 'other@example.com' })
    const { resourceId } = opened.json
    expect((await other.call('POST', '/channels/stop', { id, resourceId })).status).toBe(404)
    expect((await stop(resourceId)).status).toBe(204)
    expect((await stop(resourceId)).status).toBe(404)
    await add()
    await world.control('PUT', '', { stoppedChannelLingersSeconds: 60 })
    await add()
    await told(2)
  })

  it('has an id that nobody used, even after it was stopped', async () => {
    const { id, opened, call, body } = await watched()
    expect(reasonOf(await call('POST', `${events}/watch`, body))).toEqual([400, 'channelIdNotUnique'])
    await call('POST', '/channels/stop', { id, resourceId: opened.json.resourceId })
    expect(reasonOf(await call('POST', `${events}/watch`, body))).toEqual([400, 'channelIdNotUnique'])
  })

  it.each([
    ['http to elsewhere', { address: 'http://example.com/told' }, 'push.webhookUrlNotHttps'],
    ['another type', { type: 'email' }, 'push.channelTypeNotSupported'],
    ['no id', { id: undefined }, 'required'],
    ['signs that an id may not have', { id: 'a channel' }, 'invalid'],
    ['an id that is too long', { id: 'a'.repeat(65) }, 'invalid'],
    ['a time that is over', { expiration: 1 }, 'invalid'],
  ])('is refused with %s', async (_, more, reason) => {
    const { opened } = await watched({}, more)
    expect(reasonOf(opened)).toEqual([400, reason])
  })

  it('is not there for what Google makes itself', async () => {
    const { control, call, body } = await watched()
    const { id } = (await control('POST', '/calendars', { name: 'Holidays', kind: 'holidays' })).json
    const refused = await call('POST', `/calendars/${encodeURIComponent(id)}/events/watch`, {
      ...body,
      id: `${body.id}-holidays`,
    })
    expect(reasonOf(refused)).toEqual([400, 'pushNotSupportedForRequestedResource'])
  })

  it('ends with its grant', async () => {
    const { control, told, add } = await watched({ notificationsPerChange: 1 })
    await told(1)
    await control('POST', '/end', { how: 'revoked' })
    await add()
    const { channels, notifications } = (await control('GET', '')).json
    expect(channels[0].live).toBe(false)
    expect(notifications).toHaveLength(1)
  })

  it('may watch the list of calendars', async () => {
    const { call, body, control } = await watched({ notificationsPerChange: 1 })
    const id = `${body.id}-list`
    const { json } = await call('POST', '/users/me/calendarList/watch', { ...body, id })
    expect(json.resourceUri).toContain('/users/me/calendarList')
    await control('POST', '/calendars', { name: 'Second' })
    await vi.waitFor(() =>
      expect(received.filter(({ headers }) => headers['x-goog-channel-id'] === id)).toHaveLength(2),
    )
  })
})
