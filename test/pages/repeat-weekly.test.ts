import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { visit } from '../support/pages.ts'

const WEEK_MS = 7 * 86_400_000
const START = dayFromNow(7) + 36_000_000

async function pageOf(input: Record<string, unknown>) {
  const { liveKey: key, slug } = await createOrganization()
  const eventType = await createEventType(key, { booking_page_enabled: true, ...input })
  const path = `/book/${slug}/${eventType.slug}`
  const show = () => visit(`${path}?time=${encodeURIComponent(iso(START))}&tz=UTC`)
  const send = (repeat: string) =>
    visit(path, {
      form: {
        key: unique('form'),
        timezone: 'UTC',
        duration: '30',
        start_time: iso(START),
        name: 'Ada Lovelace',
        email: `${unique('ada')}@example.com`,
        repeat,
      },
    })
  const booked = async () =>
    (await call('GET', '/v1/bookings', { key })).body.data.map((one: any) => one.start_time).sort()
  return { key, id: eventType.id, show, send, booked }
}

describe('the form of a booking page', () => {
  it('offers to repeat weekly as often as the event type allows', async () => {
    const { show, send, booked } = await pageOf({ series_max: 3 })
    const { text } = await show()
    expect(text).toContain('Repeat weekly')
    expect(text.match(/<option value="[23]">/g)).toHaveLength(2)
    const sent = await send('3')
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toMatch(/^\/bookings\/series\/[0-9a-f-]{36}\?token=/)
    expect(await booked()).toEqual([0, 1, 2].map((at) => iso(START + at * WEEK_MS)))
    expect((await visit(sent.headers.get('location')!)).status).toBe(200)
  })

  it('says which weeks are not available, and books none', async () => {
    const { key, id, send, booked } = await pageOf({ series_max: 3 })
    const other = { event_type_id: id, start_time: iso(START + WEEK_MS), invitee_name: 'Grace' }
    await call('POST', '/v1/bookings', { key, body: { ...other, invitee_email: 'grace@example.com' } })
    const { status, text } = await send('3')
    expect([status, text.includes('Not all of these times are available')]).toEqual([409, true])
    expect(await booked()).toEqual([iso(START + WEEK_MS)])
  })

  it('offers nothing to repeat where that is not allowed, or costs something', async () => {
    for (const input of [{}, { series_max: 1 }, { series_max: 5, price_amount: 1000 }]) {
      expect((await (await pageOf(input)).show()).text).not.toContain('Repeat weekly')
    }
    const { send, booked } = await pageOf({ series_max: 2 })
    expect((await send('3')).status).toBeGreaterThanOrEqual(400)
    expect(await booked()).toEqual([])
  })
})
