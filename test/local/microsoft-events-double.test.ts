import { beforeEach, describe, expect, it } from 'vitest'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'
import { event, type MicrosoftWorld, microsoftWorld, view, weekly } from '../support/microsoft-world.ts'

let world: MicrosoftWorld
let graph: Awaited<ReturnType<MicrosoftWorld['graph']>>

const { base } = freshWorld(openMicrosoft)
beforeEach(async () => {
  world = microsoftWorld(base())
  graph = await world.graph()
})

const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' }
const PROPERTY = 'String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Holdfast'
const codeOf = ({ status, json }: { status: number; json: Json }) => [status, json.error?.code]
const attendee = (address: string) => ({ emailAddress: { address, name: 'A' }, type: 'required' })

describe('events of the double of Microsoft', () => {
  it('are made, returned as they were sent, changed and deleted', async () => {
    const made = await graph.post('/me/events', event('2027-01-04', { attendees: [attendee('a@b.example')] }))
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      ...{ type: 'singleInstance', showAs: 'busy', isOrganizer: true, onlineMeeting: null },
      start: { dateTime: '2027-01-04T09:00:00.0000000', timeZone: 'W. Europe Standard Time' },
      attendees: [{ status: { response: 'none' }, emailAddress: { address: 'a@b.example' } }],
    })
    expect(made.json['@odata.etag']).toBe(`W/"${made.json.changeKey}"`)
    const path = `/me/events/${made.json.id}`
    const changed = await graph.patch(path, {
      subject: 'Changed',
      iCalUId: 'mine',
      body: { contentType: 'html', content: '<p>B</p>' },
    })
    expect(changed.json).toMatchObject({ subject: 'Changed', iCalUId: made.json.iCalUId, bodyPreview: 'B' })
    expect(changed.json.changeKey).not.toBe(made.json.changeKey)
    expect((await graph.get(path, { Prefer: 'outlook.body-content-type="text"' })).json.body).toEqual({
      ...{ contentType: 'text', content: 'B' },
    })
    expect((await graph.delete(path)).status).toBe(204)
    expect(codeOf(await graph.delete(path))).toEqual([404, 'ErrorItemNotFound'])
    expect(codeOf(await graph.get('/me/events/nonsense'))).toEqual([400, 'ErrorInvalidIdMalformed'])
    const { mails } = await world.control('GET', '')
    expect(mails.map(({ kind }: Json) => kind)).toEqual(['invitation', 'update', 'cancellation'])
  })

  it.each([
    [{ start: undefined }, 'ErrorPropertyValidationFailure'],
    [{ colour: 'red' }, 'RequestBodyRead'],
    [{ showAs: 'asleep' }, 'BadRequest'],
    [{ start: { dateTime: '2027-01-04T09:00:00', timeZone: 'Nowhere' } }, 'TimeZoneNotSupportedException'],
    [
      { start: { dateTime: '2027-01-05T09:00:00', timeZone: 'UTC' } },
      'ErrorCalendarEndDateIsEarlierThanStartDate',
    ],
    [{ recurrence: { pattern: { type: 'weekly' }, range: {} } }, 'ErrorPropertyValidationFailure'],
  ])('are refused with %j', async (more, code) => {
    expect(codeOf(await graph.post('/me/events', event('2027-01-04', more)))).toEqual([400, code])
    expect((await graph.get('/me/events')).json.value).toEqual([])
  })

  it('are not written if their calendar is another’s, or if the mailbox is full', async () => {
    const { id } = await world.control('POST', '/calendars', { name: 'Theirs', canWrite: false })
    const [put] = await world.put([event('2027-01-04')], id)
    expect(codeOf(await graph.post(`/me/calendars/${id}/events`, event('2027-01-04')))).toEqual([
      403,
      'ErrorAccessDenied',
    ])
    expect(codeOf(await graph.patch(`/me/events/${put}`, { subject: 'x' }))).toEqual([
      403,
      'ErrorAccessDenied',
    ])
    await world.control('PUT', '', { mailbox: 'full' })
    expect(codeOf(await graph.post('/me/events', event('2027-01-04')))).toEqual([507, 'ErrorQuotaExceeded'])
  })

  it('are made once with one transactionId in whichever calendar, and another with it is refused', async () => {
    const said = event('2027-01-04', { transactionId: 't1' })
    const [first, again] = [await graph.post('/me/events', said), await graph.post('/me/events', said)]
    expect([again.status, again.json.id]).toEqual([201, first.json.id])
    const { id: team } = await world.control('POST', '/calendars', { name: 'Team' })
    const there = await graph.post(`/me/calendars/${team}/events`, said)
    expect([there.status, there.json.id]).toEqual([201, first.json.id])
    const other = await graph.post('/me/events', { ...said, subject: 'Other' })
    expect(codeOf(other)).toEqual([409, 'ErrorDuplicateTransactionId'])
    expect(other.json.error['@event.existingEventId']).toBe(first.json.id)
    expect((await graph.get('/me/events')).json.value).toHaveLength(1)
  })

  it('are protected against lost updates if the client sends If-Match', async () => {
    const [id] = await world.put([event('2027-01-04')])
    const path = `/me/events/${id}`
    const etag = (await graph.get(path)).json['@odata.etag']
    await world.control('PATCH', `/events/${id}`, { subject: 'By the owner' })
    const late = await graph.patch(path, { subject: 'Late' }, { 'If-Match': etag })
    expect(codeOf(late)).toEqual([412, 'ErrorIrresolvableConflict'])
    expect((await graph.delete(path, { 'If-Match': etag })).status).toBe(412)
    const now = (await graph.get(path)).json['@odata.etag']
    expect((await graph.patch(path, { subject: 'In time' }, { 'If-Match': now })).status).toBe(200)
  })

  it('get another id in another calendar, unless it is an immutable one', async () => {
    const made = (
      await graph.post(
        '/me/events',
        event('2027-01-04', { singleValueExtendedProperties: [{ id: PROPERTY, value: 'b1' }] }),
        IMMUTABLE,
      )
    ).json
    const old = (await graph.get(`/me/events/${made.id}`)).json
    expect(old.id).not.toBe(made.id)
    const { id: calendar } = await world.control('POST', '/calendars', { name: 'Other' })
    const moved = await world.control('POST', `/events/${old.id}/move`, { calendar: 'Other' })
    expect(moved.id).not.toBe(old.id)
    expect(codeOf(await graph.get(`/me/events/${old.id}`))).toEqual([404, 'ErrorItemNotFound'])
    const found = await graph.get(`/me/events/${made.id}`, IMMUTABLE)
    expect(found.json).toMatchObject({ id: made.id, iCalUId: made.iCalUId })
    const own = `?$filter=${encodeURIComponent(`singleValueExtendedProperties/Any(ep: ep/id eq '${PROPERTY}' and ep/value eq 'B1')`)}`
    expect((await graph.get(`/me/events${own}`)).json.value).toEqual([])
    expect((await graph.get(`/me/calendars/${calendar}/events${own}`)).json.value).toHaveLength(1)
    await world.control('PUT', '', { meEventsCovers: 'all' })
    expect((await graph.get(`/me/events${own}`)).json.value[0].id).toBe(moved.id)
  })

  it('include their extended properties only if these are requested by id', async () => {
    const [id] = await world.put([
      event('2027-01-04', { singleValueExtendedProperties: [{ id: PROPERTY, value: 'b1' }] }),
    ])
    expect((await graph.get(`/me/events/${id}`)).json.singleValueExtendedProperties).toBeUndefined()
    const expand = `?$expand=${encodeURIComponent(`singleValueExtendedProperties($filter=id eq '${PROPERTY}')`)}`
    expect((await graph.get(`/me/events/${id}${expand}`)).json.singleValueExtendedProperties).toEqual([
      { id: PROPERTY, value: 'b1' },
    ])
    expect((await graph.get(`/me/events/${id}?$expand=singleValueExtendedProperties`)).status).toBe(400)
    const wrong = event('2027-01-04', { singleValueExtendedProperties: [{ id: 'Holdfast', value: 'x' }] })
    expect(codeOf(await graph.post('/me/events', wrong))).toEqual([400, 'ErrorInvalidProperty'])
  })
})

