import { describe, expect, it } from 'vitest'
import type { AccountClient } from '../../src/calendars/client/account-client.ts'
import { openGoogleAccount } from '../../src/calendars/google/google-account.ts'
import { exchangeCode } from '../../src/calendars/oauth/tokens.ts'
import {
  callsDuring,
  DAY_MS,
  HOUR_MS,
  MONDAY,
  OWNER,
  openAccount,
  timed,
} from '../support/google-calendar.ts'
import { sampleEvent } from '../support/sample-event.ts'
import { openWorld } from '../support/world.ts'
import {
  configOf,
  connectTo,
  consentedCodeOf,
  doorTo,
  REDIRECT_URI,
  VERIFIER,
} from '../support/world-account.ts'

const AUTH = 'https://www.googleapis.com/auth/'

describe('a Google account', () => {
  it('is known by the address of its main calendar', async () => {
    const world = openWorld('google')
    const { account } = await connectTo('calendar_a', world, 'ada@example.com')
    expect(await openGoogleAccount(doorTo(account)).identify()).toEqual({ email: 'ada@example.com' })
  })

  it('has its calendars on as many pages as there are, hidden and read-only ones too', async () => {
    const { world, client } = await openAccount()
    await world.set({ pageSize: 2, emptyPages: 1, timeZone: 'America/Sao_Paulo' })
    const added = [
      { name: 'Work', timeZone: 'Europe/Berlin' },
      { name: 'Old', hidden: true },
      { name: 'Team', canWrite: false },
      { name: 'Club', accessRole: 'writer' },
      { name: 'Board', accessRole: 'writerWithoutPrivateAccess' },
      { name: 'Neighbour', accessRole: 'freeBusyReader' },
    ]
    for (const calendar of added) await world.addCalendar(calendar)
    const listed = await client.listCalendars()
    expect(listed[0]).toEqual({
      externalId: OWNER,
      name: OWNER,
      isPrimary: true,
      canWrite: true,
      timezone: 'America/Sao_Paulo',
    })
    expect(listed.slice(1).map(({ name, isPrimary, canWrite }) => [name, isPrimary, canWrite])).toEqual([
      ['Work', false, true],
      ['Old', false, true],
      ['Team', false, false],
      ['Club', false, true],
      ['Board', false, true],
      ['Neighbour', false, false],
    ])
    expect(listed.map(({ reads }) => reads).filter(Boolean)).toEqual(['free_busy'])
    expect(listed[1]!.timezone).toBe('Europe/Berlin')
  })

  it('has calendars of other owners, also with the access of an owner', async () => {
    const { world, client } = await openAccount()
    for (const [accessRole, owner] of [
      ['owner', OWNER.toUpperCase()],
      ['owner', 'boss@example.com'],
      ['writer', 'kim@example.com'],
    ])
      await world.addCalendar({ name: 'Team', accessRole, owner })
    const listed = await client.listCalendars()
    expect(listed.map(({ owner }) => owner)).toEqual([
      undefined,
      undefined,
      'boss@example.com',
      'kim@example.com',
    ])
  })

  it('has its main calendar where it was connected before the list was asked for', async () => {
    const world = openWorld('google')
    const config = configOf('calendar_a', world.base)
    const scopes = ['calendar.events', 'calendar.calendars.readonly']
    const before = { ...config, requiredScopes: {}, scopes: scopes.map((one) => AUTH + one) }
    const exchange = {
      code: await consentedCodeOf(before, world),
      verifier: VERIFIER,
      redirectUri: REDIRECT_URI,
    }
    const tokens = await exchangeCode(before, exchange, fetch)
    await world.addCalendar({ name: 'Work' })
    const client = openGoogleAccount(doorTo({ config, tokens, onTokens: async () => {} }))
    expect(await client.listCalendars()).toEqual([
      { externalId: OWNER, name: OWNER, isPrimary: true, canWrite: true, timezone: 'Europe/Berlin' },
    ])
    const known = { calendarId: OWNER, eventId: 'nosuchevent', uid: 'x', around: { start: 0, end: 1 } }
    expect(await client.findAnywhere(known)).toBeNull()
  })

  it('opens calendars whose ids have signs of their own', async () => {
    const { world, client } = await openAccount()
    const { id } = await world.addCalendar({ name: 'Holidays', kind: 'holidays' })
    await world.seed([timed(MONDAY)], OWNER, id)
    const calendar = client.openCalendar({ calendarId: id, timezone: null })
    expect(id).toContain('#')
    expect(await calendar.listEvents({ start: MONDAY, end: MONDAY + DAY_MS })).toHaveLength(1)
  })
})

