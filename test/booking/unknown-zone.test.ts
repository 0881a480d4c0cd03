import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  unique,
} from '../support/factories.ts'
import { lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const ZONE = 'Asia/Tokyo'

async function sandbox(input: Record<string, unknown> = {}) {
  const { testKey: key } = await createOrganization({ ownerEmail: `${unique('owner')}@example.com` })
  const { id } = await createEventType(key, { timezone: ZONE, reminder_intervals: [], ...input })
  const email = `${unique('ada')}@example.com`
  const book = async (body: Record<string, unknown> = {}, path = '/v1/bookings') => {
    const given = bookingInput(id, SLOT, { invitee_email: email, ...body })
    const { invitee_timezone: zone, ...others } = given as Record<string, unknown>
    const made = await call('POST', path, {
      key,
      body: 'invitee_timezone' in body ? { ...others, invitee_timezone: zone } : others,
    })
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    return made.body
  }
  const texts = async (count: number, to = email) =>
    (await lettersTo(key, to, count)).map(({ subject, body }) => `${subject} ${body}`)
  return { key, id, email, book, texts }
}

describe('an invitee whose zone was not given', () => {
  it('is in UTC in the record, and gets emails in the zone of the event type', async () => {
    const { key, book, texts } = await sandbox({ max_guests: 1 })
    const guest = `${unique('guest')}@example.com`
    const booking = await book({ guests: [{ email: guest }] })
    expect([booking.invitee_timezone, booking.attendees[0].timezone]).toEqual(['UTC', 'UTC'])
    for (const to of [undefined, guest]) {
      const [text] = await texts(1, to)
      expect(text).toContain('10:00')
      expect(text).toContain('Tokyo')
    }
    const body = { invitee_timezone: 'UTC' }
    expect((await call('PATCH', `/v1/bookings/${booking.id}`, { key, body })).status).toBe(200)
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key, body: {} })
    const newest = (await texts(2)).at(-1)
    expect(newest).toContain('1:00')
    expect(newest).not.toContain('Tokyo')
  })

  it('is not one who said that it is UTC', async () => {
    const { book, texts } = await sandbox()
    await book({ invitee_timezone: 'UTC' })
    expect((await texts(1))[0]).not.toContain('Tokyo')
  })

  it('waits in the zone of the event type, too, and is promoted with it', async () => {
    const { key, book, texts } = await sandbox({ waitlist_enabled: true })
    const other = await book({ invitee_email: 'first@example.com' })
    const entry = await book({}, '/v1/waitlist')
    expect(entry.invitee_timezone).toBe('UTC')
    await call('POST', `/v1/bookings/${other.id}/cancel`, { key, body: {} })
    for (const text of await texts(2)) expect(text).toContain('Tokyo')
  })
})
