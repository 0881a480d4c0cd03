import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LINK_MEETING } from '../../src/booking/bookings/commands.ts'
import { askEventType } from '../../src/engine/turn/command.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call, callAsService } from '../support/app.ts'
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
const ADA = 'ada@example.com'

async function sandbox(input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const { id: organizationId, testKey: key } = await createOrganization({ ownerEmail })
  const { id } = await createEventType(key, { reminder_intervals: [], ...input })
  const book = (body: Record<string, unknown> = {}, withKey = true, at = SLOT) =>
    call('POST', '/v1/bookings', { ...(withKey && { key }), body: bookingInput(id, at, body) })
  const act = (booking: any, verb: string, body: Record<string, unknown>) =>
    call('POST', `/v1/bookings/${booking.id}/${verb}`, { key, body })
  const silence = (invitee_emails: string) =>
    callAsService('PATCH', `/v1/organizations/${organizationId}`, { body: { invitee_emails } })
  return { organizationId, ownerEmail, key, id, book, act, silence }
}

describe('a call with notify: false', () => {
  it('emails the owner and nobody it concerns, and webhooks go on', async () => {
    const { key, book, act, ownerEmail } = await sandbox()
    const { body: booking, status } = await book({ notify: false })
    expect(status).toBe(201)
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS), notify: false })
    await act(booking, 'cancel', { notify: false })
    await lettersTo(key, ownerEmail, 3)
    expect(await lettersTo(key, ADA, 0)).toEqual([])
    const { body } = await call('GET', '/v1/events', { key })
    expect(body.data.map((event: any) => event.event)).toEqual([
      'booking.created',
      'booking.rescheduled',
      'booking.cancelled',
    ])
    expect(body.data.map((event: any) => Object.keys(event).filter((name) => name === 'previous'))).toEqual([
      [],
      ['previous'],
      [],
    ])
    expect(JSON.stringify(body)).not.toContain('quiet')
  })

  it('silences itself only: the next call emails again', async () => {
    const { key, book, act } = await sandbox()
    const { body: booking } = await book({ notify: false })
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS), notify: true })
    const [letter] = await lettersTo(key, ADA, 1)
    expect(letter!.body).toContain('Your booking was rescheduled')
  })

  it('silences the link of the meeting that is made for it', async () => {
    const { key, id, book, ownerEmail } = await sandbox()
    const quiet = await book({ notify: false })
    const loud = await book({ invitee_email: 'bob@example.com' }, true, SLOT + HOUR_MS)
    await lettersTo(key, ownerEmail, 2)
    for (const { body } of [quiet, loud]) {
      const now = realNow()
      const link = {
        eventTypeId: id,
        holderId: body.id,
        url: 'https://meet.example.com/1',
        maker: 'account' as const,
        now: now as never,
      }
      await askEventType(env, id, LINK_MEETING, link)
    }
    await lettersTo(key, 'bob@example.com', 2)
    expect(await lettersTo(key, ADA, 0)).toEqual([])
  })

  it('needs a key on every verb', async () => {
    const { book } = await sandbox()
    const refused = await book({ notify: false }, false)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    const { body: booking } = await book({ notify: true }, false)
    for (const verb of ['cancel', 'reschedule']) {
      const body = { notify: false, new_start_time: iso(SLOT + HOUR_MS) }
      const answer = await call('POST', `/v1/bookings/${booking.id}/${verb}?token=${booking.cancel_token}`, {
        body,
      })
      expect([verb, answer.status]).toEqual([verb, 403])
    }
  })

  it('confirms a hold with a key', async () => {
    const { key, id, ownerEmail } = await sandbox()
    const { body: hold } = await call('POST', '/v1/holds', {
      key,
      body: { event_type_id: id, start_time: iso(SLOT) },
    })
    const invitee = { invitee_name: 'Ada', invitee_email: ADA, notify: false }
    const path = `/v1/holds/${hold.id}/confirm?token=${hold.token}`
    expect((await call('POST', path, { body: invitee })).status).toBe(403)
    expect((await call('POST', path, { key, body: invitee })).status).toBe(201)
    await lettersTo(key, ownerEmail, 1)
    expect(await lettersTo(key, ADA, 0)).toEqual([])
  })
})

describe('an organization that sends its own emails', () => {
  it('emails its owner, and no invitee, attendee or waitlist entry', async () => {
    const { key, id, book, act, silence, ownerEmail } = await sandbox({
      waitlist_enabled: true,
      max_attendees: 2,
      requires_approval: true,
    })
    const { body: organization } = await silence('none')
    expect(organization.invitee_emails).toBe('none')
    const { body: booking } = await book({ attendees: [{ name: 'Bob', email: 'bob@example.com' }] }, false)
    await act(booking, 'approve', {})
    await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        start_time: iso(SLOT),
        invitee_name: 'Eve',
        invitee_email: 'eve@example.com',
      },
    })
    await act(booking, 'cancel', {})
    await lettersTo(key, ownerEmail, 3)
    for (const address of [ADA, 'bob@example.com', 'eve@example.com'])
      expect([address, await lettersTo(key, address, 0)]).toEqual([address, []])
  })

  it('sends no reminder', async () => {
    const { key, book, silence } = await sandbox({ reminder_intervals: [60] })
    await silence('none')
    await book()
    const clock = { now: iso(SLOT - 30 * 60_000) }
    expect((await call('PUT', '/v1/test-data/clock', { key, body: clock })).status).toBe(200)
    await new Promise((go) => setTimeout(go, 500))
    expect(await lettersTo(key, ADA, 0)).toEqual([])
  })
})
