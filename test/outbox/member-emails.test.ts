import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { decisionUrl } from '../../src/booking/bookings/approval/decision-link.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { addressOf, keyOfMember } from '../support/members.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'
import { visit } from '../support/pages.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS

async function owned(input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail })
  const { id } = await createEventType(organization.testKey, { reminder_intervals: [], ...input })
  return { organization, ownerEmail, key: organization.testKey, id }
}

async function membersOf({ id, liveKey }: Organization): Promise<any[]> {
  return (await call('GET', `/v1/organizations/${id}/members`, { key: liveKey })).body.data
}

async function patchMember(organization: Organization, id: string, body: Record<string, unknown>) {
  const path = `/v1/organizations/${organization.id}/members/${id}`
  const { status } = await call('PATCH', path, { key: organization.liveKey, body })
  expect(status).toBe(200)
}

async function patchOwner(organization: Organization, body: Record<string, unknown>) {
  const owner = (await membersOf(organization)).find(({ role }) => role === 'owner')
  await patchMember(organization, owner.id, body)
  return owner
}

function act(booking: any, what: string, body: Record<string, unknown> = {}) {
  return call('POST', `/v1/bookings/${booking.id}/${what}?token=${booking.cancel_token}`, { body })
}

/** From an hour after the slot on. */
async function beOff(key: string, memberId: string) {
  const times = { start: iso(SLOT + HOUR_MS), end: iso(SLOT + 3 * HOUR_MS) }
  const { status } = await call('POST', '/v1/time-off', { key, body: { member_ids: [memberId], ...times } })
  expect(status).toBe(201)
}

const subjects = (letters: readonly { subject: string }[]) =>
  letters.map(({ subject }) => subject.split(':')[0])