describe('series of the double of Microsoft', () => {
  it('have occurrences that are changed and removed on their own', async () => {
    const [id] = await world.put([event('2027-01-04', { recurrence: weekly('2027-01-04', 'monday') })])
    const list = async () =>
      (await graph.get(view('2027-01-01', '2027-02-01', '&$orderby=start/dateTime'))).json.value
    const [, second, third] = await list()
    await graph.patch(`/me/events/${second.id}`, { subject: 'Special' })
    expect((await graph.delete(`/me/events/${third.id}`)).status).toBe(204)
    expect((await graph.get(`/me/events/${third.id}`)).status).toBe(404)
    expect((await list()).map(({ type, subject }: Json) => `${type} ${subject}`)).toEqual([
      ...['occurrence Review', 'exception Special', 'occurrence Review'],
    ])
    await graph.patch(`/me/events/${id}`, { subject: 'All' })
    expect((await list()).map(({ subject }: Json) => subject)).toEqual(['All', 'Special', 'All'])
    expect((await graph.get(`/me/events/${second.id}`)).json.seriesMasterId).toBe(id)
    const instances = await graph.get(
      `/me/events/${id}/instances?startDateTime=2027-01-01&endDateTime=2027-01-12`,
    )
    expect(instances.json.value).toHaveLength(2)
  })

  it('have occurrences that do not pass each other', async () => {
    await world.put([event('2027-01-04', { recurrence: weekly('2027-01-04', 'monday') })])
    const { value } = (await graph.get(view('2027-01-10', '2027-01-13'))).json
    const to = (date: string) =>
      graph.patch(`/me/events/${value[0].id}`, { start: event(date).start, end: event(date).end })
    expect((await to('2027-01-17')).status).toBe(200)
    expect(codeOf(await to('2027-01-18'))).toEqual([400, 'ErrorOccurrenceCrossingBoundary'])
  })

  it.each([
    [{ type: 'daily', interval: 2 }, ['01-04', '01-06', '01-08']],
    [{ type: 'weekly', interval: 2, daysOfWeek: ['monday', 'friday'] }, ['01-04', '01-08', '01-18', '01-22']],
    [{ type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }, ['01-31', '02-28', '03-31']],
    [
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['tuesday'], index: 'last' },
      ['01-26', '02-23', '03-30'],
    ],
    [{ type: 'absoluteYearly', interval: 1, month: 2, dayOfMonth: 3 }, ['02-03']],
    [{ type: 'relativeYearly', interval: 1, month: 3, daysOfWeek: ['monday'], index: 'second' }, ['03-08']],
  ])('repeat as %j says', async (pattern, dates) => {
    const range = { type: 'numbered', startDate: '2027-01-04', numberOfOccurrences: dates.length }
    await world.put([event('2027-01-04', { recurrence: { pattern, range } })])
    const { value } = (await graph.get(view('2027-01-01', '2027-12-31', '&$orderby=start/dateTime'))).json
    expect(value.map(({ start }: Json) => start.dateTime.slice(5, 10))).toEqual(dates)
  })
})

