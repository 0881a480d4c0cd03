import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readAccountName } from '../../src/calendars/accounts/ask-account.ts'
import { newChannelSecret } from '../../src/calendars/channels/channel-secret.ts'
import { pollAfter, pollWhenNotified } from '../../src/calendars/sync/poll-plan.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { rooms } from '../../src/routes.ts'
import { call, freshAddress } from '../support/app.ts'
import { channelsOf, googleHeaders, graphNotification, insertChannel } from '../support/channels.ts'
import { insertConnection } from '../support/connections.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createOrganization } from '../support/factories.ts'

const MINUTE_MS = 60_000
const GOOGLE = '/v1/calendars/calendar_a/notifications'
const GRAPH = '/v1/calendars/calendar_b/notifications'

type Suite = 'calendar_a' | 'calendar_b'

/** A service that counts what it asks the database and whom it tells of what. */
function watched() {
  const { env: counted, trips, ran } = countedEnv()
  const told: string[] = []
  const messages: unknown[] = []
  const own = {
    ...counted,
    ACCOUNTS: {
      getByName: (name: string) => ({
        notified: async (connectionId: string) =>
          void told.push(`${readAccountName(name)[1]} ${connectionId}`),
      }),
    },
    EVENTS: {
      sendBatch: async (batch: Iterable<{ body: unknown }>) =>
        void messages.push(...[...batch].map(({ body }) => body)),
    },
  } as unknown as typeof env
  const serve = createFetch(rooms)
  const post = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const request = new Request(`https://holdfast.test${path}`, {
      method: 'POST',
      headers: { 'CF-Connecting-IP': freshAddress(), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await serve(request, own)
    return {
      status: response.status,
      type: response.headers.get('Content-Type'),
      text: await response.text(),
    }
  }
  return { post, trips, ran, told, messages }
}

async function channel(provider: Suite) {
  const connectionId = await insertConnection(await createOrganization(), 'live', { provider })
  return { connectionId, ...(await insertChannel(connectionId, provider)) }
}

describe('a notification of Google', () => {
  it('has its calendar polled, with one query to the database', async () => {
    const { connectionId, id, secret } = await channel('calendar_a')
    const { post, trips, told } = watched()
    expect(await post(GOOGLE, googleHeaders(id, secret))).toMatchObject({ status: 204, text: '' })
    expect(await post(GOOGLE, googleHeaders(id, secret, 'not_exists'))).toMatchObject({ status: 204 })
    expect([told, trips.count]).toEqual([Array(2).fill(`${connectionId} ${connectionId}`), 2])
    expect(await post(GOOGLE, googleHeaders(id, secret, 'sync'))).toMatchObject({ status: 204 })
    expect([told.length, trips.count]).toEqual([2, 2])
  })

  it('of an anonymous caller is answered 404 and triggers nothing', async () => {
    const { id, secret } = await channel('calendar_a')
    const { post, trips, told, messages } = watched()
    for (const token of ['', 'x', secret.slice(0, -1), `${secret}x`, secret.replace('.', '..'), 'é.é']) {
      const { 'X-Goog-Channel-Token': _, ...headers } = googleHeaders(id, '')
      const sent = token === '' ? headers : { ...headers, 'X-Goog-Channel-Token': encodeURI(token) }
      expect([token, (await post(GOOGLE, sent)).status]).toEqual([token, 404])
    }
    expect(await post(GOOGLE, {})).toMatchObject({ status: 404 })
    expect([told, messages, trips.count]).toEqual([[], [], 0])
  })

  it('with the secret of another channel, or of one that ended, says nothing', async () => {
    const [one, other] = [await channel('calendar_a'), await channel('calendar_a')]
    const ended = await newChannelSecret(env.ENCRYPTION_KEY, one.id)
    const { post, ran, told } = watched()
    for (const [id, secret] of [
      [one.id, other.secret],
      [one.id, ended],
      [crypto.randomUUID(), ended],
    ] as const) {
      expect(await post(GOOGLE, googleHeaders(id, secret))).toMatchObject({ status: 204 })
    }
    // A channel of Google is none of Microsoft's.
    expect(await post(GRAPH, {}, graphNotification(one.id, one.secret))).toMatchObject({ status: 204 })
    expect(told).toEqual([])
    expect(ran.map(({ read, written }) => [read <= 4, written])).toEqual(Array(4).fill([true, 0]))
  })
})

describe('notifications of Graph', () => {
  it('are taken of several subscriptions at once, each by its own secret', async () => {
    const [one, two, three] = [
      await channel('calendar_b'),
      await channel('calendar_b'),
      await channel('calendar_b'),
    ]
    const { post, trips, told } = watched()
    const value = [
      ...graphNotification(one.id, one.secret).value,
      ...graphNotification(one.id, one.secret).value,
      ...graphNotification(two.id, two.secret).value,
      ...graphNotification(three.id, one.secret).value,
      ...graphNotification(three.id, 'made up').value,
      null,
      { subscriptionId: 3 },
    ]
    expect(await post(GRAPH, {}, { value })).toMatchObject({ status: 204 })
    expect(told.sort()).toEqual([one, two].map(({ connectionId: id }) => `${id} ${id}`).sort())
    expect(trips.count).toBe(1)
  })

  it('are preceded by a token that comes back as plain text', async () => {
    const { post, trips } = watched()
    const token = 'Validation: Testing client+application / ünï <b>&amp;</b>'
    const path = `${GRAPH}?validationToken=${encodeURIComponent(token)}`
    expect(await post(path, { 'Content-Type': 'text/plain; charset=utf-8' }, '')).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      text: token,
    })
    expect((await post(`${GRAPH}?validationToken=${'x'.repeat(2049)}`, {})).status).toBe(400)
    expect(trips.count).toBe(0)
  })

  it.each([
    ['missed', true, false, false],
    ['reauthorizationRequired', false, true, false],
    ['subscriptionRemoved', true, true, true],
    ['something new', false, false, false],
  ])('of the life of a subscription are followed: %s', async (event, isAsked, isRenewed, isOver) => {
    const { connectionId, id, secret } = await channel('calendar_b')
    const { post, told, messages } = watched()
    const [before] = await channelsOf(connectionId)
    const answer = await post(GRAPH, {}, graphNotification(id, secret, event))
    expect([204, 404]).toContain(answer.status)
    expect(told.length).toBe(isAsked ? 1 : 0)
    const renewal = { type: 'calendar-channel', accountId: connectionId, connectionId }
    expect(messages).toEqual(isRenewed ? [renewal] : [])
    const [after] = await channelsOf(connectionId)
    expect(after.renew_at <= Date.now()).toBe(isRenewed)
    expect(after.expires_at).toBe(isOver ? 0 : before.expires_at)
  })

  it('of an anonymous caller trigger nothing, and never fail', async () => {
    const { id } = await channel('calendar_b')
    const { post, told, trips, messages } = watched()
    for (const body of ['{', '[]', '"x"', { value: 1 }, {}, '']) {
      expect([body, (await post(GRAPH, {}, body)).status]).toEqual([body, 400])
    }
    const made = graphNotification(id, `${crypto.randomUUID()}.${'a'.repeat(43)}`).value
    for (const value of [[], [null], made, Array(300).fill(made[0])]) {
      expect((await post(GRAPH, {}, { value })).status).toBe(value.length > 200 ? 400 : 404)
    }
    expect([told, messages, trips.count]).toEqual([[], [], 0])
  })
})

