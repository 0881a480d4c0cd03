import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { type Service, serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(20) + 10 * HOUR_MS

type Sent = { to: string; subject: string; text: string }

const letters = new WeakMap<Service, Sent[]>()
const sentBy = (service: Service) => letters.get(service)!

/** A service whose emails a test sees; its events are handled when a test says so. */
async function mailed(guests: number, input: Record<string, unknown> = {}) {
  const sent: Sent[] = []
  const service = serviceWith({ EMAIL: { send: async (letter: any) => void sent.push(letter) } })
  letters.set(service, sent)
  const owner = `${unique('owner')}@example.com`
  const { liveKey: key, id: organizationId } = await createOrganization({ ownerEmail: owner })
  const { id } = await createEventType(key, { max_attendees: 100, reminder_intervals: [], ...input })
  const attendees = Array.from({ length: guests }, (_, at) => ({
    name: `Guest ${at}`,
    email: `${unique('guest')}@example.com`,
  }))
  const { body } = await service.book(id, SLOT, { attendees })
  const ada = 'ada@example.com'
  /** Sends what is to be sent, the rows of the queue too, and returns it. */
  async function emails(): Promise<Sent[]> {
    const { results } = await env.DB.prepare(
      'SELECT id FROM events WHERE organization_id = ? AND handled_at IS NULL ORDER BY sequence',
    )
      .bind(organizationId)
      .all<{ id: string }>()
    const before = sent.length
    for (const event of results) await handleEvent(service.env, event.id, Date.now() as RealMs)
    await sendRows(service, organizationId)
    return sent.slice(before)
  }
  const move = (to: number) =>
    service.call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
      body: { new_start_time: iso(to) },
    })
  const to = (address: string, letters: readonly Sent[]) => letters.filter((one) => one.to === address)
  return { service, key, organizationId, id, booking: body, attendees, owner, ada, emails, move, to }
}

async function sendRows({ env: own }: Service, organizationId: string) {
  const { sendEmail } = await import('../../src/outbox/mail/send-email.ts')
  const { emailWriter } = await import('../../src/delivery/emails/write-email.ts')
  const { results } = await env.DB.prepare('SELECT id FROM emails WHERE organization_id = ?')
    .bind(organizationId)
    .all<{ id: string }>()
  for (const { id } of results) await sendEmail(own, id, emailWriter, Date.now() as RealMs)
}

