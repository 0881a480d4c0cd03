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
const summaries = (items: Json[]) => items.map(({ summary }) => summary)

async function connected(put: Json[] = []) {
  const world = newWorld(doubles)
  const { ids } = (await world.control('POST', '/events', { events: put })).json
  return { ...world, ...(await world.connect()), ids: ids as string[] }
}

describe('a list of events', () => {
  it('holds what ends after timeMin and starts before timeMax', async () => {
    const { call } = await connected([timed('Before', 2, 7), timed('Within', 2, 8), timed('After', 2, 9)])
    const { items } = (await call('GET', `${events}?timeMin=${at(2, 8)}&timeMax=${at(2, 9)}`)).json
    expect(summaries(items)).toEqual(['Within'])
  })

  it('has 250 on a page unless asked, 2500 at most, and a sync token only on the last', async () => {
    const many = Array.from({ length: 2600 }, (_, index) => timed(`${index}`, 2, 8))
    const { call } = await connected(many)
    const usual = (await call('GET', events)).json
    expect([usual.items.length, 'nextSyncToken' in usual]).toEqual([250, false])
    const most = (await call('GET', `${events}?maxResults=9999`)).json
    expect(most.items).toHaveLength(2500)
    const last = (await call('GET', `${events}?maxResults=9999&pageToken=${most.nextPageToken}`)).json
    expect([last.items.length, 'nextPageToken' in last, 'nextSyncToken' in last]).toEqual([100, false, true])
    const other = await call('GET', `${events}?showDeleted=true&pageToken=${most.nextPageToken}`)
    expect(reasonOf(other)).toEqual([400, 'invalid'])
  })

  it('may have pages with less than was asked, and with nothing', async () => {
    const { call, control } = await connected([timed('One', 2, 8), timed('Two', 2, 9)])
    await control('PUT', '', { pageSize: 1, emptyPages: 1 })
    const first = (await call('GET', events)).json
    const second = (await call('GET', `${events}?pageToken=${first.nextPageToken}`)).json
    const third = (await call('GET', `${events}?pageToken=${second.nextPageToken}`)).json
    expect([first, second, third].map(({ items }) => summaries(items))).toEqual([[], ['One'], ['Two']])
    expect(third.nextSyncToken).toBeTruthy()
  })

  it.each([
    ['orderBy=startTime', 'invalid'],
    [`timeMin=${at(2, 8)}&timeMax=${at(2, 8)}`, 'timeRangeEmpty'],
    ['timeMin=2031-06-02T08:00:00', 'badRequest'],
    [`timeMin=2031-06-02T08:00:00+02:00`, 'badRequest'],
    ['maxResults=0', 'invalidParameter'],
    ['singleEvents=yes', 'invalidParameter'],
    ['unheardOf=1', 'invalidParameter'],
    ['fields=items(nothing)', 'invalidParameter'],
    ['privateExtendedProperty=novalue', 'invalid'],
    ['timeZone=Mars/One', 'invalid'],
  ])('refuses %s', async (query, reason) => {
    const { call } = await connected()
    expect(reasonOf(await call('GET', `${events}?${query}`))).toEqual([400, reason])
  })

  it('finds by a private property, a UID, words and kinds', async () => {
    const { call } = await connected([
      timed('Ours', 2, 8, {
        extendedProperties: { private: { booking: 'b_1' } },
        iCalUID: 'ours@example.com',
      }),
      timed('Theirs', 2, 9, { eventType: 'focusTime' }),
    ])
    const find = async (query: string) => summaries((await call('GET', `${events}?${query}`)).json.items)
    expect(await find('privateExtendedProperty=booking%3Db_1')).toEqual(['Ours'])
    expect(await find('iCalUID=ours%40example.com')).toEqual(['Ours'])
    expect(await find('q=theirs')).toEqual(['Theirs'])
    expect(await find('eventTypes=focusTime')).toEqual(['Theirs'])
  })

  it('returns only the requested fields, and the sync token only on request', async () => {
    const { call } = await connected([timed('One', 2, 8)])
    const { json } = await call('GET', `${events}?fields=items(summary,start/dateTime)`)
    expect(json).toEqual({ items: [{ summary: 'One', start: { dateTime: '2031-06-02T10:00:00+02:00' } }] })
    const withToken = await call('GET', `${events}?fields=nextSyncToken,items/id`)
    expect(Object.keys(withToken.json).sort()).toEqual(['items', 'nextSyncToken'])
  })

  it('returns times in the requested zone', async () => {
    const { call } = await connected([timed('One', 2, 8)])
    const start = async (zone: string) =>
      (await call('GET', `${events}?timeZone=${zone}`)).json.items[0].start.dateTime
    expect(await start('America/New_York')).toBe('2031-06-02T04:00:00-04:00')
    expect(await start('UTC')).toBe('2031-06-02T08:00:00Z')
  })

  it('has deleted events on request', async () => {
    const { call, control, ids } = await connected([timed('Gone', 2, 8)])
    await control('DELETE', `/events/${ids[0]}`)
    expect((await call('GET', events)).json.items).toEqual([])
    const { items } = (await call('GET', `${events}?showDeleted=true`)).json
    expect(items).toMatchObject([{ id: ids[0], status: 'cancelled', summary: 'Gone' }])
    const since = new Date(Date.now() - 60_000).toISOString()
    expect((await call('GET', `${events}?updatedMin=${since}`)).json.items).toHaveLength(1)
    const old = await call('GET', `${events}?updatedMin=2020-01-01T00:00:00Z`)
    expect(reasonOf(old)).toEqual([410, 'updatedMinTooLongAgo'])
  })

  it('shows no details to a reader of free and busy times', async () => {
    const { call, control } = await connected()
    const { json } = await control('POST', '/calendars', { name: 'Kim', accessRole: 'freeBusyReader' })
    await control('POST', '/events', { calendar: json.id, events: [timed('Secret', 2, 8)] })
    const list = (await call('GET', `/calendars/${encodeURIComponent(json.id)}/events`)).json
    expect(list.accessRole).toBe('freeBusyReader')
    expect(list.items[0].summary).toBeUndefined()
    expect(list.items[0].start.dateTime).toBe('2031-06-02T10:00:00+02:00')
  })
})

