import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { isChannelSecret } from '../../src/calendars/channels/channel-secret.ts'
import { keepChannel } from '../../src/calendars/channels/keep-channel.ts'
import { replaceChannels } from '../../src/calendars/channels/statements.ts'
import type { Channel, Push, Subscriber } from '../../src/calendars/client/account-client.ts'
import { findForSync } from '../../src/calendars/sync/queries.ts'
import type { Env } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { CalendarError } from '../../src/platform/icalendar/calendar-error.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { channelsOf, insertChannel } from '../support/channels.ts'
import { insertConnection } from '../support/connections.ts'
import { createOrganization } from '../support/factories.ts'
import { pretendAccount } from '../support/pretend-account.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PUBLIC_URL = 'https://book.example'

/** What a provider was asked for, as it answers unless `answers` says otherwise. */
function pretendPush(answers: Partial<Push> = {}) {
  const asked: string[] = []
  const subscribers: Subscriber[] = []
  const push: Push = {
    watch: async (calendarId, subscriber) => {
      asked.push(`watch ${calendarId}`)
      subscribers.push(subscriber)
      return (
        (await answers.watch?.(calendarId, subscriber)) ?? {
          id: subscriber.id,
          resourceId: 'r',
          expiresAt: Date.now() + subscriber.lifetimeMs,
        }
      )
    },
    prolong: async (channel: Channel, lifetimeMs) => {
      asked.push(`prolong ${channel.id}`)
      return answers.prolong
        ? answers.prolong(channel, lifetimeMs)
        : { ...channel, expiresAt: Date.now() + lifetimeMs }
    },
    unwatch: async (channel) => {
      asked.push(`unwatch ${channel.id}`)
      await answers.unwatch?.(channel)
    },
  }
  return { push, asked, subscribers }
}

function refusing(failure: 'refused' | 'unavailable'): Partial<Push> {
  return {
    watch: async () => {
      throw new CalendarError(failure, 'Not now.')
    },
  }
}

async function connected(settings: Record<string, string> = { PUBLIC_URL }) {
  const organization = await createOrganization()
  const connectionId = await insertConnection(organization, 'live', { provider: 'calendar_a' })
  const of: Env = { ...env, ...settings }
  const keep = (push: Push | null, inMs = 0) =>
    keepChannel(of, connectionId, async () => ({ ...pretendAccount('work').client, push }), Date.now() + inMs)
  const set = (changes: string) =>
    env.DB.prepare(`UPDATE calendar_connections SET ${changes} WHERE id = ?`).bind(connectionId).run()
  const isTold = async () => {
    const [row] = await findForSync(openDb(env, 'decide'), connectionId)
    return (row!.toldUntil ?? 0) > Date.now()
  }
  return { organization, connectionId, keep, set, isTold, channels: () => channelsOf(connectionId) }
}

