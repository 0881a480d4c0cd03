import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventIdOf } from '../../src/calendars/google/google-event.ts'
import { DAY_MS, HOUR_MS, MONDAY, openCalendar, timed, WINDOW } from '../support/google-calendar.ts'
import { sampleEvent } from '../support/sample-event.ts'
import type { World } from '../support/world.ts'

describe('an event in a Google calendar', () => {
  it('is written, found by its UID, moved and removed, and no email is sent', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY, { location: 'Room 4', url: 'https://meet.example/x' })
    const written = await client.writeEvent(event, null)
    expect(written).toMatchObject({ id: eventIdOf(event.uid), meetingUrl: null })
    expect(written.id).toMatch(/^[a-v0-9]{5,1024}$/)
    const [listed] = await client.listEvents(WINDOW)
    expect(listed).toEqual({
      id: written.id,
      uid: event.uid,
      etag: written.etag,
      time: { start: event.start, end: event.end },
      busy: [{ start: event.start, end: event.end }],
    })
    const moved = { ...event, sequence: 1, start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent(moved, written)
    expect(again.id).toBe(written.id)
    expect((await client.findEvent(again.id))!.time).toEqual({ start: moved.start, end: moved.end })
    const { events = [], mails } = await world.look()
    expect(mails).toEqual([])
    expect(events).toMatchObject([{ summary: event.summary, location: 'Room 4', sequence: 1 }])
    expect(events[0]!.description).toContain('Ada Lovelace (ada@example.com)')
    expect(events[0]!.description).toContain('https://meet.example/x')
    await client.removeEvent(again.id)
    await client.removeEvent(again.id)
    await client.removeEvent('neverthere')
    expect(await client.findEvent(again.id)).toBeNull()
    expect((await world.look()).mails).toEqual([])
  })

  it('says what people wrote as they wrote it, and never as markup', async () => {
    const { world, client } = await openCalendar()
    const evil = 'Notes: <a href="https://evil.example">Join</a>\n<img src=x> & more'
    const attendees = [{ name: '<b>Ada</b>', email: 'ada@example.com' }]
    await client.writeEvent(sampleEvent(MONDAY, { description: evil, attendees, url: null }), null)
    const long = { uid: 'long@holdfast', description: `<${'&'.repeat(8000)}`, attendees: [], url: null }
    await client.writeEvent({ ...sampleEvent(MONDAY), ...long }, null)
    const plain = { uid: 'plain@holdfast', description: 'Tea\nand cake', attendees: [], url: null }
    await client.writeEvent({ ...sampleEvent(MONDAY), ...plain }, null)
    const texts = (await world.look()).events!.map(({ description }) => description as string)
    expect(texts[0]).toBe(
      'Notes: &lt;a href="https://evil.example"&gt;Join&lt;/a&gt;<br>&lt;img src=x&gt; &amp; more' +
        '<br><br>&lt;b&gt;Ada&lt;/b&gt; (ada@example.com)',
    )
    expect(texts[1]).toMatch(/^&lt;(&amp;)+$/)
    expect(texts[1]!.length).toBeLessThanOrEqual(8000)
    expect(texts[2]).toBe('Tea\nand cake')
  })

  it('is one event when it is written twice', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    await client.writeEvent(event, null)
    const time = { start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent({ ...event, ...time, sequence: 1 }, null)
    expect(await client.listEvents(WINDOW)).toMatchObject([{ id: again.id, etag: again.etag, busy: [time] }])
    expect((await world.look()).events).toHaveLength(1)
  })

  it('comes back under its id after it was removed', async () => {
    const { client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const { id } = await client.writeEvent(event, null)
    await client.removeEvent(id)
    expect((await client.writeEvent({ ...event, sequence: 2 }, null)).id).toBe(id)
    expect(await client.listEvents(WINDOW)).toHaveLength(1)
  })

  it('is left alone when its owner changed or deleted it', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const written = await client.writeEvent(event, null)
    await world.change(written.id, timed(MONDAY + 5 * HOUR_MS))
    await expect(client.writeEvent(event, written)).rejects.toMatchObject({ failure: 'changed' })
    const current = (await client.findEvent(written.id))!
    expect(current.time!.start).toBe(MONDAY + 5 * HOUR_MS)
    expect((await client.writeEvent(event, current)).id).toBe(written.id)
    await world.remove(written.id)
    for (const known of [current, { id: written.id, etag: null }, { id: 'nosuchevent', etag: null }]) {
      await expect(client.writeEvent(event, known)).rejects.toMatchObject({ failure: 'changed' })
    }
  })

  it('is somebody else’s when its owner made a copy of it', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const { id } = await client.writeEvent(event, null)
    const { extendedProperties } = (await world.look()).events![0]!
    await world.seed([{ ...timed(MONDAY + DAY_MS), id: 'copy1', extendedProperties }])
    const events = await client.listEvents(WINDOW)
    expect(events.map(({ id: one, uid }) => [one, uid])).toEqual([
      [id, event.uid],
      ['copy1', 'copy1@google.com'],
    ])
  })

  it('is timed again when its owner made it last all day, and free again when they made it so', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const { id } = await client.writeEvent(event, null)
    const allDay = {
      start: { date: '2031-03-10', dateTime: null },
      end: { date: '2031-03-12', dateTime: null },
    }
    await world.change(id, { ...allDay, transparency: 'transparent' })
    const there = (await client.findEvent(id))!
    expect(there.time!.end - there.time!.start).toBe(2 * DAY_MS)
    await client.writeEvent(event, there)
    const time = { start: event.start, end: event.end }
    expect(await client.findEvent(id)).toMatchObject({ time, busy: [time] })
    const again = (await client.findEvent(id))!
    await world.change(id, allDay)
    await client.writeEvent(event, { ...again, etag: null })
    expect(await client.findEvent(id)).toMatchObject({ time })
  })

  it('is restored under another id if Google does not restore it, and stays ours', async () => {
    const { client } = await openCalendar({ isDeletedRestorable: false })
    const event = sampleEvent(MONDAY)
    const first = await client.writeEvent(event, null)
    await client.removeEvent(first.id)
    const second = await client.writeEvent({ ...event, sequence: 2 }, null)
    expect(second.id).not.toBe(first.id)
    expect((await client.writeEvent({ ...event, sequence: 3 }, null)).id).toBe(second.id)
    expect((await client.listEvents(WINDOW)).map(({ id, uid }) => [id, uid])).toEqual([
      [second.id, event.uid],
    ])
  })

  describe('with a meeting', () => {
    const meeting = (start = MONDAY) => sampleEvent(start, { wantsMeeting: true })
    const requestsIn = async (world: World) =>
      (await world.look())
        .calls!.map(({ body }) => body && /"requestId":"([^"]+)"/.exec(body)?.[1])
        .filter(Boolean)

    it('keeps it when it moves', async () => {
      const { world, client } = await openCalendar()
      const event = meeting()
      const written = await client.writeEvent(event, null)
      expect(written.meetingUrl).toMatch(/^https:\/\/meet\.google\.com\/./)
      const moved = { ...event, sequence: 1, start: event.start + DAY_MS, end: event.end + DAY_MS }
      expect((await client.writeEvent(moved, written)).meetingUrl).toBe(written.meetingUrl)
      expect(await requestsIn(world)).toEqual([event.uid])
    })

    it('waits a moment for one that Google makes after it has answered', async () => {
      const { world, client } = await openCalendar({ meeting: 'pending' })
      const event = meeting()
      const written = client.writeEvent(event, null)
      await vi.waitFor(async () => expect((await world.look()).meetings).toHaveLength(1))
      await world.set({ meeting: 'ready' })
      expect((await written).meetingUrl).toContain('https://meet.google.com/')
      expect(await requestsIn(world)).toEqual([event.uid])
    })

    it('asks under the same id while it waits, and under a fresh one once it failed', async () => {
      const { world, client } = await openCalendar({ meeting: 'pending' })
      const event = meeting()
      vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void) =>
        queueMicrotask(done)) as unknown as typeof setTimeout)
      onTestFinished(() => void vi.restoreAllMocks())
      const waiting = await client.writeEvent(event, null)
      expect(waiting.meetingUrl).toBeNull()
      expect((await client.writeEvent(event, waiting)).meetingUrl).toBeNull()
      expect(await requestsIn(world)).toEqual([event.uid])
      await world.set({ meeting: 'failed' })
      const failed = await client.writeEvent(event, { id: waiting.id, etag: null })
      expect(failed.meetingUrl).toBeNull()
      await world.set({ meeting: 'ready' })
      expect((await client.writeEvent(event, failed)).meetingUrl).toContain('https://meet.google.com/')
      expect(await requestsIn(world)).toEqual([event.uid, `${event.uid}#2`, `${event.uid}#3`])
    })

    it('gets one when it is wanted later', async () => {
      const { client } = await openCalendar()
      const event = sampleEvent(MONDAY)
      const plain = await client.writeEvent(event, null)
      expect(plain.meetingUrl).toBeNull()
      const made = await client.writeEvent({ ...event, wantsMeeting: true }, plain)
      expect(made.meetingUrl).toContain('https://meet.google.com/')
    })

    it('is written without one if the calendar has none', async () => {
      const { client } = await openCalendar({ meeting: 'refused' })
      const event = meeting()
      const written = await client.writeEvent(event, null)
      expect(written.meetingUrl).toBeNull()
      expect((await client.writeEvent({ ...event, sequence: 1 }, written)).meetingUrl).toBeNull()
      expect(await client.listEvents(WINDOW)).toHaveLength(1)
    })
  })

  it('distinguishes refusals from temporary failures', async () => {
    const { world, client } = await openCalendar()
    const write = () => client.writeEvent(sampleEvent(MONDAY), null)
    await world.set({ refusals: [{ kind: 'userRateLimitExceeded', retryAfterSeconds: 60 }] })
    await expect(write()).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 60_000 })
    await world.set({ refusals: [{ kind: 'authError', times: 2 }] })
    await expect(write()).rejects.toMatchObject({ failure: 'refused' })
    await world.register({ isApiOn: false })
    await expect(write()).rejects.toMatchObject({ failure: 'misconfigured' })
    await world.register({ isApiOn: true, secret: 'another one' })
    await world.expire()
    await expect(write()).rejects.toMatchObject({ failure: 'misconfigured' })
    await world.register({ secret: 'double-secret_1' })
    expect((await write()).id).toBeTruthy()
    await world.end('revoked')
    await expect(client.removeEvent('x')).rejects.toMatchObject({ failure: 'revoked' })
  })
})

describe('the id of an event', () => {
  it('is base32hex of its UID', () => {
    // RFC 4648, section 10.
    expect(['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map(eventIdOf)).toEqual([
      'co',
      'cpng',
      'cpnmu',
      'cpnmuog',
      'cpnmuoj1',
      'cpnmuoj1e8',
    ])
    expect(eventIdOf('Größe')).not.toBe(eventIdOf('Grosse'))
  })
})
