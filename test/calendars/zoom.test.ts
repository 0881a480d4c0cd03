import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readZoomNotification } from '../../src/calendars/zoom/read-notification.ts'
import { findZoomAccount } from '../../src/calendars/zoom/zoom-account.ts'
import { openZoomMeetings } from '../../src/calendars/zoom/zoom-meetings.ts'
import { openWorld, type World } from '../support/world.ts'
import { connectTo, doorTo } from '../support/world-account.ts'

const DAY_MS = 86_400_000
/** The double knows what is past. */
const START = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 13 * 3_600_000
const REQUEST = {
  topic: 'Intro call',
  agenda: 'With Ada',
  start: START,
  end: START + 45 * 60_000,
  timezone: 'UTC',
}

const told = (instant: number) => new Date(instant).toISOString().replace('.000', '')

async function openAccount() {
  const world = openWorld('zoom')
  const { account, kept } = await connectTo('video_a', world)
  const waits: number[] = []
  const client = openZoomMeetings(doorTo(account), async (ms) => {
    waits.push(ms)
    await world.setAhead(10_000 * waits.length)
  })
  return { world, account, kept, client, waits }
}

async function callsTo(world: World, method: string, path: RegExp) {
  const { calls } = await world.look()
  return calls!.filter((call) => call.method === method && path.test(call.path))
}

describe('a Zoom account', () => {
  it('is known by its id and its address', async () => {
    const { account, world } = await openAccount()
    const { user } = (await world.look()) as any
    expect(await findZoomAccount(doorTo(account))).toEqual({ id: user.id, email: 'owner@example.com' })
  })
})

