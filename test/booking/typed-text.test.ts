import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answered, call, callAsService, type Json } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { exportTextOf, forgetEverything, importText } from '../support/moves.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
const BLANK = 'Must not be blank.'
const NOT_ONE_LINE = 'Must be one line without control characters, such as tabs.'
const HAS_NUL = 'Must not contain the character U+0000.'

let organization: Organization
let eventTypeId: string

beforeAll(async () => {
  organization = await createOrganization()
  eventTypeId = (await createEventType(organization.liveKey)).id
})

function asKey(method: string, path: string) {
  return (body: Json) => call(method, path, { key: organization.liveKey, body })
}

describe('a name', () => {
  it.each<[what: string, field: string, send: (name: string) => Promise<Answered>]>([
    ['an invitee', 'invitee_name', (name) => book(eventTypeId, SLOT, { invitee_name: name })],
    [
      'a guest',
      'attendees.0.name',
      (name) => book(eventTypeId, SLOT, { attendees: [{ name, email: 'bob@example.com' }] }),
    ],
    [
      'somebody who waits',
      'invitee_name',
      (invitee_name) => asKey('POST', '/v1/waitlist')({ ...bookingInput(eventTypeId, SLOT), invitee_name }),
    ],
    [
      'an event type',
      'title',
      (title) => asKey('POST', '/v1/event-types')({ title, slug: unique('slug'), duration_minutes: 30 }),
    ],
    ['a heading', 'group', (group) => asKey('PATCH', `/v1/event-types/${eventTypeId}`)({ group })],
    ['a schedule', 'name', (name) => asKey('POST', '/v1/schedules')({ name, rules: [] })],
    [
      'a calendar',
      'name',
      (name) => asKey('POST', '/v1/calendars/ics/connect')({ name, url: 'https://ics.invalid/' }),
    ],
    [
      'a new organization',
      'name',
      (name) =>
        callAsService('POST', '/v1/organizations', { body: { name, owner_user_id: unique('owner') } }),
    ],
    [
      'an organization',
      'name',
      (name) => callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { name } }),
    ],
    [
      'a member',
      'name',
      async (name) => {
        const path = `/v1/organizations/${organization.id}/members`
        const { body } = await call('GET', path, { key: organization.liveKey })
        return asKey('PATCH', `${path}/${body.data[0].id}`)({ name })
      },
    ],
    [
      'a key',
      'name',
      (name) =>
        callAsService('POST', '/v1/api-keys', {
          headers: { 'X-Org-Id': organization.id },
          body: { name, mode: 'live' },
        }),
    ],
    [
      'a request for help',
      'subject',
      (subject) => asKey('POST', '/v1/support')({ subject, message: 'Help', category: 'bug' }),
    ],
  ])('of %s is a line on which something can be read', async (_, field, send) => {
    for (const [name, sentence] of [
      [' \u00a0', BLANK],
      ['\u200b\u2060', BLANK],
      ['\u3164', BLANK],
      ['Ada\tLovelace', NOT_ONE_LINE],
      ['Ada\nLovelace', NOT_ONE_LINE],
      ['Ada\0', NOT_ONE_LINE],
      ['Ada\u007f', NOT_ONE_LINE],
    ] as const) {
      const { status, body } = await send(name)
      expect([name, status, body.error?.details]).toEqual([name, 400, { [field]: sentence }])
    }
  })

  it('that was taken before is read as it is', async () => {
    const old = await createOrganization()
    const { id, slug } = await createEventType(old.liveKey, { booking_page_enabled: true })
    const { body: booking } = await book(id, SLOT)
    await env.DB.batch([
      env.DB.prepare("UPDATE organizations SET name = ' ' WHERE id = ?").bind(old.id),
      env.DB.prepare('UPDATE event_types SET title = ? WHERE id = ?').bind('One\tTwo', id),
      env.DB.prepare('UPDATE bookings SET invitee_name = ? WHERE id = ?').bind('Ada\n', booking.id),
    ])
    const read = await call('GET', `/v1/bookings/${booking.id}`, { key: old.liveKey })
    expect(read.body).toMatchObject({ invitee_name: 'Ada\n', event_type: { title: 'One\tTwo' } })
    const page = await call('GET', `/v1/public/booking-page/${old.slug}`)
    expect(page.body).toMatchObject({ org_name: ' ', event_types: [{ title: 'One\tTwo', slug }] })
    const ended = await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: old.liveKey })
    expect(ended.body).toMatchObject({ status: 'cancelled', invitee_name: 'Ada\n' })
  })
})

