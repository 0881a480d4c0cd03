import { beforeEach, describe, expect, it } from 'vitest'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'
import {
  event,
  type MicrosoftWorld,
  microsoftWorld,
  OWNER,
  view,
  weekly,
} from '../support/microsoft-world.ts'

let world: MicrosoftWorld
let graph: Awaited<ReturnType<MicrosoftWorld['graph']>>

const { base } = freshWorld(openMicrosoft)
beforeEach(async () => {
  world = microsoftWorld(base())
  graph = await world.graph()
})

const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' }
const codeOf = ({ status, json }: { status: number; json: Json }) => [status, json.error?.code]

describe('accounts and calendars of the double of Microsoft', () => {
  it('returns who is signed in, with a null mail if there is none', async () => {
    expect((await graph.get('/me')).json).toMatchObject({ mail: OWNER, userPrincipalName: OWNER })
    await world.control('PUT', '', { isMailNull: true })
    expect((await graph.get('/me?$select=mail,userPrincipalName')).json).toMatchObject({ mail: null })
    const personal = await world.graph('nina@outlook.com')
    expect((await personal.get('/me')).json.id).toMatch(/^[\da-f]{16}$/)
  })

  it('returns the zone of the mailbox by its Windows name, if there is a mailbox', async () => {
    expect((await graph.get('/me/mailboxSettings')).json.timeZone).toBe('W. Europe Standard Time')
    expect((await graph.get('/me/mailboxSettings/timeZone')).json.value).toBe('W. Europe Standard Time')
    await world.control('PUT', '', { mailbox: 'none' })
    for (const path of ['/me/mailboxSettings', '/me/calendars', view('2027-01-01', '2027-02-01')]) {
      expect(codeOf(await graph.get(path))).toEqual([404, 'MailboxNotEnabledForRESTAPI'])
    }
  })

  it('asks of each call the permission that it needs', async () => {
    const reader = await world.graph(OWNER, { scope: 'User.Read Calendars.Read' })
    expect((await reader.get('/me/calendars')).status).toBe(200)
    expect(codeOf(await reader.post('/me/events', event('2027-01-04')))).toEqual([403, 'ErrorAccessDenied'])
    expect(codeOf(await reader.get('/me/mailboxSettings'))).toEqual([403, 'ErrorAccessDenied'])
    await world.control('PUT', '', { grantedScope: 'Calendars.ReadWrite' })
    const blind = await world.graph(OWNER)
    expect(codeOf(await blind.get('/me'))).toEqual([403, 'Authorization_RequestDenied'])
  })

  it('lists ten calendars on a page', async () => {
    for (let n = 0; n < 11; n += 1)
      await world.control('POST', '/calendars', { name: `C${n}`, canWrite: n > 0 })
    const first = (await graph.get('/me/calendars')).json
    expect(first.value).toHaveLength(10)
    expect(first.value[0]).toMatchObject({
      ...{ isDefaultCalendar: true, canEdit: true, owner: { address: OWNER } },
      allowedOnlineMeetingProviders: ['teamsForBusiness'],
    })
    expect(first.value[1]).toMatchObject({ name: 'C0', canEdit: false })
    const second = (await graph.get(first['@odata.nextLink'])).json
    expect(second.value.map(({ name }: Json) => name)).toEqual(['C9', 'C10'])
    expect(second['@odata.nextLink']).toBeUndefined()
  })

  it('has other ids for calendars too if immutable ones are preferred, and accepts both', async () => {
    const plain = (await graph.get('/me/calendar')).json.id
    const other = (await graph.get('/me/calendar', IMMUTABLE)).json.id
    expect(other).not.toBe(plain)
    expect((await graph.get(`/me/calendars/${other}/events`)).status).toBe(200)
    expect((await graph.get(`/me/calendars/${plain}/events`)).status).toBe(200)
  })

  it('knows a calendar no more that is gone, and all of it when it is back', async () => {
    const { id } = await world.control('POST', '/calendars', { name: 'Other' })
    const [put] = await world.put([event('2027-01-04')], id)
    await world.control('DELETE', `/calendars/${id}`)
    expect(codeOf(await graph.get(`/me/calendars/${id}/events`))).toEqual([404, 'ErrorItemNotFound'])
    expect(codeOf(await graph.get(`/me/events/${put}`))).toEqual([404, 'ErrorItemNotFound'])
    await world.control('POST', `/calendars/${id}/restore`)
    expect((await graph.get(`/me/calendars/${id}/events`)).json.value).toHaveLength(1)
    expect(codeOf(await graph.get('/me/calendars/nothing/events'))).toEqual([400, 'ErrorInvalidIdMalformed'])
  })
})