describe('a Zoom meeting', () => {
  it('is made, moved and deleted', async () => {
    const { world, client } = await openAccount()
    const before = (await world.look()).meetings!.length
    const meeting = await client.createMeeting(REQUEST)
    const kept = async () => (await world.look()).meetings!.find(({ id }) => String(id) === meeting.id)
    expect(await kept()).toMatchObject({
      join_url: meeting.joinUrl,
      topic: 'Intro call',
      type: 2,
      start_time: told(START),
      duration: 45,
    })
    const moved = { ...REQUEST, start: START + 3_600_000, end: START + 5_400_000 }
    expect(await client.updateMeeting(meeting.id, moved)).toEqual(meeting)
    expect(await kept()).toMatchObject({ start_time: told(START + 3_600_000), duration: 30 })
    await client.deleteMeeting(meeting.id)
    await client.deleteMeeting(meeting.id)
    expect((await world.look()).meetings).toHaveLength(before)
  })

  it('does not exist any more when its owner deleted it', async () => {
    const { world, client } = await openAccount()
    const { id } = await client.createMeeting(REQUEST)
    await world.remove(id)
    expect(await client.updateMeeting(id, REQUEST)).toBeNull()
  })

  it('is not taken for gone when Zoom does not know something else', async () => {
    const { client } = await openAccount()
    await expect(client.updateMeeting('no-number', REQUEST)).rejects.toMatchObject({ failure: 'unusable' })
    await expect(client.deleteMeeting('no-number')).rejects.toMatchObject({ failure: 'unusable' })
  })

  it('stays within the limits of Zoom', async () => {
    const { client } = await openAccount()
    const long = { ...REQUEST, topic: 'x'.repeat(500), agenda: 'y'.repeat(9000) }
    expect((await client.createMeeting(long)).id).toBeTruthy()
  })

  it('that Zoom finds wrong is asked for once', async () => {
    const { world, client } = await openAccount()
    await expect(client.createMeeting({ ...REQUEST, timezone: 'Mars/Olympus' })).rejects.toMatchObject({
      failure: 'unusable',
    })
    expect(await callsTo(world, 'POST', /meetings$/)).toHaveLength(1)
  })

  it('is refused, and nothing ends, if the account may not host or lacks a permission', async () => {
    const { world, client } = await openAccount()
    await world.set({ meeting: 'failed' })
    await expect(client.createMeeting(REQUEST)).rejects.toMatchObject({ failure: 'refused' })

    const lacking = openWorld('zoom')
    await lacking.set({ grantedScope: 'user:read:user' })
    const { account } = await connectTo('video_a', lacking)
    const made = openZoomMeetings(doorTo(account)).createMeeting(REQUEST)
    await expect(made).rejects.toMatchObject({
      failure: 'refused',
      message: 'Zoom was not given every permission that is needed.',
    })
  })

  it('is made with tokens that are renewed on the way, of which Zoom takes the latest only', async () => {
    const { world, client, kept } = await openAccount()
    for (let round = 1; round <= 3; round++) {
      await world.expire()
      await client.createMeeting(REQUEST)
      expect(kept).toHaveLength(round + 1)
    }
    expect(new Set(kept.map(({ refreshToken }) => refreshToken)).size).toBe(4)
  })

  it('is refused, and nothing ends, when Zoom takes no token that it just gave', async () => {
    const { world, client, kept } = await openAccount()
    const json = { code: 124, message: 'Invalid access token.' }
    await world.troubles([{ about: 'POST /v2/users/me/meetings', times: 2, status: 401, json }])
    await expect(client.createMeeting(REQUEST)).rejects.toMatchObject({ failure: 'refused' })
    expect(kept).toHaveLength(2)
  })

  it('that is one too many in a second is made in the next ones', async () => {
    const { world, client, waits } = await openAccount()
    await world.set({ plan: 'free' })
    const made = await Promise.all([1, 2, 3, 4].map(() => client.createMeeting(REQUEST)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(4)
    expect(waits.length).toBeGreaterThan(0)
    const json = { code: 429, message: 'You have reached the maximum per-second rate limit for this API.' }
    await world.troubles([{ about: 'POST /v2/users/me/meetings', times: null, status: 429, json }])
    await expect(client.createMeeting(REQUEST)).rejects.toMatchObject({ failure: 'unavailable' })
  })

  it.each(['documented', 'reported'])(
    'waits for the next day of UTC if the quota of the day is used up (%s)',
    async (how) => {
      const { world, client, waits } = await openAccount()
      await world.set({ dailyMeetingRequests: 1, dailyLimitHeaders: how })
      await client.createMeeting(REQUEST)
      const error: any = await client.createMeeting(REQUEST).catch((thrown) => thrown)
      expect(error).toMatchObject({
        failure: 'unavailable',
        message: expect.stringContaining('limit of meetings a day'),
      })
      // Midnight may come in between.
      const intoDay = (Date.now() + error.retryAfterMs) % DAY_MS
      expect(Math.min(intoDay, DAY_MS - intoDay)).toBeLessThan(60_000)
      expect(waits).toEqual([])
    },
  )

  it('waits when Zoom says so', async () => {
    const { world, client } = await openAccount()
    const headers = { 'Retry-After': '60' }
    await world.troubles([{ about: 'POST /v2/users/me/meetings', status: 429, headers, json: {} }])
    await expect(client.createMeeting(REQUEST)).rejects.toMatchObject({
      failure: 'unavailable',
      retryAfterMs: 60_000,
    })
  })
})

describe('a notification of Zoom', () => {
  const NOW = Date.UTC(2026, 2, 9, 13)
  const SECRETS = ['older-secret', 'newer-secret']
  const signed = (body: string, secret: string, timestamp = String(NOW / 1000)) => ({
    timestamp,
    signature: `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  })
  const removed = JSON.stringify({
    event: 'app_deauthorized',
    payload: { user_id: 'zJKyaiAy', account_id: 'x', deauthorization_time: '2026-03-09T12:59:58.000Z' },
  })

  it('is believed when it was signed with one of the secrets in the last five minutes', async () => {
    const read = (body: string, proof: ReturnType<typeof signed>) =>
      readZoomNotification(body, proof, SECRETS, NOW)
    const meant = { kind: 'deauthorized', userId: 'zJKyaiAy', at: NOW - 2000 }
    for (const secret of SECRETS) expect(await read(removed, signed(removed, secret))).toEqual(meant)
    expect(await read(removed, signed(removed, 'another'))).toBeNull()
    expect(await read(`${removed} `, signed(removed, SECRETS[0]!))).toBeNull()
    expect(
      await read(removed, { ...signed(removed, SECRETS[0]!), timestamp: String(NOW / 1000 - 1) }),
    ).toBeNull()
    expect(await read(removed, signed(removed, SECRETS[0]!, String(NOW / 1000 - 301)))).toBeNull()
    for (const signature of ['', 'v0=', 'v0=zz', `v0=${'0'.repeat(64)}`])
      expect(await read(removed, { signature, timestamp: String(NOW / 1000) })).toBeNull()
    expect(await read(removed, { ...signed(removed, SECRETS[0]!), timestamp: '' })).toBeNull()
  })

  it('that means nothing here, or makes no sense, is another', async () => {
    for (const body of [
      '',
      '[]',
      '{"event":"meeting.started","payload":{}}',
      '{"event":"app_deauthorized"}',
      removed.replace('2026-', 'soon-'),
    ])
      expect(await readZoomNotification(body, signed(body, SECRETS[1]!), SECRETS, NOW)).toEqual({
        kind: 'other',
      })
  })

  it('that checks the address gets its token back signed', async () => {
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } })
    const proof = createHmac('sha256', SECRETS[1]!).update('abc').digest('hex')
    expect(await readZoomNotification(body, signed(body, SECRETS[1]!), SECRETS, NOW)).toEqual({
      kind: 'challenge',
      token: 'abc',
      proof,
    })
  })
})