describe('a text of several lines', () => {
  it('keeps its lines and tabs, and is refused with the character U+0000', async () => {
    const questions = [
      { key: 'short', label: 'Short?', type: 'short_text' },
      { key: 'long', label: 'Long?', type: 'long_text' },
    ]
    const { id } = await createEventType(organization.liveKey, { questions, description: 'One\n\tTwo' })
    const refused = async (input: Json) => (await book(id, SLOT, input)).body.error.details
    expect(await refused({ notes: 'a\0b' })).toEqual({ notes: HAS_NUL })
    expect(await refused({ answers: { long: 'a\0b' } })).toEqual({ 'answers.long': HAS_NUL })
    expect(await refused({ answers: { short: 'a\nb' } })).toEqual({ 'answers.short': NOT_ONE_LINE })
    const { body } = await book(id, SLOT, { notes: 'One\n\tTwo', answers: { long: 'One\n\tTwo' } })
    const read = await call('GET', `/v1/bookings/${body.id}`, { key: organization.liveKey })
    expect(read.body).toMatchObject({ notes: 'One\n\tTwo', answers: { long: 'One\n\tTwo' } })
    const ended = await asKey('POST', `/v1/bookings/${body.id}/cancel`)({ reason: 'a\0b' })
    expect(ended.body.error.details).toEqual({ reason: HAS_NUL })
  })
})

describe('what callers keep with a thing', () => {
  it.each<[what: string, field: string, send: (text: string) => Promise<Answered>]>([
    [
      'the metadata of a booking',
      'metadata',
      (text) => book(eventTypeId, SLOT, { metadata: { crm: [{ note: text }] } }),
    ],
    [
      'a key in the metadata of a hold',
      'metadata',
      (text) => {
        const start_time = new Date(SLOT + 3_600_000).toISOString()
        return asKey(
          'POST',
          '/v1/holds',
        )({
          event_type_id: eventTypeId,
          start_time,
          metadata: { [text]: 1 },
        })
      },
    ],
    [
      'what time off is called elsewhere',
      'external_id',
      (external_id) =>
        asKey('POST', '/v1/time-off')({ all: true, start: '2031-03-03', end: '2031-03-04', external_id }),
    ],
  ])('is refused with the character U+0000 in %s', async (_, field, send) => {
    const { status, body } = await send('a\0b')
    expect([status, body.error?.details]).toEqual([400, { [field]: HAS_NUL }])
    expect((await send('a\\u0000\nb')).status).toBe(201)
  })

  it('is read as it was taken before, even if its organization moved', async () => {
    const old = await createOrganization()
    const { id } = await createEventType(old.liveKey)
    const { body: booking } = await book(id, SLOT)
    const metadata = { 'a\0b': 'c\0d' }
    await env.DB.prepare('UPDATE bookings SET metadata = ? WHERE id = ?')
      .bind(JSON.stringify(metadata), booking.id)
      .run()
    const read = async () => (await call('GET', `/v1/bookings/${booking.id}`, { key: old.liveKey })).body
    expect(await read()).toMatchObject({ metadata })
    const text = await exportTextOf(old.liveKey)
    await forgetEverything()
    expect((await importText(text)).status).toBe(201)
    expect(await read()).toMatchObject({ metadata })
  })
})
