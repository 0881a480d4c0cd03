import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { channelsOf, graphNotification } from '../support/channels.ts'
import { soon } from '../support/connected.ts'
import { answerConsent } from '../support/consent.ts'
import {
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { visit } from '../support/pages.ts'
import { openWorld } from '../support/world.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
// Nobody is there, so the double takes the address on trust, and tests tell what the double would.
const PUBLIC_URL = 'https://book.example'

type Json = Record<string, any>

/** What a change of a calendar brings about from the provider's word to open slots. */
const SUITES = {
  calendar_b: {
    world: openWorld('microsoft'),
    event: (start: number) => ({
      start: { dateTime: iso(start).slice(0, 19), timeZone: 'UTC' },
      end: { dateTime: iso(start + HOUR_MS).slice(0, 19), timeZone: 'UTC' },
    }),
    watched: ({ subscriptions }: Json) =>
      subscriptions.map(({ id, clientState, notificationUrl, lifecycleNotificationUrl }: Json) => ({
        id,
        secret: clientState,
        addresses: [notificationUrl, lifecycleNotificationUrl],
      })),
    tell: (id: string, secret: string) => ({ body: graphNotification(id, secret) }),
  },
} as const

describe.each(Object.entries(SUITES))('a calendar of %s', (suite, { world, event, watched, tell }) => {
  const notifications = `/v1/calendars/${suite}/notifications`

  async function connected() {
    Object.assign(env, settingsOf(suite as never, world.base), { PUBLIC_URL })
    const { liveKey: key } = await createOrganization()
    const email = `${unique('m')}@example.com`
    const { body } = await call('GET', `/v1/calendars/${suite}/connect`, { key })
    expect((await answerConsent(visit, await world.consent(body.url, email))).status).toBe(200)
    const connection = (await call('GET', '/v1/calendars', { key })).body.data[0]
    const channel = await soon(async () => {
      const [one, ...others] = watched(await world.look(email))
      expect([one, others]).toEqual([expect.objectContaining({ id: expect.any(String) }), []])
      expect(await channelsOf(connection.id)).toMatchObject([{ id: one.id }])
      return one as { id: string; secret: string; addresses: string[] }
    })
    return { key, email, connection, channel }
  }

  it('is told of from soon after it is connected until it is disconnected', async () => {
    const { key, email, connection, channel } = await connected()
    expect(new Set(channel.addresses)).toEqual(new Set([PUBLIC_URL + notifications]))
    expect((await call('DELETE', `/v1/calendars/${connection.id}`, { key })).status).toBe(204)
    expect(watched(await world.look(email))).toEqual([])
    expect(await channelsOf(connection.id)).toEqual([])
    const { headers = {}, ...sent }: Json = tell(channel.id, channel.secret)
    expect((await call('POST', notifications, { headers, ...sent })).status).toBe(204)
  })

  it('closes and opens slots soon after a notification', async () => {
    const { key, email, channel } = await connected()
    const { id } = await createEventType(key)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const told = async (look: () => Promise<void>) => {
      const burst = [1, 2, 3].map(() => call('POST', notifications, tell(channel.id, channel.secret)))
      expect((await Promise.all(burst)).map(({ status }) => status)).toEqual([204, 204, 204])
      await soon(look)
    }
    const [eventId] = await world.seed([event(SLOT)], email)
    await told(async () => expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT)))
    await world.remove(eventId!, email)
    await told(async () => expect(await openStarts(id, SLOT)).toContain(iso(SLOT)))
  })
})
