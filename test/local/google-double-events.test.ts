import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Doubles } from '../../doubles/start-doubles.ts'
import type { Json } from '../../doubles/world.ts'
import { at, newWorld, reasonOf, startGoogle, timed } from '../support/google-double.ts'

let doubles: Doubles
beforeAll(async () => {
  doubles = await startGoogle()
})
afterAll(() => doubles.stop())

const events = '/calendars/primary/events'

async function connected() {
  const world = newWorld(doubles)
  return { ...world, ...(await world.connect()) }
}

describe('an event that is put in', () => {
  it('has what Google gives it', async () => {
    const { call } = await connected()
    const { status, json } = await call('POST', events, timed('Talk', 2, 8))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      summary: 'Talk',
      creator: { email: 'owner@example.com', self: true },
      organizer: { email: 'owner@example.com', self: true },
      start: { dateTime: '2031-06-02T10:00:00+02:00', timeZone: 'Europe/Berlin' },
      iCalUID: `${json.id}@google.com`,
      sequence: 0,
      reminders: { useDefault: true },
      eventType: 'default',
    })
    expect(json.id).toMatch(/^[a-v0-9]{26}$/)
    expect(json.etag).toMatch(/^"\d{16}"$/)
    expect([json.transparency, json.visibility, json.attendees]).toEqual([undefined, undefined, undefined])
  })

  it('keeps an id of base32hex that was chosen for it, which is taken then, even once it is deleted', async () => {
    const { call, control } = await connected()
    const id = 'holdfast0123456789av'.replaceAll(/[w-z]/g, 'a')
    expect((await call('POST', events, timed('Talk', 2, 8, { id }))).json.id).toBe(id)
    const duplicate = [409, 'duplicate']
    expect(reasonOf(await call('POST', events, timed('Talk', 2, 8, { id })))).toEqual(duplicate)
    await call('DELETE', `${events}/${id}`)
    expect(reasonOf(await call('POST', events, timed('Talk', 2, 8, { id })))).toEqual(duplicate)
    await control('DELETE', `/events/${id}?purge=1`)
    expect((await call('GET', `${events}/${id}`)).status).toBe(404)
    expect(reasonOf(await call('POST', events, timed('Talk', 2, 8, { id })))).toEqual(duplicate)
  })

  it.each([
    ['an id with other signs', { id: 'holdfast-wxyz' }, 'invalid'],
    ['an id that is too short', { id: 'abcd' }, 'invalid'],
    ['an id and a UID', { id: 'abcdefgh', iCalUID: 'a@b' }, 'invalid'],
    ['no end', { end: undefined }, 'required'],
    ['a date and a time', { start: { date: '2031-06-02', dateTime: at(2, 8) } }, 'invalid'],
    ['a date that ends at a time', { start: { date: '2031-06-02' } }, 'invalid'],
    ['no length', { end: { dateTime: at(2, 8), timeZone: 'Europe/Berlin' } }, 'timeRangeEmpty'],
    ['a time without offset and zone', { start: { dateTime: '2031-06-02T08:00:00' } }, 'required'],
    ['an unknown zone', { start: { dateTime: at(2, 8), timeZone: 'Mars/One' } }, 'invalid'],
    [
      'a series without a zone',
      { start: { dateTime: at(2, 8) }, recurrence: ['RRULE:FREQ=DAILY'] },
      'required',
    ],
    ['a start in its rule', { recurrence: ['DTSTART:20310602'] }, 'invalid'],
    ['a guest without address', { attendees: [{ displayName: 'Kim' }] }, 'required'],
    ['an unknown transparency', { transparency: 'busy' }, 'invalid'],
  ])('is refused with %s', async (_, more, reason) => {
    const { call } = await connected()
    expect(reasonOf(await call('POST', events, timed('Talk', 2, 8, more)))).toEqual([400, reason])
  })

  it('goes into no calendar that may only be read, and into none that is not there', async () => {
    const { call, control } = await connected()
    const { json } = await control('POST', '/calendars', { name: 'Read', canWrite: false })
    const refused = await call('POST', `/calendars/${encodeURIComponent(json.id)}/events`, timed('x', 2, 8))
    expect(reasonOf(refused)).toEqual([403, 'requiredAccessLevel'])
    const gone = await call('POST', '/calendars/nobody%40example.com/events', timed('x', 2, 8))
    expect(reasonOf(gone)).toEqual([404, 'notFound'])
  })

  it('sends emails only on request', async () => {
    const { call, control } = await connected()
    const guest = { attendees: [{ email: 'guest@example.net' }] }
    const { json } = await call('POST', events, timed('Quiet', 2, 8, guest))
    expect(json.attendees).toEqual([{ email: 'guest@example.net', responseStatus: 'needsAction' }])
    await call('POST', `${events}?sendUpdates=all`, timed('Loud', 2, 8, guest))
    await call('DELETE', `${events}/${json.id}?sendUpdates=all`)
    const { mails } = (await control('GET', '')).json
    expect(mails.map(({ kind, to }: Json) => [kind, to])).toEqual([
      ['invitation', 'guest@example.net'],
      ['cancellation', 'guest@example.net'],
    ])
  })
})