describe('meetings in Teams of the double of Microsoft', () => {
  const meeting = { isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' }
  const make = async () => (await graph.post('/me/events', event('2027-01-04', meeting))).json

  it('are there at once, with a block in the body that a change of attendees keeps', async () => {
    const { id, onlineMeeting, body } = await make()
    expect(body.content).toContain(onlineMeeting.joinUrl)
    const { json } = await graph.patch(`/me/events/${id}`, { attendees: [attendee('a@b.example')] })
    expect(json.onlineMeeting).toEqual(onlineMeeting)
    const kept = await graph.patch(`/me/events/${id}`, {
      body: { contentType: 'html', content: `${json.body.content} more` },
    })
    expect(kept.json.onlineMeeting).toEqual(onlineMeeting)
  })

  it('are destroyed by a body without the block, and come back as others', async () => {
    const { id, onlineMeeting } = await make()
    const lost = await graph.patch(`/me/events/${id}`, {
      ...meeting,
      body: { contentType: 'html', content: 'New' },
    })
    expect(lost.json).toMatchObject({ isOnlineMeeting: false, onlineMeeting: null })
    const back = await graph.patch(`/me/events/${id}`, meeting)
    expect(back.json.onlineMeeting.joinUrl).not.toBe(onlineMeeting.joinUrl)
    expect((await graph.patch(`/me/events/${id}`, { isOnlineMeeting: false })).json.isOnlineMeeting).toBe(
      true,
    )
  })

  it('are there later, or never', async () => {
    await world.control('PUT', '', { meeting: 'pending' })
    const { id, isOnlineMeeting, onlineMeeting } = await make()
    expect([isOnlineMeeting, onlineMeeting]).toEqual([true, null])
    await world.control('PUT', '', { meeting: 'ready' })
    expect((await graph.get(`/me/events/${id}`)).json.onlineMeeting.joinUrl).toMatch(
      /^https:\/\/teams\.microsoft\.com\//,
    )
    await world.control('PUT', '', { meeting: 'failed' })
    expect(await make()).toMatchObject({
      isOnlineMeeting: false,
      onlineMeetingProvider: 'unknown',
      onlineMeeting: null,
    })
  })

  it('are silently left out for personal accounts', async () => {
    const personal = await world.graph('nina@outlook.com')
    expect((await personal.get('/me/calendar')).json.allowedOnlineMeetingProviders).not.toContain(
      'teamsForBusiness',
    )
    const { status, json } = await personal.post('/me/events', event('2027-01-04', meeting))
    expect(status).toBe(201)
    expect(json).toMatchObject({ isOnlineMeeting: false, onlineMeeting: null })
  })
})