describe('the owner', () => {
  it('gets an email about a new, a moved and a cancelled booking, with all that was typed, and never the token', async () => {
    const { ownerEmail, key, id } = await owned({ max_attendees: 2 })
    const { body: booking } = await book(id, SLOT, {
      notes: 'First line\nSecond',
      attendees: [{ name: 'Bob', email: 'bob@example.com' }],
      invitee_timezone: 'Asia/Tokyo',
    })
    await lettersTo(key, ownerEmail, 1)
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS), reason: 'The train' })
    await lettersTo(key, ownerEmail, 2)
    await act(booking, 'cancel', { reason: 'Ill\u2028in bed' })
    const letters = await lettersTo(key, ownerEmail, 3)
    expect(subjects(letters)).toEqual(['New booking', 'Rescheduled', 'Cancelled'])
    const [made, moved, ended] = letters
    expect(made!.subject).toMatch(/^New booking: Ada Lovelace, Intro call, \w{3}, \w{3} \d{1,2}, \d{4}$/)
    expect(made!.body).toContain('Notes:\n> First line\n> Second')
    expect(made!.body).toContain('Guests:\nBob (bob@example.com)')
    expect(made!.body).toMatch(/^Time for Ada Lovelace:\n.*\n.*\nJapan Standard Time/m)
    expect(moved!.body).toContain('Reason:\n> The train')
    expect(moved!.body).toMatch(/^Previously:$/m)
    expect(ended!.body).toContain('Reason:\n> Ill\n> in bed')
    for (const letter of letters) {
      expect(letter.reply_to).toBe('ada@example.com')
      expect(JSON.stringify(letter)).not.toContain(booking.cancel_token)
      expect(letter.body).toContain(
        `Open in the console:\n${env.PUBLIC_URL}/console/bookings/${booking.id}\n`,
      )
    }
    expect([made!, moved!, ended!].map((letter) => eventIn(letter))).toMatchObject([
      { method: 'PUBLISH', sequence: 0, summary: 'Intro call · Ada Lovelace' },
      { method: 'PUBLISH', sequence: 1 },
      { method: 'CANCEL', sequence: 2 },
    ])
    expect(new Set(letters.map((letter) => eventIn(letter).uid)).size).toBe(1)
  })

  it('sees the date in the subject after the typed text', async () => {
    const { ownerEmail, key, id } = await owned({ title: '東'.repeat(255) })
    await book(id, SLOT, { invitee_name: `\u202e${'😀'.repeat(120)}` })
    const [letter] = await lettersTo(key, ownerEmail, 1)
    expect(letter!.subject).toMatch(/^New booking: (😀){59}…, 東{59}…, \w{3}, \w{3} \d{1,2}, \d{4}$/u)
    const [invitees] = await lettersTo(key, 'ada@example.com', 1)
    expect(invitees!.subject).toMatch(/^Confirmed: 東{59}…, \w{3}, \w{3} \d{1,2}, \d{4}$/)
  })

  it('replies only to the invitee, whatever characters the address has', async () => {
    const { ownerEmail, key, id } = await owned()
    await book(id, SLOT, { invitee_email: 'ada?bcc=all&body=x@example.com' })
    const [letter] = await lettersTo(key, ownerEmail, 1)
    expect(letter!.html).toContain('href="mailto:ada%3Fbcc%3Dall%26body%3Dx@example.com"')
    expect(letter!.body).toContain('\nada?bcc=all&body=x@example.com\n')
  })

  it('gets a file that names attendees in words only, because calendars write to addresses they find in it', async () => {
    const { ownerEmail, key, id } = await owned({ max_attendees: 2 })
    await book(id, SLOT, { attendees: [{ name: 'Bob', email: 'bob@example.com' }] })
    const [letter] = await lettersTo(key, ownerEmail, 1)
    const { attendees, description } = eventIn(letter!)
    expect(attendees).toEqual([])
    expect(description).toContain('Ada Lovelace (ada@example.com)\nBob (bob@example.com)')
  })

  it("reads it in their own language and zone, else in the organization's", async () => {
    const ownerEmail = `${unique('owner')}@example.com`
    const organization = await createOrganization({ ownerEmail, timezone: 'America/New_York' })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { locale: 'de' } })
    const key = organization.testKey
    const { id } = await createEventType(key, { reminder_intervals: [] })
    await book(id, SLOT, { locale: 'fr' })
    await lettersTo(key, ownerEmail, 1)
    await patchOwner(organization, { locale: 'ja', timezone: 'Asia/Tokyo' })
    await book(id, SLOT + HOUR_MS, { locale: 'fr' })
    const [german, japanese] = await lettersTo(key, ownerEmail, 2)
    expect(german!.subject).toMatch(/^Neuer Termin: /)
    expect(german!.body).toMatch(/\(America\/New York\)$/m)
    expect(german!.body).toContain('In der Konsole öffnen:')
    expect(japanese!.subject).toMatch(/^新しい予約: Ada Lovelace 様/)
    expect(japanese!.body).toMatch(/\(Asia\/Tokyo\)$/m)
  })

  it('gets only the notifications they have chosen', async () => {
    const { organization, ownerEmail, key, id } = await owned()
    await patchOwner(organization, { notifications: { new: false, cancelled: false } })
    const { body: booking } = await book(id, SLOT)
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await act(booking, 'cancel')
    await lettersTo(key, 'ada@example.com', 3)
    expect(subjects(await lettersTo(key, ownerEmail, 1))).toEqual(['Rescheduled'])
  })

  it('gets no email about an unpaid booking, and one about a new booking once it is paid', async () => {
    const { ownerEmail, key, id } = await owned({ price_amount: 5_000, price_currency: 'eur' })
    const { body: paid } = await book(id, SLOT)
    const { body: unpaid } = await book(id, SLOT + HOUR_MS, { invitee_email: 'eve@example.com' })
    await lettersTo(key, 'ada@example.com', 1)
    await lettersTo(key, 'eve@example.com', 1)
    await call('POST', `/v1/test-data/payments/${paid.payment.id}/succeed`, { key })
    await act(unpaid, 'cancel')
    await lettersTo(key, 'ada@example.com', 2)
    await lettersTo(key, 'eve@example.com', 2)
    const [letter] = await lettersTo(key, ownerEmail, 1)
    expect(letter!.subject).toMatch(/^New booking: Ada Lovelace/)
    expect(letter!.body).toContain('Price:\n€50.00')
  })

  it('gets an email about every booking, however many emails the day had, without a stored row', async () => {
    const ownerEmail = `${unique('owner')}@example.com`
    const organization = await createOrganization({ ownerEmail })
    const { id } = await createEventType(organization.liveKey, { reminder_intervals: [] })
    const sent: any[] = []
    const EMAIL = { send: async (email: unknown) => void sent.push(email) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    await env.DB.prepare(
      'INSERT INTO letter_counts (day, organization_id, is_test, address, letters) VALUES (?, ?, 0, ?, 40)',
    )
      .bind(Math.floor(Date.now() / 86_400_000), organization.id, ownerEmail)
      .run()
    await quiet.call('POST', '/v1/bookings', { key: organization.liveKey, body: bookingInput(id, SLOT) })
    const rows = async (table: string) =>
      (await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`).bind(organization.id).all())
        .results
    const [event] = await rows('events')
    await handleEvent(quiet.env, String(event!.id))
    const mine = sent.find(({ to }) => to === ownerEmail)
    expect(mine).toMatchObject({
      from: { name: expect.stringMatching(/^Acme/), email: env.EMAIL_FROM },
      replyTo: 'ada@example.com',
      subject: expect.stringMatching(/^New booking: /),
    })
    expect(sent).toHaveLength(2)
    expect(await rows('posted_letters')).toEqual([])
    expect((await rows('letter_counts')).map(({ letters }) => letters).sort()).toEqual([1, 40])
  })

  it('gets the email later if the provider accepts none', async () => {
    const ownerEmail = `${unique('owner')}@example.com`
    const organization = await createOrganization({ ownerEmail })
    const { id } = await createEventType(organization.liveKey, { reminder_intervals: [] })
    const EMAIL = { send: () => Promise.reject(new Error('busy')) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    await quiet.call('POST', '/v1/bookings', { key: organization.liveKey, body: bookingInput(id, SLOT) })
    const rows = async (table: string) =>
      (await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`).bind(organization.id).all())
        .results
    const [event] = await rows('events')
    await handleEvent(quiet.env, String(event!.id))
    expect((await rows('emails')).map(({ recipient }) => recipient).sort()).toEqual([
      'ada@example.com',
      ownerEmail,
    ])
  })
})