describe('an event that is changed', () => {
  it('is merged by PATCH, so that an all-day event only becomes timed if its date is removed', async () => {
    const { call } = await connected()
    const { json } = await call('POST', events, {
      summary: 'Day',
      start: { date: '2031-06-02' },
      end: { date: '2031-06-03' },
      extendedProperties: { private: { a: '1' } },
    })
    const path = `${events}/${json.id}`
    const { start, end } = timed('', 2, 8)
    expect(reasonOf(await call('PATCH', path, { start, end }))).toEqual([400, 'invalid'])
    const clear = { start: { ...start, date: null }, end: { ...end, date: null } }
    const changed = await call('PATCH', path, { ...clear, extendedProperties: { private: { b: '2' } } })
    expect(changed.json).toMatchObject({
      summary: 'Day',
      start: { dateTime: '2031-06-02T10:00:00+02:00' },
      extendedProperties: { private: { a: '1', b: '2' } },
      sequence: 1,
    })
    expect(changed.json.start.date).toBeUndefined()
  })

  it('is replaced by PUT, which takes away what it leaves out', async () => {
    const { call } = await connected()
    const { json } = await call(
      'POST',
      events,
      timed('Talk', 2, 8, { description: 'Long', location: 'Here' }),
    )
    const { json: after } = await call('PUT', `${events}/${json.id}`, timed('Talk', 2, 9))
    expect([after.description, after.location, after.iCalUID]).toEqual([undefined, undefined, json.iCalUID])
    const bare = await call('PUT', `${events}/${json.id}`, { summary: 'Without times' })
    expect(bare.status).toBe(400)
  })

  it('is left unchanged if somebody else changed it first', async () => {
    const { call } = await connected()
    const { json } = await call('POST', events, timed('Talk', 2, 8))
    const path = `${events}/${json.id}`
    const { json: changed } = await call('PATCH', path, { summary: 'Other' })
    expect(changed.etag).not.toBe(json.etag)
    const stale = { 'If-Match': json.etag }
    expect(reasonOf(await call('PATCH', path, { summary: 'Mine' }, stale))).toEqual([412, 'conditionNotMet'])
    expect(reasonOf(await call('DELETE', path, undefined, stale))).toEqual([412, 'conditionNotMet'])
    expect((await call('DELETE', path, undefined, { 'If-Match': changed.etag })).status).toBe(204)
  })

  it('of another organizer only has an answer of its own', async () => {
    const { call, control } = await connected()
    const { json } = await control('POST', '/events', {
      events: [
        timed('Invited', 2, 8, {
          organizer: { email: 'boss@example.net' },
          attendees: [{ email: 'owner@example.com', responseStatus: 'needsAction' }],
        }),
      ],
    })
    const path = `${events}/${json.ids[0]}`
    expect(reasonOf(await call('PATCH', path, { summary: 'Mine' }))).toEqual([
      403,
      'forbiddenForNonOrganizer',
    ])
    const answer = { attendees: [{ email: 'owner@example.com', responseStatus: 'declined' }] }
    const { json: declined } = await call('PATCH', path, answer)
    expect(declined.attendees).toEqual([
      { email: 'owner@example.com', self: true, responseStatus: 'declined' },
    ])
  })
})

