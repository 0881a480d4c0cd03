import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function world(input: Record<string, unknown> = {}) {
  const { testKey: key } = await createOrganization({ tier: 'scale' })
  const settings = { price_amount: 3000, price_currency: 'eur', waitlist_enabled: true, ...input }
  const { id } = await createEventType(key, settings)
  const price = (price_amount: number | null, price_currency = 'eur') =>
    call('PATCH', `/v1/event-types/${id}`, { key, body: { price_amount, price_currency } })
  const hold = async () => {
    const { body } = await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(SLOT) } })
    return body
  }
  const confirm = ({ id: holdId, token }: any, more: Record<string, unknown> = {}) => {
    const { event_type_id: _, start_time: __, ...invitee } = bookingInput(id, SLOT)
    return call('POST', `/v1/holds/${holdId}/confirm?token=${token}`, { body: { ...invitee, ...more } })
  }
  return { key, id, price, hold, confirm }
}

describe('the price that was shown', () => {
  it('is kept by a hold and charged when it is confirmed', async () => {
    const { price, hold, confirm } = await world()
    const held = await hold()
    expect(held).toMatchObject({ price_amount: 3000, price_currency: 'eur' })
    await price(9900, 'usd')
    const { status, body } = await confirm(held)
    expect([status, body]).toMatchObject([
      201,
      { price_amount: 3000, price_currency: 'eur', payment: { amount: 3000, currency: 'eur' } },
    ])
  })

  it('stays free where a hold or a request was free', async () => {
    const free = await world({ price_amount: null })
    const held = await free.hold()
    expect(held).toMatchObject({ price_amount: null, price_currency: null })
    await free.price(9900)
    expect((await free.confirm(held)).body).toMatchObject({ status: 'confirmed', payment: null })

    const asked = await world({ price_amount: null, requires_approval: true })
    const request = (await book(asked.id, SLOT)).body
    await asked.price(9900)
    const { body } = await call('POST', `/v1/bookings/${request.id}/approve`, { key: asked.key })
    expect(body).toMatchObject({ status: 'confirmed', payment: null, price_amount: null })
  })

  it('stays dearer where a request was dearer, also when the event type is free by then', async () => {
    const { key, id, price } = await world({ requires_approval: true })
    const request = (await book(id, SLOT)).body
    expect(request).toMatchObject({ price_amount: 3000, price_currency: 'eur', payment: null })
    await price(null)
    const { body } = await call('POST', `/v1/bookings/${request.id}/approve`, { key })
    expect(body).toMatchObject({ status: 'pending_payment', payment: { amount: 3000, currency: 'eur' } })
  })

  it('is kept by a waitlist entry and charged when it is promoted, per seat', async () => {
    const { key, id, price } = await world()
    const booked = (await book(id, SLOT)).body
    const { body: entry } = await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        invitee_name: 'Wanda',
        invitee_email: `${unique('wanda')}@example.com`,
        start_time: iso(SLOT),
      },
    })
    expect(entry).toMatchObject({ price_amount: 3000, price_currency: 'eur' })
    await price(9900)
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    const { body: promoted } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    const { body } = await call('GET', `/v1/bookings/${promoted.promoted_booking_id}`, { key })
    expect(body).toMatchObject({ price_amount: 3000, payment: { amount: 3000, currency: 'eur' } })
  })

  it('is that of a seat, and a move does not change it', async () => {
    const { key, id, price } = await world({ max_attendees: 5 })
    const attendees = [{ name: 'Grace', email: `${unique('grace')}@example.com` }]
    const { body } = await book(id, SLOT, { attendees })
    expect(body).toMatchObject({ price_amount: 3000, payment: { amount: 6000 } })
    await price(9900)
    const moved = await call('POST', `/v1/sessions/${body.session_id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + 3 * HOUR_MS) },
    })
    expect(moved.status).toBe(200)
    const read = await call('GET', `/v1/bookings/${body.id}`, { key })
    expect(read.body).toMatchObject({ price_amount: 3000, payment: { amount: 6000 } })
  })
})

describe('the expected price', () => {
  it('refuses a booking at another price with both prices, and books at the same one in any letter case', async () => {
    const { id } = await world()
    for (const [expected, said] of [
      [{ expected_amount: 2000 }, { amount: 2000, currency: null }],
      [
        { expected_amount: 3000, expected_currency: 'usd' },
        { amount: 3000, currency: 'usd' },
      ],
      [{ expected_amount: 0 }, { amount: 0, currency: null }],
    ] as const) {
      const { status, body } = await book(id, SLOT, expected)
      expect([status, body.error.code]).toEqual([409, 'conflict'])
      expect(body.error.details).toEqual({
        code: 'price_changed',
        expected: said,
        actual: { amount: 3000, currency: 'eur' },
      })
    }
    expect((await book(id, SLOT, { expected_amount: 3000, expected_currency: 'EUR' })).status).toBe(201)
    expect((await book(id, SLOT + HOUR_MS, { expected_amount: 3000 })).status).toBe(201)
  })

  it('is compared with the price of the hold when one is confirmed', async () => {
    const { price, hold, confirm } = await world()
    const held = await hold()
    await price(9900)
    const refused = await confirm(held, { expected_amount: 9900 })
    expect([refused.status, refused.body.error.details.actual]).toEqual([
      409,
      { amount: 3000, currency: 'eur' },
    ])
    expect((await confirm(held, { expected_amount: 3000, expected_currency: 'eur' })).status).toBe(201)
  })

  it('refuses any amount but 0 for a free event type, and rejects invalid values', async () => {
    const { id } = await world({ price_amount: null })
    const { status, body } = await book(id, SLOT, { expected_amount: 3000, expected_currency: 'eur' })
    expect([status, body.error.details.actual]).toEqual([409, { amount: null, currency: null }])
    for (const [name, value] of Object.entries({ expected_amount: -1, expected_currency: 'euro' })) {
      const wrong = await book(id, SLOT, { [name]: value })
      expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, [name]])
    }
    expect((await book(id, SLOT, { expected_amount: 0 })).status).toBe(201)
  })
})