describe('the channel of a connection', () => {
  it('is opened once, with a secret of which only a hash is kept', async () => {
    const { keep, channels, isTold } = await connected()
    const { push, asked, subscribers } = pretendPush()
    expect(await isTold()).toBe(false)
    expect(await keep(push)).toBe(true)
    expect(await keep(push)).toBe(false)
    expect(asked).toEqual(['watch work'])
    expect(subscribers[0]).toMatchObject({
      address: `${PUBLIC_URL}/v1/calendars/calendar_a/notifications`,
    })
    const { id, secret } = subscribers[0]!
    expect(await isChannelSecret(env.ENCRYPTION_KEY, secret)).toBe(true)
    // Graph's clientState holds no more.
    expect(secret.length).toBeLessThanOrEqual(128)
    const [row, ...others] = await channels()
    expect(others).toEqual([])
    expect(row).toMatchObject({ id, resource_id: 'r', provider: 'calendar_a' })
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(await isTold()).toBe(true)
  })

  it('is renewed well before it ends', async () => {
    const { keep, channels } = await connected()
    const { push, asked } = pretendPush()
    await keep(push)
    const [first] = await channels()
    expect(first.expires_at - first.renew_at).toBeGreaterThan(DAY_MS)
    expect(await keep(push, 3 * DAY_MS)).toBe(false)
    expect(asked).toEqual(['watch work'])
    expect(await keep(push, 5 * DAY_MS)).toBe(false)
    expect(asked).toEqual(['watch work', `prolong ${first.id}`])
    const [renewed, ...others] = await channels()
    expect([renewed.id, others]).toEqual([first.id, []])
    expect(renewed.renew_at).toBeGreaterThan(first.renew_at)
  })

  it.each([
    ['does not prolong', async () => null],
    [
      'knows nothing of it any more',
      async () => {
        throw new CalendarError('absent', 'There is no such subscription.')
      },
    ],
  ])('is replaced before it ends if its provider %s', async (_, prolong) => {
    const { keep, channels } = await connected()
    const { push, asked, subscribers } = pretendPush({ prolong })
    await keep(push)
    expect(await keep(push, 5 * DAY_MS)).toBe(true)
    const [first, second] = subscribers
    expect(asked).toEqual(['watch work', `prolong ${first!.id}`, 'watch work', `unwatch ${first!.id}`])
    expect((await channels()).map(({ id }) => id)).toEqual([second!.id])
  })

  it('is the only one, even if two were opened at the same time', async () => {
    const { connectionId, keep, channels } = await connected()
    const ids = [
      await insertChannel(connectionId, 'calendar_a'),
      await insertChannel(connectionId, 'calendar_a'),
    ]
    const { push, asked } = pretendPush()
    expect(await keep(push)).toBe(false)
    const [kept, ...others] = await channels()
    expect(others).toEqual([])
    const [gone] = ids.filter(({ id }) => id !== kept.id)
    expect(asked).toEqual([`prolong ${kept.id}`, `unwatch ${gone!.id}`])
  })

  it('is replaced when its account is connected again', async () => {
    const { keep, channels, connectionId, isTold } = await connected()
    const { push, asked, subscribers } = pretendPush()
    await keep(push)
    const db = openDb(env, 'decide')
    await db.batch([replaceChannels(db, connectionId, Date.now())] as never)
    expect(await isTold()).toBe(false)
    expect(await keep(push)).toBe(true)
    expect(asked).toEqual(['watch work', 'watch work', `unwatch ${subscribers[0]!.id}`])
    expect((await channels()).map(({ id }) => id)).toEqual([subscribers[1]!.id])
  })

  it('is not requested again before the next day if its provider refuses it', async () => {
    const { keep, channels, isTold, connectionId } = await connected()
    const { push, asked } = pretendPush(refusing('refused'))
    expect(await keep(push)).toBe(false)
    expect(asked).toHaveLength(1)
    const [row, ...others] = await channels()
    expect(others).toEqual([])
    expect(row.renew_at).toBeGreaterThan(Date.now() + 23 * HOUR_MS)
    expect(await isTold()).toBe(false)
    // Neither a sync nor the sweep asks for it.
    const [synced] = await findForSync(openDb(env, 'decide'), connectionId)
    expect(synced!.toldUntil).not.toBeNull()
    const { env: own, messages } = serviceWith({})
    await sweep(own, Date.now())
    expect(
      messages.filter((message) => 'connectionId' in message && message.connectionId === connectionId),
    ).toEqual([])
    await sweep(own, Date.now() + DAY_MS)
    expect(messages).toContainEqual({ type: 'calendar-channel', accountId: connectionId, connectionId })

    expect(await keep(pretendPush().push, DAY_MS)).toBe(true)
    expect(await channels()).toHaveLength(1)
    expect(await isTold()).toBe(true)
  })

  it('is requested again in an hour if its provider does not answer', async () => {
    const { keep, channels } = await connected()
    await keep(pretendPush(refusing('unavailable')).push)
    const [row] = await channels()
    expect(row.renew_at - Date.now()).toBeGreaterThan(HOUR_MS / 2)
    expect(row.renew_at - Date.now()).toBeLessThanOrEqual(HOUR_MS)
  })

  it('goes on sending until it ends if it could not be renewed', async () => {
    const { keep, channels, isTold } = await connected()
    await keep(pretendPush().push)
    const dead = { prolong: refusing('unavailable').watch as never }
    const [before] = await channels()
    await keep(pretendPush(dead).push, 5 * DAY_MS)
    const [after] = await channels()
    expect(after).toMatchObject({ id: before.id, expires_at: before.expires_at })
    expect(after.renew_at).toBeGreaterThan(before.renew_at)
    expect(await isTold()).toBe(true)
  })

  it.each(['checks_busy = 0, receives_bookings = 0', "status = 'revoked'"])(
    'ends when nobody needs its notifications any more: %s',
    async (changes) => {
      const { keep, set, channels } = await connected()
      const { push, asked, subscribers } = pretendPush()
      await keep(push)
      await set(changes)
      expect(await keep(push)).toBe(false)
      expect(asked).toEqual(['watch work', `unwatch ${subscribers[0]!.id}`])
      expect(await channels()).toEqual([])
      await keep(push)
      expect(asked).toHaveLength(2)
    },
  )

  it('is not opened if it would not be reachable, or its provider has none', async () => {
    const { push, asked } = pretendPush()
    const local = await connected({ PUBLIC_URL: 'http://localhost:8787', ALLOW_PRIVATE_HOSTS: 'false' })
    expect(await local.keep(push)).toBe(false)
    const silent = await connected()
    expect(await silent.keep(null)).toBe(false)
    expect([asked, await local.channels(), await silent.channels()]).toEqual([[], [], []])

    const doubled = await connected({ PUBLIC_URL: 'http://localhost:8787', ALLOW_PRIVATE_HOSTS: 'true' })
    expect(await doubled.keep(push)).toBe(true)
  })

  it('is ended at once if the connection was removed while it was opened', async () => {
    const { connectionId, keep, channels } = await connected()
    const { push, asked, subscribers } = pretendPush({
      watch: async (_, { id }) => {
        await env.DB.prepare('DELETE FROM calendar_connections WHERE id = ?').bind(connectionId).run()
        return { id, resourceId: null, expiresAt: Date.now() + DAY_MS }
      },
    })
    expect(await keep(push)).toBe(false)
    expect(asked).toEqual(['watch work', `unwatch ${subscribers[0]!.id}`])
    expect(await channels()).toEqual([])
  })
})