describe('a sync token', () => {
  it('brings what changed since, deleted events with nothing but their id', async () => {
    const { call, control, ids } = await connected([timed('Kept', 2, 8), timed('Gone', 2, 9)])
    const { nextSyncToken } = (await call('GET', events)).json
    await control('DELETE', `/events/${ids[1]}`)
    await control('POST', '/events', { events: [timed('New', 3, 8)] })
    const changed = (await call('GET', `${events}?syncToken=${encodeURIComponent(nextSyncToken)}`)).json
    expect(changed.items).toHaveLength(2)
    expect(changed.items.find(({ id }: Json) => id === ids[1])).toEqual({
      kind: 'calendar#event',
      etag: expect.any(String),
      id: ids[1],
      status: 'cancelled',
    })
    expect(changed.nextSyncToken).not.toBe(nextSyncToken)
  })

  it('is the same while nothing changes, unless the world is set otherwise', async () => {
    const { call, control } = await connected([timed('Kept', 2, 8)])
    const { nextSyncToken } = (await call('GET', events)).json
    const again = () => call('GET', `${events}?syncToken=${encodeURIComponent(nextSyncToken)}`)
    expect((await again()).json).toMatchObject({ items: [], nextSyncToken })
    await control('PUT', '', { hasFreshSyncTokens: true })
    expect((await again()).json.nextSyncToken).not.toBe(nextSyncToken)
  })

  it.each([
    'timeMin=2031-06-02T08:00:00Z',
    'timeMax=2031-06-02T08:00:00Z',
    'updatedMin=2031-06-02T08:00:00Z',
    'orderBy=updated',
    'q=word',
    'iCalUID=a',
    'privateExtendedProperty=a%3Db',
    'sharedExtendedProperty=a%3Db',
    'showDeleted=false',
    'singleEvents=true',
  ])('does not go with %s', async (query) => {
    const { call } = await connected()
    const { nextSyncToken } = (await call('GET', events)).json
    const refused = await call('GET', `${events}?syncToken=${encodeURIComponent(nextSyncToken)}&${query}`)
    expect(reasonOf(refused)).toEqual([400, 'invalid'])
  })

  it('does not end a list that was narrowed, but one of a range of times', async () => {
    const { call } = await connected()
    const has = async (query: string) => 'nextSyncToken' in (await call('GET', `${events}?${query}`)).json
    expect(await has('orderBy=updated')).toBe(false)
    expect(await has('q=a')).toBe(false)
    expect(await has(`timeMin=${at(2, 8)}&singleEvents=true`)).toBe(true)
  })

  it('that has expired requires a full sync, and an invalid one is refused', async () => {
    const { call, control } = await connected()
    const { nextSyncToken } = (await call('GET', events)).json
    const path = `${events}?syncToken=${encodeURIComponent(nextSyncToken)}`
    await control('POST', '/forget')
    const gone = await call('GET', path)
    expect(reasonOf(gone)).toEqual([410, 'fullSyncRequired'])
    expect(gone.json.error.errors[0]).toMatchObject({ domain: 'calendar', location: 'syncToken' })
    expect(reasonOf(await call('GET', `${events}?syncToken=nonsense`))).toEqual([400, 'invalid'])
  })

  it('ends when the calendar is shared otherwise', async () => {
    const { call, control } = await connected()
    const { id } = (await control('POST', '/calendars', { name: 'Second' })).json
    const path = `/calendars/${encodeURIComponent(id)}/events`
    const { nextSyncToken } = (await call('GET', path)).json
    await control('DELETE', `/calendars/${encodeURIComponent(id)}`)
    expect((await call('GET', path)).status).toBe(404)
    await control('POST', `/calendars/${encodeURIComponent(id)}/restore`)
    const after = await call('GET', `${path}?syncToken=${encodeURIComponent(nextSyncToken)}`)
    expect(reasonOf(after)).toEqual([410, 'fullSyncRequired'])
  })

  it('brings the instances of a series, and those that a cut series has no longer', async () => {
    const start = new Date(Date.now() + 86_400_000)
    start.setUTCHours(8, 0, 0, 0)
    const end = new Date(start.getTime() + 3_600_000)
    const series = {
      summary: 'Daily',
      start: { dateTime: start.toISOString(), timeZone: 'UTC' },
      end: { dateTime: end.toISOString(), timeZone: 'UTC' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
    }
    const { call, control, ids } = await connected([series])
    const list = `${events}?singleEvents=true`
    const { nextSyncToken, items } = (await call('GET', list)).json
    expect(items).toHaveLength(4)
    await control('PATCH', `/events/${ids[0]}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
    const next = `${list}&syncToken=${encodeURIComponent(nextSyncToken)}`
    const cut = (await call('GET', next)).json.items
    expect(cut.map(({ status }: Json) => status).sort()).toEqual([
      'cancelled',
      'cancelled',
      'confirmed',
      'confirmed',
    ])
    await control('DELETE', `/events/${ids[0]}`)
    const gone = (await call('GET', next)).json.items
    expect(new Set(gone.map(({ status }: Json) => status))).toEqual(new Set(['cancelled']))
    expect(gone).toHaveLength(4)
    expect(gone[0].recurringEventId).toBe(ids[0])
  })
})

describe('the list of calendars', () => {
  it('has the main one under its address, and hidden ones on request', async () => {
    const { call, control } = await connected()
    await control('POST', '/calendars', { name: 'Hidden', hidden: true })
    await control('POST', '/calendars', { name: 'Read', canWrite: false, selected: false })
    const list = (await call('GET', '/users/me/calendarList')).json
    expect(list.items.map((one: Json) => [one.summary, one.accessRole, one.primary, one.selected])).toEqual([
      ['owner@example.com', 'owner', true, true],
      ['Read', 'reader', undefined, undefined],
    ])
    const all = (await call('GET', '/users/me/calendarList?showHidden=true')).json
    expect(all.items.find(({ summary }: Json) => summary === 'Hidden').hidden).toBe(true)
    const writable = (await call('GET', '/users/me/calendarList?minAccessRole=writer')).json
    expect(summaries(writable.items)).toEqual(['owner@example.com'])
  })

  it('says what was deleted and hidden since a token, which goes with no restriction', async () => {
    const { call, control } = await connected()
    const { id } = (await control('POST', '/calendars', { name: 'Second' })).json
    const { nextSyncToken } = (await call('GET', '/users/me/calendarList')).json
    await control('DELETE', `/calendars/${encodeURIComponent(id)}`)
    const path = `/users/me/calendarList?syncToken=${encodeURIComponent(nextSyncToken)}`
    const { items } = (await call('GET', path)).json
    expect(items).toMatchObject([{ id, deleted: true }])
    expect(reasonOf(await call('GET', `${path}&minAccessRole=writer`))).toEqual([400, 'invalid'])
    expect(reasonOf(await call('GET', `${path}&showHidden=false`))).toEqual([400, 'invalid'])
    await control('POST', '/forget')
    expect(reasonOf(await call('GET', path))).toEqual([410, 'fullSyncRequired'])
  })

  it('has calendars of Google with a number sign in their id', async () => {
    const { call, control } = await connected()
    const { id } = (await control('POST', '/calendars', { name: 'Holidays', kind: 'holidays' })).json
    expect(id).toContain('#holiday@group.v.calendar.google.com')
    expect((await call('GET', `/users/me/calendarList/${encodeURIComponent(id)}`)).json.accessRole).toBe(
      'reader',
    )
    expect((await call('GET', `/calendars/${encodeURIComponent(id)}/events`)).status).toBe(200)
  })
})
