import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { book, bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
const ADA = { invitee_email: 'ada@example.com' }

async function office(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, input)
  return { organization, key, id: id as string }
}

function again(id: string, bearer: string | null, more: Record<string, unknown> = {}, headers = {}) {
  return call('POST', '/v1/bookings', {
    ...(bearer !== null && { key: bearer }),
    body: { ...bookingInput(id, SLOT), ...ADA, ...more },
    headers,
  })
}

describe('a booking of the own start again', () => {
  it('names the booking with a key or with its token, and keeps the other starts', async () => {
    const { key, id } = await office()
    const { body: booked } = await book(id, SLOT, ADA)
    const plain = await again(id, null)
    expect(plain).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(Object.keys(plain.body.error.details)).toEqual(['alternatives'])
    for (const bearer of [key, booked.cancel_token]) {
      const { status, body } = await again(id, bearer, { invitee_email: 'ADA@example.com' })
      expect([status, body.error.code]).toEqual([409, 'conflict'])
      expect(body.error.details).toEqual({
        ...plain.body.error.details,
        ...{ code: 'already_booked', booking_id: booked.id },
      })
    }
    const dry = await call('POST', '/v1/bookings?dry_run=true', {
      key: booked.cancel_token,
      body: { ...bookingInput(id, SLOT), ...ADA },
    })
    expect(dry.body.error.details.booking_id).toBe(booked.id)
  })

  it('says nothing for another address, another token or a cancelled booking', async () => {
    const { key, id } = await office()
    const { body: booked } = await book(id, SLOT, ADA)
    const { body: other } = await book(id, SLOT + 3_600_000, { invitee_email: 'eve@example.com' })
    const codeFor = async (bearer: string, more = {}) =>
      (await again(id, bearer, more)).body.error.details.code
    expect(await codeFor(other.cancel_token)).toBeUndefined()
    expect(await codeFor('a'.repeat(43))).toBeUndefined()
    expect(await codeFor(booked.cancel_token, { invitee_email: 'eve@example.com' })).toBeUndefined()
    expect(await codeFor(key, { invitee_email: 'eve@example.com' })).toBeUndefined()
    expect((await again(id, 'not-a-token')).status).toBe(401)
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    await book(id, SLOT, { invitee_email: 'eve@example.com' })
    expect(await codeFor(key)).toBeUndefined()
    expect(await codeFor(booked.cancel_token)).toBeUndefined()
  })

  it('does not take the token of an address that was replaced', async () => {
    const { key, id } = await office()
    const { body: booked } = await book(id, SLOT, { invitee_email: 'old@example.com' })
    await call('PATCH', `/v1/bookings/${booked.id}`, { key, body: ADA })
    expect((await again(id, booked.cancel_token)).body.error.details.code).toBeUndefined()
    expect((await again(id, key)).body.error.details.code).toBe('already_booked')
    const { body: link } = await call('POST', `/v1/bookings/${booked.id}/manage-link`, { key })
    const token = new URL(link.url).searchParams.get('token')!
    expect((await again(id, token)).body.error.details.booking_id).toBe(booked.id)
  })

  it('names it also if its host is busy, the cap is reached or the invitee may have no more', async () => {
    const { organization, key, id } = await office({ assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 1)
    const capped = await createEventType(key, { booking_cap: 1, booking_cap_period: 'daily' })
    const limited = await createEventType(key, { invitee_limit: 1 })
    for (const [of, code] of [
      [id, 'no_host_available'],
      [capped.id, 'booking_cap_reached'],
      [limited.id, 'conflict'],
    ]) {
      const { body: booked } = await book(of, SLOT, ADA)
      for (const bearer of [key, booked.cancel_token]) {
        const { status, body } = await again(of, bearer)
        expect([status, body.error.code]).toEqual([409, code])
        expect(body.error.details).toMatchObject({ code: 'already_booked', booking_id: booked.id })
      }
    }
  })

  it('stays already_seated in a session with free seats, and names it in a full one', async () => {
    const { key, id } = await office({ max_attendees: 2 })
    const { body: booked } = await book(id, SLOT, ADA)
    for (const bearer of [key, booked.cancel_token]) {
      const { status, body } = await again(id, bearer)
      expect([status, body.error.details]).toEqual([400, { code: 'already_seated' }])
    }
    await book(id, SLOT, { invitee_email: 'bo@example.com' })
    for (const bearer of [key, booked.cancel_token])
      expect((await again(id, bearer)).body.error.details.booking_id).toBe(booked.id)
    expect((await again(id, null)).body.error.details.code).toBeUndefined()
  })

  it('is replayed under an Idempotency-Key with the same booking, but without a proof only as it was stored', async () => {
    const { key, id } = await office()
    const { body: booked } = await book(id, SLOT, ADA)
    const headers = { 'Idempotency-Key': 'again' }
    for (const bearer of [key, booked.cancel_token]) {
      const first = await again(id, bearer, {}, headers)
      const second = await again(id, bearer, {}, headers)
      expect(second.body).toEqual(first.body)
      expect(second.body.error.details.booking_id).toBe(booked.id)
    }
    const unproven = await again(id, null, {}, headers)
    expect([unproven.status, unproven.body.error.details.code]).toEqual([409, undefined])
  })

  it('leaves a call with a token anonymous: it books other starts like everybody, and may not override', async () => {
    const { id } = await office()
    const { body: booked } = await book(id, SLOT, ADA)
    const free = { ...bookingInput(id, SLOT + 3_600_000), ...ADA }
    const { status } = await call('POST', '/v1/bookings', { key: booked.cancel_token, body: free })
    expect(status).toBe(201)
    expect((await again(id, booked.cancel_token, { override: ['hours'] })).status).toBe(403)
    const asked = await call('OPTIONS', '/v1/bookings')
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
  })
})
