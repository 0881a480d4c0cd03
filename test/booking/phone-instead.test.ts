import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const PHONE = '+4930901820'
const CALLER = { invitee_name: 'Ada Caller', invitee_email: null, invitee_phone: PHONE }

async function sandbox(input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const { testKey: key } = await createOrganization({ ownerEmail })
  const { id } = await createEventType(key, { reminder_intervals: [], ...input })
  const book = (body: Record<string, unknown> = {}, at = SLOT) =>
    call('POST', '/v1/bookings', { key, body: bookingInput(id, at, { ...CALLER, ...body }) })
  const outbox = async () => (await call('GET', '/v1/test-data/outbox?limit=100', { key })).body.data
  return { key, id, ownerEmail, book, outbox }
}

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  Object.keys(body.error.details),
]

describe('a booking by phone', () => {
  it('has no address anywhere, a token and a link to manage it', async () => {
    const { key, book } = await sandbox()
    const { status, body } = await book()
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ invitee_email: null, invitee_phone: PHONE }),
    ])
    expect(body.attendees).toMatchObject([{ name: 'Ada Caller', email: null, is_primary: true }])
    const detail = await call('GET', `/v1/bookings/${body.id}`, { key })
    expect(detail.body).toMatchObject({
      invitee_email: null,
      invitee_phone: PHONE,
      attendees: [{ email: null }],
    })
    const link = await call('POST', `/v1/bookings/${body.id}/manage-link`, { key })
    expect(link.body.url).toContain(body.cancel_token)
    const again = await call('POST', `/v1/bookings/${body.id}/resend`, { key })
    expect([again.status, again.body]).toEqual([202, { sent: 0 }])
    const cancelled = await call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
    expect(cancelled.status).toBe(200)
  })

  it('emails the owner with the number, and nobody else', async () => {
    const { key, ownerEmail, book, outbox } = await sandbox()
    const { body } = await book()
    const [mail] = await lettersTo(key, ownerEmail, 1)
    expect(mail!.body).toContain('Ada Caller')
    expect(mail!.body).toContain(PHONE)
    await call('POST', `/v1/bookings/${body.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await lettersTo(key, ownerEmail, 2)
    const sent = (await outbox()).filter(({ channel }: any) => channel === 'email')
    expect(new Set(sent.map(({ to }: any) => to))).toEqual(new Set([ownerEmail]))
  })

  it('is refused without a key, without a number, and if it is paid', async () => {
    const { id, book } = await sandbox()
    const keyless = await call('POST', '/v1/bookings', { body: bookingInput(id, SLOT, CALLER) })
    expect(fieldsOf(keyless)).toEqual([400, ['invitee_email']])
    expect(fieldsOf(await book({ invitee_phone: null }))).toEqual([400, ['invitee_phone']])
    expect(fieldsOf(await book({ invitee_phone: '030 901820' }))).toEqual([400, ['invitee_phone']])
    const paid = await sandbox({ price_amount: 5000 })
    expect(fieldsOf(await paid.book())).toEqual([400, ['invitee_email']])
  })

  it('counts toward no limit of bookings per person, and is not the same person twice', async () => {
    const { book } = await sandbox({ invitee_limit: 1, max_attendees: 3 })
    const all = [await book(), await book({ invitee_phone: '+4930901821' }), await book({}, SLOT + HOUR_MS)]
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(all[0]!.body.session_id).toBe(all[1]!.body.session_id)
    const third = await book({ invitee_email: 'bob@example.com' })
    expect(third.status).toBe(201)
    expect((await book()).status).toBe(409)
  })

  it('can be what a hold becomes, and confirming again returns it', async () => {
    const { key, id } = await sandbox()
    const held = await call('POST', '/v1/holds', { key, body: { event_type_id: id, start_time: iso(SLOT) } })
    const confirm = () =>
      call('POST', `/v1/holds/${held.body.id}/confirm?token=${held.body.token}`, { key, body: CALLER })
    const first = await confirm()
    expect([first.status, first.body.invitee_email]).toEqual([201, null])
    const second = await confirm()
    expect([second.status, second.body.id]).toEqual([200, first.body.id])
  })

  it('can be a series, at a place that is chosen once', async () => {
    const places = [{ kind: 'in_person', value: 'Room 4' }, { kind: 'phone_out' }]
    const { key, id, ownerEmail, outbox } = await sandbox({ places })
    const series = (body: object) =>
      call('POST', '/v1/series', {
        key,
        body: { event_type_id: id, start_time: iso(SLOT), count: 2, ...CALLER, ...body },
      })
    expect(fieldsOf(await series({}))).toEqual([400, ['place_id']])
    const { status, body } = await series({ place_id: 'phone_out' })
    expect([status, body.bookings]).toEqual([
      201,
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          invitee_email: null,
          invitee_phone: PHONE,
          place: expect.objectContaining({ kind: 'phone_out' }),
        }),
      ),
    ])
    await lettersTo(key, ownerEmail, 1)
    const sent = (await outbox()).filter(({ channel }: any) => channel === 'email')
    expect(sent.map(({ to }: any) => to)).toEqual([ownerEmail])
  })

  it('gets emails once it has an address, and cannot lose its number before', async () => {
    const { key, book } = await sandbox()
    const { body } = await book()
    const patch = (change: object) => call('PATCH', `/v1/bookings/${body.id}`, { key, body: change })
    expect(fieldsOf(await patch({ invitee_phone: null }))).toEqual([400, ['invitee_phone']])
    const to = `${unique('ada')}@example.com`
    expect((await patch({ invitee_email: to })).body).toMatchObject({
      invitee_email: to,
      attendees: [{ email: to }],
    })
    await lettersTo(key, to, 1)
    expect((await patch({ invitee_phone: null })).status).toBe(200)
  })

  it('is returned and erased with everything about its person, by the number', async () => {
    const { key, id, book } = await sandbox({ waitlist_enabled: true })
    const { body } = await book({ notes: 'Rings twice' })
    const other = await book({ invitee_phone: '+4930901821', invitee_name: 'Bob' }, SLOT + HOUR_MS)
    await call('POST', '/v1/waitlist', {
      key,
      body: bookingInput(id, SLOT, { invitee_name: 'Ada Caller', invitee_phone: PHONE }),
    })
    const path = `/v1/people/${encodeURIComponent(PHONE)}`
    const told = await call('GET', path, { key })
    expect(told.body).toMatchObject({
      email: null,
      phone: PHONE,
      waitlist_entries: [{ invitee_phone: PHONE }],
    })
    expect(told.body.bookings.map((one: any) => one.id)).toEqual([body.id])
    const erased = await call('DELETE', path, { key })
    expect(erased.body.erased).toMatchObject({ bookings: 1, waitlist_entries: 1 })
    expect(erased.body.erased.events).toBeGreaterThan(0)
    const left = await call('GET', `/v1/bookings/${body.id}`, { key })
    expect(left.body).toMatchObject({ invitee_name: '', invitee_email: '', invitee_phone: null, notes: null })
    expect(left.body.attendees).toMatchObject([{ name: '', email: '' }])
    const kept = await call('GET', `/v1/bookings/${other.body.id}`, { key })
    expect(kept.body).toMatchObject({ invitee_name: 'Bob', invitee_phone: '+4930901821' })
    const feed = await call('GET', '/v1/events?limit=100', { key })
    expect(JSON.stringify(feed.body)).not.toContain('Ada Caller')
    expect((await call('GET', path, { key })).status).toBe(404)
  })
})
