import { describe, expect, inject, it } from 'vitest'
import { findZoomAccount, openZoomMeetings } from '../../src/providers/zoom/zoom-meetings.ts'
import { connect, doorOf } from '../support/doubles/connect.ts'
import { openWorld } from '../support/doubles/control.ts'

const START = Date.UTC(2026, 2, 9, 13)
const REQUEST = {
  topic: 'Intro call',
  agenda: 'With Ada',
  start: START,
  end: START + 45 * 60_000,
  timezone: 'Europe/Berlin',
}

async function openAccount() {
  const world = openWorld(inject('doubles'), 'zoom')
  const { account, kept } = await connect('video_a', world)
  return { world, account, kept, client: openZoomMeetings(doorOf(account)) }
}

describe('a Zoom account', () => {
  it('is known by its address', async () => {
    const { account } = await openAccount()
    expect(await findZoomAccount(doorOf(account))).toEqual({ email: 'owner@example.com' })
  })
})

describe('a Zoom meeting', () => {
  it('is made, moved and deleted', async () => {
    const { world, client } = await openAccount()
    const meeting = await client.createMeeting(REQUEST)
    expect(meeting).toEqual({ id: '81000000000', joinUrl: 'https://zoom.us/j/81000000000?pwd=x' })
    expect((await world.look()).meetings).toMatchObject([
      { type: 2, start_time: '2026-03-09T13:00:00Z', duration: 45, timezone: 'Europe/Berlin' },
    ])
    const moved = { ...REQUEST, start: START + 3_600_000, end: START + 5_400_000 }
    expect(await client.updateMeeting(meeting.id, moved)).toEqual(meeting)
    expect((await world.look()).meetings).toMatchObject([
      { start_time: '2026-03-09T14:00:00Z', duration: 30 },
    ])
    await client.deleteMeeting(meeting.id)
    await client.deleteMeeting(meeting.id)
    expect((await world.look()).meetings).toEqual([])
  })

  it('is no more when its owner deleted it', async () => {
    const { world, client } = await openAccount()
    const { id } = await client.createMeeting(REQUEST)
    await world.removeMeeting(id)
    expect(await client.updateMeeting(id, REQUEST)).toBeNull()
  })

  it('is not taken for gone when Zoom does not know something else', async () => {
    const { client } = await openAccount()
    await expect(client.updateMeeting('no-number', REQUEST)).rejects.toMatchObject({ failure: 'unusable' })
    await expect(client.deleteMeeting('no-number')).rejects.toMatchObject({ failure: 'unusable' })
  })

  it('keeps to what Zoom takes', async () => {
    const { client } = await openAccount()
    const long = { ...REQUEST, topic: 'x'.repeat(500), agenda: 'y'.repeat(9000) }
    expect((await client.createMeeting(long)).id).toBeTruthy()
  })

  it('is made in UTC where Zoom does not know the zone, and not at all where that is not why', async () => {
    const { world, client } = await openAccount()
    await client.createMeeting({ ...REQUEST, timezone: 'Europe/Busingen' })
    expect((await world.look()).meetings).toMatchObject([
      { start_time: '2026-03-09T13:00:00Z', timezone: 'UTC' },
    ])
    await world.set({ failures: 2, failureStatus: 400 })
    await expect(client.createMeeting(REQUEST)).rejects.toMatchObject({ failure: 'unusable' })
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

  it('waits when Zoom says so', async () => {
    const { world, client } = await openAccount()
    await world.set({ failures: 1, failureStatus: 429, retryAfter: '60' })
    await expect(client.createMeeting(REQUEST)).rejects.toMatchObject({
      failure: 'unavailable',
      retryAfterMs: 60_000,
    })
  })
})