describe('an event that is deleted', () => {
  it('is still given by its id, and cannot be deleted again', async () => {
    const { call } = await connected()
    const { json } = await call('POST', events, timed('Talk', 2, 8))
    const path = `${events}/${json.id}`
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).json).toMatchObject({ status: 'cancelled', summary: 'Talk' })
    expect(reasonOf(await call('DELETE', path))).toEqual([410, 'deleted'])
    expect((await call('DELETE', `${events}/nosuchevent`)).status).toBe(404)
  })

  it('may come back by another status, unless the world forbids it', async () => {
    const { call, control } = await connected()
    const { json } = await call('POST', events, timed('Talk', 2, 8))
    const path = `${events}/${json.id}`
    await call('DELETE', path)
    await control('PUT', '', { isDeletedRestorable: false })
    expect((await call('PATCH', path, { status: 'confirmed' })).status).toBe(403)
    await control('PUT', '', { isDeletedRestorable: true })
    expect((await call('PATCH', path, { status: 'confirmed' })).json.status).toBe('confirmed')
  })
})

describe('an event that is moved into another calendar', () => {
  it('keeps its id there and leaves one behind that has nothing else', async () => {
    const { call, control } = await connected()
    const { json: second } = await control('POST', '/calendars', { name: 'Second' })
    const there = `/calendars/${encodeURIComponent(second.id)}/events`
    const { json } = await call('POST', events, timed('Talk', 2, 8))
    await control('POST', `/events/${json.id}/move`, { calendar: second.id })
    const left = (await call('GET', `${events}/${json.id}`)).json
    expect(Object.keys(left).sort()).toEqual(['etag', 'id', 'kind', 'status'])
    expect(left.status).toBe('cancelled')
    const moved = await call('GET', `${there}/${json.id}`)
    expect(moved.json).toMatchObject({ id: json.id, iCalUID: json.iCalUID, organizer: { email: second.id } })
    expect(moved.json.summary).toBe('Talk')
    const dragged = await control('POST', `/events/${json.id}/move`, { calendar: 'primary' })
    expect(dragged.json.id).toBe(json.id)
    expect((await call('GET', `${events}/${json.id}`)).json.status).toBe('confirmed')
  })

  it('has another id if the world is set so, but the same UID', async () => {
    const { call, control } = await connected()
    await control('PUT', '', { movedEventsKeepId: false })
    const { json: second } = await control('POST', '/calendars', { name: 'Second' })
    const { json } = await call('POST', events, timed('Talk', 2, 8))
    const dragged = await control('POST', `/events/${json.id}/move`, { calendar: second.id })
    expect(dragged.json.id).not.toBe(json.id)
    const path = `/calendars/${encodeURIComponent(second.id)}/events`
    const { items } = (await call('GET', `${path}?iCalUID=${encodeURIComponent(json.iCalUID)}`)).json
    expect(items.map(({ id }: Json) => id)).toEqual([dragged.json.id])
  })
})

describe('a conference', () => {
  const ask = (requestId: string): Json => ({
    conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  })
  const versioned = `${events}?conferenceDataVersion=1`

  it('is ignored without its version, and there at once with it', async () => {
    const { call } = await connected()
    const without = await call('POST', events, timed('Talk', 2, 8, ask('one')))
    expect(without.json.conferenceData).toBeUndefined()
    const { json } = await call('POST', versioned, timed('Talk', 2, 8, ask('one')))
    expect(json.conferenceData.createRequest.status.statusCode).toBe('success')
    expect(json.conferenceData.entryPoints[0].uri).toBe(json.hangoutLink)
    expect(json.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/)
    const kept = await call('PATCH', `${events}/${json.id}`, { summary: 'Other', conferenceData: null })
    expect(kept.json.hangoutLink).toBe(json.hangoutLink)
  })

  it('that failed wants another request than the one before', async () => {
    const { call, control } = await connected()
    await control('PUT', '', { meeting: 'failed' })
    const { json } = await call('POST', versioned, timed('Talk', 2, 8, ask('one')))
    expect(json.conferenceData).toEqual({
      createRequest: { ...ask('one').conferenceData.createRequest, status: { statusCode: 'failure' } },
    })
    await control('PUT', '', { meeting: 'ready' })
    const path = `${events}/${json.id}?conferenceDataVersion=1`
    const same = await call('PATCH', path, ask('one'))
    expect(same.json.conferenceData.createRequest.status.statusCode).toBe('failure')
    const fresh = await call('PATCH', path, ask('two'))
    expect(fresh.json.conferenceData.createRequest.status.statusCode).toBe('success')
  })

  it('may be pending and come later, as a change of the event', async () => {
    const { call, control } = await connected()
    await control('PUT', '', { meeting: 'pending' })
    const { json } = await call('POST', versioned, timed('Talk', 2, 8, ask('one')))
    expect([json.hangoutLink, json.conferenceData.createRequest.status.statusCode]).toEqual([
      undefined,
      'pending',
    ])
    await control('PUT', '', { meeting: 'ready' })
    const later = await call('GET', `${events}/${json.id}`)
    expect(later.json.etag).not.toBe(json.etag)
    expect(later.json.hangoutLink).toMatch(/^https:/)
  })

  it('may be refused with the whole event', async () => {
    const { call, control } = await connected()
    await control('PUT', '', { meeting: 'refused' })
    const refused = await call('POST', versioned, timed('Talk', 2, 8, ask('one')))
    expect([refused.status, refused.json.error.message]).toEqual([400, 'Invalid conference type value.'])
  })
})

