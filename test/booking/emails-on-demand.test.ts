import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const [ADA, BOB, EVE] = ['ada@example.com', 'bob@example.com', 'eve@example.com']

async function sandbox() {
  const { id: organizationId, testKey: key } = await createOrganization()
  const { id } = await createEventType(key, { reminder_intervals: [], max_attendees: 2 })
  const input = { attendees: [{ name: 'Bob', email: BOB }], guests: [{ email: EVE }] }
  const { body: booking } = await call('POST', '/v1/bookings', { key, body: bookingInput(id, SLOT, input) })
  const post = (verb: string, body: unknown = {}, headers = {}) =>
    call('POST', `/v1/bookings/${booking.id}/${verb}`, { key, body, headers })
  await lettersTo(key, EVE, 1)
  return { organizationId, key, id, booking, post }
}

describe('the confirmation on demand', () => {
  it('goes to the invitee, or to everybody, as the booking is now', async () => {
    const { key, booking, post } = await sandbox()
    await call('PATCH', `/v1/bookings/${booking.id}`, { key, body: { location: 'Room 4', notify: false } })
    expect(await post('resend')).toMatchObject({ status: 202, body: { sent: 1 } })
    const [first, again] = await lettersTo(key, ADA, 2)
    expect(again!.body).toContain('Room 4')
    expect(eventIn(again!).sequence).toBeGreaterThan(eventIn(first!).sequence)
    await lettersTo(key, BOB, 1)
    expect((await post('resend', { to: 'everybody' })).body).toEqual({ sent: 3 })
    for (const [to, count] of [
      [ADA, 3],
      [BOB, 2],
      [EVE, 2],
    ] as const)
      await lettersTo(key, to, count)
  })

  it('is sent once under an Idempotency-Key, and not in a dry run', async () => {
    const { key, post } = await sandbox()
    expect(await post('resend?dry_run=true')).toMatchObject({ status: 202, body: { sent: 1 } })
    const headers = { 'Idempotency-Key': unique('key') }
    for (const _ of [1, 2]) expect((await post('resend', {}, headers)).status).toBe(202)
    await lettersTo(key, ADA, 2)
  })

  it('counts toward the 20 emails a day of an address', async () => {
    const { key, post } = await sandbox()
    for (let at = 2; at <= 20; at++) expect((await post('resend')).status).toBe(202)
    const { status, body } = await post('resend')
    expect([status, body.error.details.limit]).toEqual([429, 'emails_per_address_day'])
    expect((await post('resend', { to: 'everybody' })).body).toEqual({ sent: 2 })
    await lettersTo(key, ADA, 20)
  })

  it('is refused for what is cancelled or over, and if the organization sends its own emails', async () => {
    const { organizationId, key, post } = await sandbox()
    const body = { invitee_emails: 'none' }
    await callAsService('PATCH', `/v1/organizations/${organizationId}`, { body })
    expect((await post('resend')).status).toBe(409)
    await callAsService('PATCH', `/v1/organizations/${organizationId}`, { body: { invitee_emails: 'all' } })
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT + HOUR_MS) } })
    expect((await post('resend')).status).toBe(409)
    await call('PUT', '/v1/test-data/clock', { key, body: { now: null } })
    await post('cancel')
    expect((await post('resend')).status).toBe(409)
    expect((await post('resend', { to: 'nobody' })).status).toBe(400)
  })
})

describe('the link of an invitee', () => {
  it('opens their booking, also after their address changed', async () => {
    const { key, booking, post } = await sandbox()
    const link = async () => new URL((await post('manage-link')).body.url)
    const first = await link()
    expect([first.pathname, first.searchParams.get('token')]).toEqual([
      `/bookings/${booking.id}`,
      booking.cancel_token,
    ])
    await call('PATCH', `/v1/bookings/${booking.id}`, { key, body: { invitee_email: 'ada@example.org' } })
    const statusOf = async ({ searchParams }: URL) =>
      (await call('GET', `/v1/bookings/${booking.id}?${searchParams}`)).status
    expect([await statusOf(first), await statusOf(await link())]).toEqual([401, 200])
  })
})