describe('the hosts', () => {
  it('get an email beside the owner, each of them once', async () => {
    const { organization, ownerEmail, key, id } = await owned({ assignment_strategy: 'round_robin' })
    const owner = (await membersOf(organization)).find(({ role }) => role === 'owner')
    await addHost(key, id, owner.id)
    await book(id, SLOT)
    expect(subjects(await lettersTo(key, ownerEmail, 1))).toEqual(['New booking'])
    const host = await createMember(organization)
    await addHost(key, id, host.id)
    await book(id, SLOT, { invitee_email: 'eve@example.com' })
    expect(subjects(await lettersTo(key, `${host.userId}@example.com`, 1))).toEqual(['New booking'])
    await lettersTo(key, ownerEmail, 2)
  })

  it('all get an email about a collective meeting', async () => {
    const { organization, key, id } = await owned({ assignment_strategy: 'none' })
    const ids = await addHosts(organization, key, id, 3)
    await book(id, SLOT)
    const hosts = (await membersOf(organization)).filter(({ id }) => ids.includes(id))
    expect(hosts).toHaveLength(3)
    for (const member of hosts) {
      expect(subjects(await lettersTo(key, member.user_email, 1))).toEqual(['New booking'])
    }
  })

  it('get an email when a booking moves from one to the other', async () => {
    const { organization, key, id } = await owned({ assignment_strategy: 'round_robin' })
    const ids = await addHosts(organization, key, id, 2)
    const addresses = new Map((await membersOf(organization)).map((one) => [one.id, one.user_email]))
    const { body: booking } = await book(id, SLOT, { invitee_email: 'one@example.com' })
    const first = booking.assigned_host.member_id
    const other = ids.find((one) => one !== first)!
    // Only the other one is free then.
    const { body: blocking } = await book(id, SLOT + HOUR_MS, { invitee_email: 'two@example.com' })
    await act(blocking, 'cancel')
    const { id: alone } = await createEventType(key, {
      assignment_strategy: 'round_robin',
      reminder_intervals: [],
    })
    await addHost(key, alone, first)
    await book(alone, SLOT + 2 * HOUR_MS, { invitee_email: 'three@example.com' })
    const moved = await act(booking, 'reschedule', { new_start_time: iso(SLOT + 2 * HOUR_MS) })
    expect(moved.body.assigned_host.member_id).toBe(other)
    const told = async (memberId: string, count: number) =>
      (await lettersTo(key, addresses.get(memberId), count)).filter(({ body }) => body.includes(booking.id))
    expect(subjects(await told(first, 3))).toEqual(['New booking', 'Reassigned'])
    const [, handed] = await told(first, 3)
    expect(eventIn(handed!).method).toBe('CANCEL')
    expect(subjects(await told(other, 3))).toEqual(['New booking'])
  })

  it('are asked to decide a request only while it is theirs', async () => {
    const asked = { assignment_strategy: 'round_robin', requires_approval: true }
    const { organization, key, id } = await owned(asked)
    await addHosts(organization, key, id, 2)
    const { body: booking } = await book(id, SLOT)
    await beOff(key, booking.assigned_host.member_id)
    const moved = await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    const [, handed] = await lettersTo(key, await addressOf(booking.assigned_host), 2)
    expect(subjects([handed!])).toEqual(['Reassigned'])
    expect(handed!.attachments).toEqual([])
    expect(handed!.body).not.toContain('/requests/')
    const next = await addressOf(moved.body.assigned_host)
    expect(subjects(await lettersTo(key, next, 1))).toEqual(['Approval needed'])
  })

  it('get a file about an invitee who joins a session whose calendar is gone', async () => {
    const { organization, ownerEmail, key, id } = await owned({ max_attendees: 2 })
    const calendar = await insertConnection(organization, 'test')
    await book(id, SLOT)
    expect((await call('DELETE', `/v1/calendars/${calendar}`, { key })).status).toBe(204)
    const { body: joined } = await book(id, SLOT, { invitee_email: 'grace@example.com' })
    expect(joined.calendar_connection_id).toBeNull()
    const letters = await lettersTo(key, ownerEmail, 2)
    expect(letters.map(({ attachments }) => attachments.length).toSorted()).toEqual([0, 1])
  })

  it('get a file of what is approved, confirmed or shared once its calendar is gone', async () => {
    const { organization, ownerEmail, key, id } = await owned({ max_attendees: 1 })
    const { id: asked } = await createEventType(key, { requires_approval: true, reminder_intervals: [] })
    const calendar = await insertConnection(organization, 'test')
    await book(id, SLOT)
    const { body: request } = await book(asked, SLOT + HOUR_MS)
    await lettersTo(key, ownerEmail, 2)
    const later = { event_type_id: id, start_time: iso(SLOT + 2 * HOUR_MS) }
    const { body: hold } = await call('POST', '/v1/holds', { body: later })
    expect((await call('DELETE', `/v1/calendars/${calendar}`, { key })).status).toBe(204)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    const { body: joined } = await book(id, SLOT, { invitee_email: 'grace@example.com' })
    const { body: approved } = await call('POST', `/v1/bookings/${request.id}/approve`, { key })
    const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const confirm = `/v1/holds/${hold.id}/confirm?token=${hold.token}`
    const { body: confirmed } = await call('POST', confirm, { body: invitee })
    const booked = [joined, approved, confirmed]
    expect(booked.map(({ calendar_connection_id }) => calendar_connection_id)).toEqual([null, null, null])
    const letters = await lettersTo(key, ownerEmail, 5)
    const files = letters.flatMap(({ attachments }) => attachments)
    expect(files).toHaveLength(booked.length)
  })

  it('get a file that cancels a booking of which they had one, even if it is in the next host’s calendar', async () => {
    const { organization, ownerEmail } = await owned()
    const { id: organizationId, liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin', reminder_intervals: [] })
    await addHosts(organization, key, id, 2)
    const sent: any[] = []
    const EMAIL = { send: async (email: unknown) => void sent.push(email) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    const { body: booking } = await quiet.call('POST', '/v1/bookings', { key, body: bookingInput(id, SLOT) })
    await beOff(key, booking.assigned_host.member_id)
    const body = { new_start_time: iso(SLOT + HOUR_MS) }
    await quiet.call('POST', `/v1/bookings/${booking.id}/reschedule`, { key, body })
    const [event] = await env.DB.prepare(
      `UPDATE events SET data = json_set(data, '$.calendar_connection_id', 'theirs')
      WHERE organization_id = ? AND kind = 'booking.rescheduled' RETURNING id`,
    )
      .bind(organizationId)
      .all<{ id: string }>()
      .then(({ results }) => results)
    await handleEvent(quiet.env, event!.id)
    const files = (to: string) => sent.filter((one) => one.to === to).map(({ attachments }) => attachments)
    expect(files(ownerEmail)).toEqual([[]])
    expect(files(booking.assigned_host.email)).toMatchObject([
      [{ content: expect.stringContaining('METHOD:CANCEL') }],
    ])
  })

  it('get an email about a new booking if it had no host before it moved to them', async () => {
    const { organization, ownerEmail, key, id } = await owned()
    const { body: booking } = await book(id, SLOT)
    await lettersTo(key, ownerEmail, 1)
    const host = await createMember(organization)
    await addHost(key, id, host.id)
    const hosted = { assignment_strategy: 'round_robin' }
    await call('PATCH', `/v1/event-types/${id}`, { key, body: hosted })
    const moved = await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    expect(moved.body.assigned_host.member_id).toBe(host.id)
    expect(subjects(await lettersTo(key, `${host.userId}@example.com`, 1))).toEqual(['New booking'])
    expect(subjects(await lettersTo(key, ownerEmail, 2))).toEqual(['New booking', 'Rescheduled'])
  })

  it('who have left get no email', async () => {
    const { organization, ownerEmail, key, id } = await owned({ assignment_strategy: 'round_robin' })
    const host = await createMember(organization)
    await addHost(key, id, host.id)
    const { body: booking } = await book(id, SLOT)
    const address = `${host.userId}@example.com`
    await lettersTo(key, address, 1)
    await call('DELETE', `/v1/organizations/${organization.id}/members/${host.id}`, {
      key: organization.liveKey,
    })
    await act(booking, 'cancel')
    await lettersTo(key, ownerEmail, 2)
    await lettersTo(key, address, 1)
  })

  it('who have no address get no email', async () => {
    const { testKey: key } = await createOrganization()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: booking } = await book(id, SLOT)
    await act(booking, 'cancel')
    await lettersTo(key, booking.attendees[0].email, 2)
    const { body } = await call('GET', '/v1/test-data/outbox', { key })
    expect(body.data).toHaveLength(2)
  })
})

describe('a webhook', () => {
  it('does not say why a booking moved nor from whom, unlike emails', async () => {
    const { organization, key, id } = await owned()
    const { body: booking } = await book(id, SLOT)
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS), reason: 'Secret' })
    const { body } = await call('GET', '/v1/events', { key })
    const moved = body.data.find(({ event }: any) => event === 'booking.rescheduled')
    expect(moved.previous).toEqual({ start_time: booking.start_time, end_time: booking.end_time })
    expect(JSON.stringify(body)).not.toContain('Secret')
    expect(organization.testKey).toBe(key)
  })
})