describe('the calendar view of the double of Microsoft', () => {
  it('requires a time range of at most five years', async () => {
    expect(codeOf(await graph.get('/me/calendarView'))).toEqual([400, 'ErrorInvalidParameter'])
    expect(codeOf(await graph.get(view('2027-01-01', 'yesterday')))).toEqual([400, 'ErrorInvalidParameter'])
    expect(codeOf(await graph.get(view('2027-01-01', '2032-01-01')))).toEqual([400, 'ErrorInvalidRequest'])
    expect((await graph.get(view('2027-01-01', '2031-12-31'))).status).toBe(200)
  })

  it('has ten events on a page, what belongs to series behind the rest, and whole bodies', async () => {
    await world.put([event('2027-01-04', { recurrence: weekly('2027-01-04', 'monday') })])
    await world.put([
      event('2027-03-03', { subject: 'Once', body: { contentType: 'text', content: 'A & B' } }),
    ])
    const { json } = await graph.get(view('2027-01-01', '2027-04-01'))
    expect(json.value).toHaveLength(10)
    expect(json.value[0]).toMatchObject({ subject: 'Once', type: 'singleInstance', seriesMasterId: null })
    expect(json.value[0].body.content).toContain('A &amp; B')
    expect(json.value[1]).toMatchObject({ type: 'occurrence', recurrence: null })
    expect(json.value[1].iCalUId).not.toBe(json.value[2].iCalUId)
    const next = (await graph.get(json['@odata.nextLink'])).json
    expect(next.value).toHaveLength(4)
    expect(next['@odata.nextLink']).toBeUndefined()
  })

  it('returns only what is selected, sorted as requested, and a thousand at most', async () => {
    await world.put([event('2027-01-05', { subject: 'Later' }), event('2027-01-04', { subject: 'Sooner' })])
    const { json } = await graph.get(
      view('2027-01-01', '2027-02-01', '&$select=subject,createdDateTime&$orderby=start/dateTime&$top=5000'),
    )
    expect(json.value.map(({ subject }: Json) => subject)).toEqual(['Sooner', 'Later'])
    expect(Object.keys(json.value[0]).sort()).toEqual(['@odata.etag', 'id', 'subject'])
    expect((await graph.get(view('2027-01-01', '2027-02-01', '&$select=nothing'))).status).toBe(400)
    expect((await graph.get(view('2027-01-01', '2027-02-01', '&$search=x'))).status).toBe(400)
    expect((await graph.get(view('2027-01-01', '2027-02-01', '&$top=0'))).status).toBe(400)
  })

  it('returns times in UTC or in the preferred zone, across clock changes', async () => {
    await world.put([event('2027-03-22', { recurrence: weekly('2027-03-22', 'monday') })])
    const starts = async (headers?: Record<string, string>) =>
      (await graph.get(view('2027-03-21', '2027-04-01'), headers)).json.value.map(({ start }: Json) => start)
    expect(await starts()).toEqual([
      { dateTime: '2027-03-22T08:00:00.0000000', timeZone: 'UTC' },
      { dateTime: '2027-03-29T07:00:00.0000000', timeZone: 'UTC' },
    ])
    const zone = 'Pacific Standard Time'
    expect(await starts({ Prefer: `outlook.timezone="${zone}"` })).toEqual([
      { dateTime: '2027-03-22T01:00:00.0000000', timeZone: zone },
      { dateTime: '2027-03-29T00:00:00.0000000', timeZone: zone },
    ])
    const { headers } = await graph.get(view('2027-03-21', '2027-04-01'), {
      Prefer: `outlook.timezone="${zone}"`,
    })
    expect(headers.get('preference-applied')).toBe(`outlook.timezone="${zone}"`)
    const refused = await graph.get('/me/events', { Prefer: 'outlook.timezone="Local"' })
    expect(codeOf(refused)).toEqual([400, 'TimeZoneNotSupportedException'])
  })

  it('tells all-day events from midnight to midnight in any zone, but keeps them in their own', async () => {
    const day = {
      isAllDay: true,
      start: { dateTime: '2027-01-05T00:00:00', timeZone: 'Tokyo Standard Time' },
      end: { dateTime: '2027-01-06T00:00:00', timeZone: 'Tokyo Standard Time' },
    }
    await world.put([event('2027-01-05', day)])
    const { value } = (await graph.get(view('2027-01-04', '2027-01-05'))).json
    expect(value).toHaveLength(1)
    expect(value[0]).toMatchObject({
      start: { dateTime: '2027-01-05T00:00:00.0000000', timeZone: 'UTC' },
      originalStartTimeZone: 'Tokyo Standard Time',
    })
    expect(
      (
        await graph.get(
          `/me/calendarView?startDateTime=2027-01-05T15:00:00Z&endDateTime=2027-01-06T15:00:00Z`,
        )
      ).json.value,
    ).toEqual([])
    const noon = { ...day, start: { dateTime: '2027-01-05T12:00:00', timeZone: 'Tokyo Standard Time' } }
    expect(codeOf(await graph.post('/me/events', event('2027-01-05', noon)))).toEqual([
      400,
      'ErrorInvalidRequest',
    ])
  })

  it('shows exceptions of series, leaves out removed occurrences, and includes declined and cancelled ones', async () => {
    await world.put([
      event('2027-01-04', {
        recurrence: weekly('2027-01-04', 'monday'),
        exceptions: [{ date: '2027-01-11', ...event('2027-01-12', { subject: 'Moved' }) }],
        removedDates: ['2027-01-18'],
      }),
      event('2027-01-20', {
        isCancelled: true,
        isOrganizer: false,
        responseStatus: 'declined',
        showAs: 'free',
      }),
    ])
    const { value } = (await graph.get(view('2027-01-01', '2027-01-26', '&$orderby=start/dateTime'))).json
    expect(value.map(({ start, type }: Json) => [start.dateTime.slice(0, 10), type])).toEqual([
      ...[
        ['2027-01-04', 'occurrence'],
        ['2027-01-12', 'exception'],
        ['2027-01-20', 'singleInstance'],
      ],
      ['2027-01-25', 'occurrence'],
    ])
    expect(value[1]).toMatchObject({ subject: 'Moved', originalStart: '2027-01-11T08:00:00.0000000Z' })
    expect(value[2]).toMatchObject({
      isCancelled: true,
      responseStatus: { response: 'declined' },
      showAs: 'free',
    })
  })

  it('filters by what may be filtered by, and refuses the rest', async () => {
    await world.put([event('2027-01-04', { showAs: 'free' }), event('2027-01-05', { subject: 'Other' })])
    const found = async (filter: string) =>
      graph.get(view('2027-01-01', '2027-02-01', `&$filter=${encodeURIComponent(filter)}`))
    expect((await found("showAs eq 'busy'")).json.value).toHaveLength(1)
    expect(
      (await found("contains(subject,'oth') or start/dateTime lt '2027-01-05'")).json.value,
    ).toHaveLength(2)
    expect((await found('not (isCancelled eq true)')).json.value).toHaveLength(2)
    expect(codeOf(await found("recurrence eq 'x'"))).toEqual([400, 'ErrorInvalidProperty'])
    expect(codeOf(await found("attendees/any(a: a/x eq 'y')"))).toEqual([400, 'UnsupportedEntityExpression'])
  })
})