describe('the emails of one booking without a key', () => {
  it('are at most 100 a day except for the invitee and the owner, who reads who was left out', async () => {
    const { emails, move, owner, ada, to, attendees, service, booking, key } = await mailed(9)
    const all: Sent[] = await emails()
    // The invitee, nine guests and the owner.
    expect(all).toHaveLength(11)
    for (let at = 1; at <= 10; at++) {
      expect((await move(SLOT + at * HOUR_MS)).status).toBe(200)
      const letters = await emails()
      const [told] = to(owner, letters)
      expect([at, to(ada, letters).length, to(owner, letters).length]).toEqual([at, 1, 1])
      if (at <= 8)
        expect([letters.length, told!.text]).toEqual([11, expect.not.stringContaining('Not notified')])
      if (at === 9) expect(told!.text).toContain('Not notified')
      all.push(...letters)
    }
    // Nine times eleven are 99: the tenth act sends one more, the invitee's and the owner's, and so does the last.
    expect(all).toHaveLength(99 + 2 + 2)
    const last = to(owner, all).at(-1)!
    for (const { name, email } of attendees) expect(last.text).toContain(`${name} (${email})`)
    const { body } = await service.call('GET', `/v1/bookings/${booking.id}`, { key })
    expect(body.start_time).toBe(iso(SLOT + 10 * HOUR_MS))
  })

  it('leave out only the guests for whom there is no room', async () => {
    const { emails, move, owner, to, attendees, booking } = await mailed(9)
    await emails()
    await countAs(booking.id, 95)
    await move(SLOT + HOUR_MS)
    const letters = await emails()
    const got = attendees.filter(({ email }) => to(email, letters).length > 0)
    expect([letters.length, got.length]).toEqual([5, 3])
    const [, leftOut] = to(owner, letters)[0]!.text.split('Not notified')
    for (const guest of attendees)
      expect([guest.email, leftOut!.includes(guest.email)]).toEqual([guest.email, !got.includes(guest)])
  })

  it('are counted in all ways of sending: to a few at once, and in a sandbox', async () => {
    const { emails, move, owner, to, booking } = await mailed(2)
    expect(await emails()).toHaveLength(4)
    expect(await countedOf(booking.id)).toBe(4)
    await countAs(booking.id, 99)
    await move(SLOT + HOUR_MS)
    const letters = await emails()
    expect(letters).toHaveLength(2)
    expect(to(owner, letters)[0]!.text).toContain('Not notified')
    const { testKey: key } = await createOrganization({ ownerEmail: 'owner@example.com' })
    const { id } = await createEventType(key, { max_attendees: 100 })
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const made = await call('POST', '/v1/bookings', { body: bookingInput(id, SLOT, { attendees }) })
    const outbox = async (address: string) => {
      const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
      return body.data.filter((item: any) => item.channel === 'email' && item.to === address)
    }
    await expect.poll(async () => (await outbox('bob@example.com')).length, { timeout: 10_000 }).toBe(1)
    await countAs(made.body.id, 100)
    await call('POST', `/v1/bookings/${made.body.id}/cancel?token=${made.body.cancel_token}`)
    await expect.poll(async () => (await outbox('ada@example.com')).length, { timeout: 10_000 }).toBe(2)
    expect(await outbox('bob@example.com')).toHaveLength(1)
    const [told] = await outbox('owner@example.com')
    expect(told.body).toContain('Bob (bob@example.com)')
  })

  it('are not counted for an invitee without guests, nor with a key', async () => {
    const alone = await mailed(0)
    await alone.emails()
    expect(await countedOf(alone.booking.id)).toBeNull()
    const { key, id, service, emails } = alone
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const body = bookingInput(id, SLOT + HOUR_MS, { attendees })
    const { body: made } = await service.call('POST', '/v1/bookings', { key, body })
    await emails()
    expect(await countedOf(made.id)).toBeNull()
  })

  it('are at most 100 even if several acts send them at the same time', async () => {
    const { move, booking, organizationId, service, emails } = await mailed(4)
    await emails()
    await countAs(booking.id, 94)
    await move(SLOT + HOUR_MS)
    await move(SLOT + 2 * HOUR_MS)
    const { results } = await env.DB.prepare(
      'SELECT id FROM events WHERE organization_id = ? AND handled_at IS NULL',
    )
      .bind(organizationId)
      .all<{ id: string }>()
    const ends = await Promise.all(
      results.map(({ id }) => handleEvent(service.env, id, Date.now() as RealMs)),
    )
    expect(ends.length).toBe(2)
    await emails()
    // Six of the first act, the invitee and the owner of the second.
    expect(await countedOf(booking.id)).toBe(94 + 6 + 2)
  })
})

describe('the emails of a request', () => {
  it.each(['approve', 'decline', 'cancel'])(
    'are those of its decision alone if it was decided before they were sent: %s',
    async (verb) => {
      const { service, emails, key, booking, ada, owner, to, organizationId } = await mailed(0, {
        requires_approval: true,
      })
      const { results } = await env.DB.prepare('SELECT id FROM events WHERE organization_id = ?')
        .bind(organizationId)
        .all<{ id: string }>()
      const { status } = await service.call('POST', `/v1/bookings/${booking.id}/${verb}`, { key, body: {} })
      expect(status).toBe(200)
      // The decision is handled first, as it may happen.
      const { results: all } = await env.DB.prepare(
        'SELECT id FROM events WHERE organization_id = ? ORDER BY sequence DESC',
      )
        .bind(organizationId)
        .all<{ id: string }>()
      for (const { id } of all.filter(({ id }) => id !== results[0]!.id))
        await handleEvent(service.env, id, Date.now() as RealMs)
      const late = await emails()
      expect(late).toEqual([])
      const subjects = sentBy(service).map(({ to: address, subject }) => [address, subject.split(':')[0]])
      expect(subjects.map(([address]) => address).sort()).toEqual([ada, owner].sort())
      expect(to(ada, sentBy(service))[0]!.subject).not.toContain('Request')
    },
  )

  it('are sent as before if it is decided later', async () => {
    const { service, emails, key, booking, ada, to } = await mailed(0, { requires_approval: true })
    const first = await emails()
    expect(to(ada, first)[0]!.subject).toContain('Request')
    await service.call('POST', `/v1/bookings/${booking.id}/approve`, { key })
    expect(to(ada, await emails())).toHaveLength(1)
  })
})

async function countedOf(bookingId: string): Promise<number | null> {
  return env.DB.prepare('SELECT letters FROM letter_counts WHERE address = ?')
    .bind(`booking/${bookingId}`)
    .first<number>('letters')
}

async function countAs(bookingId: string, letters: number) {
  await env.DB.prepare('UPDATE letter_counts SET letters = ? WHERE address = ?')
    .bind(letters, `booking/${bookingId}`)
    .run()
}