describe('a member who acts', () => {
  /** A booking of a host, with what the owner and the host were told: the first words of each subject. */
  async function hosted() {
    const { organization, ownerEmail, key, id } = await owned({ assignment_strategy: 'round_robin' })
    const host = await createMember(organization)
    const hostEmail = `${unique('host')}@example.com`
    await env.DB.prepare('UPDATE members SET user_email = ? WHERE id = ?').bind(hostEmail, host.id).run()
    await addHost(key, id, host.id)
    const as = (userId: string) => (method: string, path: string, body: object) => {
      const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test', 'X-User-Id': userId }
      return callAsService(method, path, { headers, body })
    }
    const [owner, byHost] = [as(organization.ownerUserId), as(host.userId)]
    return { organization, ownerEmail, hostEmail, key, id, owner, byHost, host }
  }

  it('gets no email about what they do in the console, and the others do', async () => {
    const { ownerEmail, hostEmail, key, id, owner, byHost } = await hosted()
    const { body: booking, status } = await owner('POST', '/v1/bookings', bookingInput(id, SLOT))
    expect(status).toBe(201)
    await lettersTo(key, hostEmail, 1)
    const move = { new_start_time: iso(SLOT + HOUR_MS) }
    expect((await byHost('POST', `/v1/bookings/${booking.id}/reschedule`, move)).status).toBe(200)
    await lettersTo(key, ownerEmail, 1)
    expect((await owner('POST', `/v1/bookings/${booking.id}/cancel`, {})).status).toBe(200)
    expect(subjects(await lettersTo(key, hostEmail, 2))).toEqual(['New booking', 'Cancelled'])
    expect(subjects(await lettersTo(key, ownerEmail, 1))).toEqual(['Rescheduled'])
  })

  it('gets none about sessions, series, requests and bookings that they hand over', async () => {
    const { ownerEmail, hostEmail, key, id, owner, host, organization } = await hosted()
    const other = await createMember(organization)
    const made = async (path: string, body: object) => {
      const answer = await owner('POST', path, body)
      expect([path, answer.status < 300]).toEqual([path, true])
      return answer.body
    }
    const series = await made('/v1/series', { ...bookingInput(id, SLOT), count: 2 })
    await lettersTo(key, hostEmail, 1)
    await made(`/v1/series/${series.id}/cancel`, {})
    const one = await made('/v1/bookings', bookingInput(id, SLOT))
    const joined = await addHost(key, id, other.id)
    await made(`/v1/bookings/${one.id}/reassign`, { member_id: other.id })
    const group = await createEventType(key, { reminder_intervals: [], max_attendees: 5 })
    await addHost(key, group.id, host.id)
    const seat = await made('/v1/bookings', bookingInput(group.id, SLOT + 3 * HOUR_MS))
    const to = { new_start_time: iso(SLOT + 4 * HOUR_MS) }
    await made(`/v1/sessions/${seat.session_id}/reschedule`, to)
    const [session] = (await call('GET', `/v1/event-types/${group.id}/sessions`, { key })).body.data
    await made(`/v1/sessions/${session.id}/cancel`, {})
    await call('DELETE', `/v1/event-types/${id}/hosts/${joined.id}`, { key })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires_approval: true } })
    const asked = await Promise.all(
      [5, 6].map(async (hours) => (await book(id, SLOT + hours * HOUR_MS)).body.id),
    )
    await lettersTo(key, ownerEmail, 2)
    await made(`/v1/bookings/${asked[0]}/approve`, {})
    await made(`/v1/bookings/${asked[1]}/decline`, {})
    // New and cancelled as a series, new, handed over; a session that is new, moved and cancelled; two requests and their answers.
    await lettersTo(key, hostEmail, 11)
    expect(subjects(await lettersTo(key, ownerEmail, 2))).toEqual(['Approval needed', 'Approval needed'])
  })

  it('gets none by a key of their own either, and one about what invitees do', async () => {
    const { organization, ownerEmail, hostEmail, key, id, host } = await hosted()
    const own = await keyOfMember(organization, host, 'test')
    const { body: booking } = await call('POST', '/v1/bookings', { key: own, body: bookingInput(id, SLOT) })
    await lettersTo(key, ownerEmail, 1)
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await lettersTo(key, ownerEmail, 2)
    expect((await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: own, body: {} })).status).toBe(200)
    expect(subjects(await lettersTo(key, ownerEmail, 3))).toEqual(['New booking', 'Rescheduled', 'Cancelled'])
    expect(subjects(await lettersTo(key, hostEmail, 1))).toEqual(['Rescheduled'])
  })

  it('gets none about the request that they decide by the link of their email', async () => {
    const { ownerEmail, hostEmail, key, id, organization, owner } = await hosted()
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires_approval: true } })
    const { body: request } = await book(id, SLOT)
    await lettersTo(key, ownerEmail, 1)
    const member = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(organization.ownerUserId)
      .first<{ id: string }>()
    const { pathname, searchParams } = new URL(await decisionUrl(env, request.id, member!.id))
    const form = { ...Object.fromEntries(searchParams), answer: 'approve' }
    expect((await visit(pathname, { form })).status).toBe(303)
    expect(subjects(await lettersTo(key, hostEmail, 2))).toEqual(['Approval needed', 'New booking'])
    await owner('POST', `/v1/bookings/${request.id}/cancel`, {})
    await lettersTo(key, hostEmail, 3)
    expect(subjects(await lettersTo(key, ownerEmail, 1))).toEqual(['Approval needed'])
  })
})