describe('the limits of the double of Microsoft', () => {
  it('takes four calls of a mailbox at the same time', async () => {
    await world.control('PUT', '', { answerMs: 1_000, retryAfter: '2.5' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => graph.get('/me/calendars')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    expect(codeOf(refused)).toEqual([429, 'ApplicationThrottled'])
    expect(refused.headers.get('retry-after')).toBe('2.5')
  })

  it('takes so many calls in ten minutes', async () => {
    await world.control('PUT', '', { requestsPerTenMinutes: 2 })
    for (const status of [200, 200, 429]) expect((await graph.get('/me/calendars')).status).toBe(status)
    await world.control('PUT', '/clock', { ahead_ms: 600_001 })
    expect((await graph.get('/me/calendars')).status).toBe(200)
  })

  it('is away for a while, with and without a word', async () => {
    await world.control('PUT', '', { serviceState: 'unavailable' })
    const { status, headers } = await graph.get('/me')
    expect([status, headers.get('retry-after')]).toEqual([503, '10'])
    await world.control('PUT', '', { serviceState: 'gatewayTimeout' })
    expect((await graph.get('/me')).json.error).toMatchObject({ code: 'UnknownError', message: '' })
  })

  it('says of what it does not speak that it does not', async () => {
    expect((await graph.post('/$batch', {})).status).toBe(501)
    expect(codeOf(await graph.get('/me/nonsense'))).toEqual([400, 'BadRequest'])
  })
})