it('limits a network that keeps sending false ones, and nobody with a valid secret', async () => {
  const { id, secret } = await channel('calendar_a')
  const headers = { 'CF-Connecting-IP': freshAddress() }
  const wrong = async () =>
    (await call('POST', GOOGLE, { headers: { ...headers, ...googleHeaders(id, 'x') } })).status
  const statuses: number[] = []
  while (statuses.length < 150 && statuses.at(-1) !== 429) statuses.push(await wrong())
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
  const good = await call('POST', GOOGLE, { headers: { ...headers, ...googleHeaders(id, secret) } })
  expect(good.status).toBe(204)
})

describe('a calendar whose provider sends notifications', () => {
  const now = 1_800_000_000_000
  const planned = { at: now + 30 * MINUTE_MS, readAt: now - MINUTE_MS, everyMs: 60 * MINUTE_MS }

  it('is asked once, soon after a burst of notifications', () => {
    const first = pollWhenNotified(planned, now, false)!
    expect(first.at - now).toBeLessThanOrEqual(1_000)
    expect(pollWhenNotified(first, now + 1, false)).toBeNull()
    expect(pollWhenNotified(first, now + 500, false)).toBeNull()
  })

  it('is polled again if a notification arrives during the poll', () => {
    const first = pollWhenNotified(planned, now, false)!
    const began = first.at + 1
    const again = pollWhenNotified(first, began + 1, true)!
    const synced = { outcome: 'changed', isTold: true, wantsChannel: false, isFeed: false } as const
    const next = pollAfter(again, synced, began, 0)!
    expect(next.toldAt).toBe(began + 1)
    expect(next.at - began).toBeLessThanOrEqual(4_000)
    expect(pollAfter(next, synced, next.at, 0)).not.toHaveProperty('toldAt')
  })

  it('is polled every few seconds if it changes all the time, and soon after each change', () => {
    const busy = { at: now + MINUTE_MS, readAt: now - 10, everyMs: 15 * MINUTE_MS }
    const next = pollWhenNotified(busy, now, false)!
    expect(next.at - busy.readAt).toBeGreaterThanOrEqual(3_000)
    expect(next.at - now).toBeLessThan(4_000)
    expect(pollWhenNotified(null, now, false)!.at - now).toBeLessThanOrEqual(1_000)
  })

  it('is polled every fifteen minutes to six hours, less often the more reliable its notifications are', () => {
    const told = { outcome: 'changed', isTold: true, wantsChannel: false, isFeed: false } as const
    const pace = (everyMs: number, toldAt?: number) =>
      pollAfter({ at: now, readAt: 0, everyMs, ...(toldAt && { toldAt }) }, told, now, 0)!.everyMs / MINUTE_MS
    expect(pace(4 * MINUTE_MS)).toBe(15)
    expect(pace(60 * MINUTE_MS, now - 1)).toBe(90)
    expect(pace(60 * MINUTE_MS)).toBe(30)
    expect(pace(360 * MINUTE_MS, now - 1)).toBe(360)
  })
})