describe('an event that its owner put elsewhere', () => {
  const around = { start: MONDAY - DAY_MS, end: MONDAY + 2 * DAY_MS }

  async function withEvent() {
    const { world, client } = await openAccount()
    const [work, other] = [
      await world.addCalendar({ name: 'Work' }),
      await world.addCalendar({ name: 'Other' }),
    ]
    await world.addCalendar({ name: 'Team', canWrite: false })
    const event = sampleEvent(MONDAY)
    const { id } = await client.openCalendar({ calendarId: OWNER, timezone: null }).writeEvent(event, null)
    const find = () => client.findAnywhere({ calendarId: OWNER, eventId: id, uid: event.uid, around })
    return { world, client, event, id, work: work.id, other: other.id, find }
  }

  it('is found where it was, without a search elsewhere', async () => {
    const { world, event, find } = await withEvent()
    let found: Awaited<ReturnType<AccountClient['findAnywhere']>> = null
    const calls = await callsDuring(world, async () => {
      found = await find()
    })
    expect(found).toMatchObject({ calendarId: OWNER, event: { uid: event.uid } })
    expect(calls).toHaveLength(1)
  })

  it('is found in another calendar that it was dragged to, changed or not', async () => {
    const { world, event, id, work, other, find } = await withEvent()
    await world.drag(id, other)
    expect(await find()).toMatchObject({ calendarId: other, event: { id, uid: event.uid } })
    await world.drag(id, work)
    await world.change(id, timed(MONDAY + 5 * DAY_MS))
    const calls = await callsDuring(world, async () => {
      expect(await find()).toMatchObject({
        calendarId: work,
        event: { id, time: { start: MONDAY + 5 * DAY_MS } },
      })
    })
    expect(calls).toHaveLength(3)
  })

  it('is nowhere only when every calendar that could have it says so', async () => {
    const { world, id, find } = await withEvent()
    await world.remove(id)
    const calls = await callsDuring(world, async () => expect(await find()).toBeNull())
    expect(calls).toHaveLength(4)
    await world.troubles([{ about: 'calendarList', status: 503 }])
    await expect(find()).rejects.toMatchObject({ failure: 'unavailable' })
  })

  it('is not nowhere when its calendar went away itself', async () => {
    const { world, client, event, id, work } = await withEvent()
    await world.drag(id, work)
    await world.removeCalendar(work)
    const asked = client.findAnywhere({ calendarId: work, eventId: id, uid: event.uid, around })
    await expect(asked).rejects.toMatchObject({ failure: 'absent' })
  })
})

describe('the changes of a Google calendar', () => {
  const subscriber = (address = 'http://127.0.0.1:9/notifications') => ({
    id: crypto.randomUUID(),
    secret: 'a-secret',
    address,
    lifetimeMs: 7 * DAY_MS,
  })
  const channelsOf = async (world: ReturnType<typeof openWorld>) =>
    (await world.look()).channels!.map(({ id, live }) => [id, live])

  it('are sent until the channel is stopped, which may be done twice', async () => {
    const { world, client } = await openAccount()
    const asked = subscriber()
    const channel = await client.push!.watch(OWNER, asked)
    expect(channel.id).toBe(asked.id)
    expect(channel.resourceId).toBeTruthy()
    expect(Math.abs(channel.expiresAt - Date.now() - 7 * DAY_MS)).toBeLessThan(HOUR_MS)
    await world.seed([timed(MONDAY)])
    const { notifications } = await world.look()
    expect(notifications!.at(-1)!.headers).toMatchObject({
      'X-Goog-Channel-ID': asked.id,
      'X-Goog-Channel-Token': 'a-secret',
    })
    expect(await client.push!.prolong(channel, DAY_MS)).toBeNull()
    await client.push!.unwatch(channel)
    await client.push!.unwatch(channel)
    expect(await channelsOf(world)).toEqual([[asked.id, false]])
  })

  it('are not sent for longer than Google wants', async () => {
    const { client } = await openAccount()
    const { expiresAt } = await client.push!.watch(OWNER, { ...subscriber(), lifetimeMs: 365 * DAY_MS })
    expect(expiresAt - Date.now()).toBeLessThan(31 * DAY_MS)
  })

  it('are not sent if Google does not send any, or not to such an address', async () => {
    const { world, client } = await openAccount()
    const { id } = await world.addCalendar({ name: 'Holidays', kind: 'holidays' })
    await expect(client.push!.watch(id, subscriber())).rejects.toMatchObject({ failure: 'unusable' })
    const plain = client.push!.watch(OWNER, subscriber('http://holdfast.example/notifications'))
    await expect(plain).rejects.toMatchObject({ failure: 'unusable' })
    await world.set({ refusals: [{ kind: 'tooManyRequests', retryAfterSeconds: 30 }] })
    await expect(client.push!.watch(OWNER, subscriber())).rejects.toMatchObject({
      failure: 'unavailable',
      retryAfterMs: 30_000,
    })
    await expect(client.push!.watch('nobody', subscriber())).rejects.toMatchObject({ failure: 'absent' })
  })
})