describe('a series', () => {
  const weekly = { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }

  it('keeps its hour when clocks change', async () => {
    const { call } = await connected()
    const { json } = await call('POST', events, {
      summary: 'Weekly',
      start: { dateTime: '2031-10-20T09:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2031-10-20T10:00:00', timeZone: 'Europe/Berlin' },
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
    })
    const { items } = (await call('GET', `${events}/${json.id}/instances`)).json
    expect(items.map(({ id, start }: Json) => [id, start.dateTime])).toEqual([
      [`${json.id}_20311020T070000Z`, '2031-10-20T09:00:00+02:00'],
      [`${json.id}_20311027T080000Z`, '2031-10-27T09:00:00+01:00'],
    ])
  })

  it('has instances that can be moved and deleted alone', async () => {
    const { call } = await connected()
    const { json } = await call('POST', events, timed('Weekly', 2, 8, weekly))
    const second = `${json.id}_20310609T080000Z`
    const third = `${json.id}_20310616T080000Z`
    const { start, end } = timed('', 10, 12)
    const moved = await call('PATCH', `${events}/${second}`, { start, end })
    expect(moved.json).toMatchObject({
      recurringEventId: json.id,
      originalStartTime: { dateTime: '2031-06-09T10:00:00+02:00' },
      start: { dateTime: '2031-06-10T14:00:00+02:00' },
    })
    await call('DELETE', `${events}/${third}`)
    const singles = (await call('GET', `${events}?singleEvents=true&orderBy=startTime`)).json.items
    expect(singles.map(({ start }: Json) => start.dateTime.slice(0, 10))).toEqual([
      '2031-06-02',
      '2031-06-10',
      '2031-06-23',
    ])
    const { items } = (await call('GET', events)).json
    expect(items.find(({ id }: Json) => id === third)).toEqual({
      kind: 'calendar#event',
      etag: expect.any(String),
      id: third,
      status: 'cancelled',
      recurringEventId: json.id,
      originalStartTime: { dateTime: '2031-06-16T10:00:00+02:00', timeZone: 'Europe/Berlin' },
    })
    expect(reasonOf(await call('GET', `${events}/${json.id}_20310610T080000Z`))).toEqual([404, 'notFound'])
  })

  it.each([
    ['RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3', ['2031-06-02', '2031-06-27', '2031-07-25', '2031-08-29']],
    ['RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20310606', ['2031-06-02', '2031-06-04', '2031-06-06']],
    ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3', ['2031-06-02', '2031-06-04', '2031-06-09']],
    ['RRULE:FREQ=YEARLY;COUNT=2', ['2031-06-02', '2032-06-02']],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2', ['2031-06-02', '2031-07-31', '2031-08-31']],
  ])('follows %s', async (rule, days) => {
    const { call } = await connected()
    const { json } = await call('POST', events, {
      start: { date: '2031-06-02' },
      end: { date: '2031-06-03' },
      recurrence: [rule],
    })
    const list = await call('GET', `${events}/${json.id}/instances?timeMax=2033-01-01T00:00:00Z`)
    expect(list.json.items.map(({ start }: Json) => start.date)).toEqual(days)
  })
})
