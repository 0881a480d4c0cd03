import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { LINK_MEETING } from '../../src/booking/bookings/commands.ts'
import { remind } from '../../src/booking/bookings/reminders/remind.ts'
import { askEventType } from '../../src/engine/turn/command.ts'
import { personOf } from '../../src/operations/erasure/person.ts'
import { withoutPerson } from '../../src/operations/erasure/without-person.ts'
import { seal, unseal } from '../../src/platform/auth/secret.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { type RealMs, realNow } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { eventIn, type Item, lettersTo } from '../support/outbox.ts'
import { run } from '../support/run.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const QUESTIONS = [
  { key: 'topic', label: 'Topic?', type: 'short_text', required: false, options: null, help: null },
]
const all = async (query: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(query)
      .bind(...values)
      .all<any>()
  ).results

const SPACES = [env.EVENT_TYPES, env.ACCOUNTS, env.RATE_LIMITS]
/** What files before this one asked, which is empty by now and nobody asks again: thousands of objects where many ran. */
const emptied = new Set<string>()

beforeAll(async () => {
  for (const space of SPACES) for (const id of await listDurableObjectIds(space)) emptied.add(String(id))
})

/** Every text of every column of every table and of every object, and what is sealed there. */
async function everything(): Promise<string[]> {
  const tables = await all(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'posted_letters'",
  )
  const texts: string[] = []
  for (const { name } of tables) {
    for (const row of await all(`SELECT * FROM "${name}"`)) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value !== 'string') continue
        const open = /^[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/.test(value)
          ? await unseal(env.ENCRYPTION_KEY, value).catch(() => value)
          : value
        texts.push(`${name}.${column} ${open}`)
      }
    }
  }
  for (const space of SPACES) {
    for (const id of await listDurableObjectIds(space)) {
      if (emptied.has(String(id))) continue
      await runInDurableObject(space.get(id), (_, state) => {
        const { kv, sql } = state.storage
        const tables = sql.exec(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
        )
        const rows = tables.toArray().flatMap(({ name }) => sql.exec(`SELECT * FROM "${name}"`).toArray())
        for (const entry of [...kv.list(), ...rows]) texts.push(`object ${JSON.stringify(entry)}`)
      })
    }
  }
  return texts
}

async function whereIs(...secrets: string[]): Promise<string[]> {
  const small = secrets.map((secret) => secret.toLowerCase())
  return (await everything()).filter((text) => small.some((secret) => text.toLowerCase().includes(secret)))
}

type Mode = 'live' | 'test'

/** Somebody who is everywhere in an organization. */
async function personEverywhere(organization: Organization, mode: Mode) {
  const isTest = mode === 'test' ? 1 : 0
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const name = `Quillon ${unique('Zephyrine')}`
  const email = `${unique('Quillon.Z')}@Example.com`
  const them = { invitee_name: name, invitee_email: email }
  const { id } = await createEventType(key, {
    max_attendees: 3,
    waitlist_enabled: true,
    questions: QUESTIONS,
    reminder_intervals: [60],
  })
  const { id: single } = await createEventType(key, { waitlist_enabled: true, reminder_intervals: [60] })
  const endpointId = looseId()
  await run(
    `INSERT INTO webhook_endpoints (id, organization_id, is_test, url, events, secret, active, verification_status, created_at, updated_at)
     VALUES (?, ?, ?, ?, '["*"]', ?, 1, 'verified', 1, 1)`,
    ...[
      endpointId,
      organization.id,
      isTest,
      `${inject('receiver')}/${unique('hook')}`,
      await seal(env.ENCRYPTION_KEY, `whsec_${btoa('secret'.repeat(6))}`),
    ],
  )
  const headers = { 'Idempotency-Key': unique('key') }
  const typed = {
    ...them,
    notes: `I am ${name}`,
    metadata: { who: name, mail: email },
    answers: { topic: `${name} here` },
  }
  const future = await call('POST', '/v1/bookings', { headers, body: bookingInput(id, SLOT, typed) })
  expect([future.status, future.body]).toEqual([201, expect.anything()])
  const past = await book(id, SLOT + HOUR_MS, { ...them, invitee_email: email.toUpperCase() })
  await call('POST', `/v1/bookings/${past.body.id}/reschedule`, {
    ...{ key, headers: { 'Idempotency-Key': unique('key') } },
    body: { new_start_time: new Date(SLOT + 2 * HOUR_MS).toISOString(), reason: `${name} asked for it` },
  })
  const cancelled = await book(single, SLOT + 3 * HOUR_MS, them)
  await call('POST', `/v1/bookings/${cancelled.body.id}/cancel`, {
    body: { reason: `${name} is ill` },
    headers: { Authorization: `Bearer ${cancelled.body.cancel_token}` },
  })
  const guest = await book(id, SLOT + 8 * HOUR_MS, {
    invitee_name: 'Grace Hopper',
    invitee_email: `${unique('grace')}@example.com`,
    notes: `With ${email}`,
    attendees: [{ name, email }],
  })
  expect([guest.status, guest.body]).toEqual([201, expect.anything()])
  await book(single, SLOT + 5 * HOUR_MS, { invitee_email: `${unique('other')}@example.com` })
  const waiting = await call('POST', '/v1/waitlist', {
    body: bookingInput(single, SLOT + 5 * HOUR_MS, { ...them, notes: name }),
  })
  expect(waiting.status).toBe(201)
  const { id: proving } = await createEventType(key, { verify_email: true })
  const verification = { event_type_id: proving, email }
  const asked = await call('POST', '/v1/email-verifications', { body: verification })
  expect([asked.status, asked.body]).toEqual([202, expect.anything()])
  await run(
    `INSERT INTO slot_holds (id, organization_id, event_type_id, is_test, purpose, status, start_time, end_time, seats,
       credited_ids, is_assignment, metadata, expires_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, 'hold', 'released', 1, 2, 1, '[]', 0, ?5, 3, 1, 1)`,
    ...[looseId(), organization.id, id, isTest, JSON.stringify({ for: `${name} <${email}>` })],
  )
  const paymentId = looseId()
  await run(
    `INSERT INTO payments (id, organization_id, is_test, event_type_id, booking_id, amount, currency, platform_fee, status, expires_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 100, 'eur', 0, 'succeeded', 1, 1, 1)`,
    ...[paymentId, organization.id, isTest, id, past.body.id],
  )
  await run(
    `INSERT INTO refunds (id, payment_id, organization_id, is_test, amount, reason, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, 1, ?, 'succeeded', 1, 1)`,
    ...[looseId(), paymentId, organization.id, isTest, `${name} was ill`],
  )
  await run(
    `INSERT INTO support_requests (id, organization_id, is_test, subject, message, category, status, created_at)
     VALUES (?, ?, ?, 'A refund', ?, 'billing', 'open', 1)`,
    ...[looseId(), organization.id, isTest, `For ${email.toUpperCase()}, please`],
  )
  await run(
    `INSERT INTO time_off (id, organization_id, is_test, member_id, starts_at, ends_at, reason, created_at, updated_at)
     VALUES (?, ?, ?, ?, 1, 2, ?, 1, 1)`,
    ...[looseId(), organization.id, isTest, looseId(), `Lunch with ${email}`],
  )
  return { key, name, email, id, single, past: past.body, future: future.body, guest: guest.body, waiting }
}

/** Waits until everything that happened was handled. */
async function settled(organization: Organization) {
  await vi.waitFor(
    async () => {
      const left = await all(
        'SELECT id FROM events WHERE organization_id = ? AND handled_at IS NULL',
        organization.id,
      )
      expect(left).toEqual([])
    },
    { timeout: 15_000, interval: 100 },
  )
}

describe('erasing a person', () => {
  it.each(['live', 'test'] as const)(
    'removes their name and address from every column and every object: %s',
    async (mode) => {
      const ownerEmail = `${unique('owner')}@example.com`
      const organization = await createOrganization({ ownerEmail })
      const { key, name, email, ...made } = await personEverywhere(organization, mode)
      await settled(organization)
      await run('UPDATE bookings SET start_time = 1, end_time = 2 WHERE id = ?', made.past.id)
      if (mode === 'live') {
        const letter = await seal(env.ENCRYPTION_KEY, JSON.stringify({ text: `${name}\n${email}\n` }))
        for (const [kind, recipient, message, status] of [
          ['reminder', email, null, 'pending'],
          ['ready', 'host@example.com', letter, 'failed'],
        ]) {
          await run(
            `INSERT INTO emails (id, organization_id, kind, subject_id, recipient, message, status, next_attempt_at, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, 99999999999999, 1)`,
            ...[looseId(), organization.id, kind, made.future.id, recipient, message, status],
          )
        }
      }
      const before = await whereIs(name, email)
      const tables = new Set(before.map((text) => text.split('.')[0]))
      for (const table of [
        ...['bookings', 'waitlist_entries', 'events', 'webhook_deliveries', 'activity', 'slot_holds'],
        ...['refunds', 'idempotency_keys', 'letter_counts', mode === 'live' ? 'emails' : 'sandbox_outbox'],
      ]) {
        expect(tables).toContain(table)
      }

      const path = `/v1/people/${encodeURIComponent(email.toUpperCase())}`
      const kept = await call('GET', path, { key })
      expect(kept.status).toBe(200)
      expect(kept.body).toMatchObject({
        bookings: { length: 3 },
        guest_in: [{ booking_id: made.guest.id, name, email }],
        waitlist_entries: [{ invitee_name: name, status: 'waiting' }],
      })
      expect(kept.body.bookings[0].answers).toEqual({ topic: `${name} here` })

      const erased = await call('DELETE', path, { key })
      expect([erased.status, erased.body]).toEqual([200, expect.anything()])
      expect(await whereIs(name, email)).toEqual([])
      expect(erased.body.erased).toMatchObject({
        bookings: 3,
        guests: 1,
        waitlist_entries: 1,
        slot_holds: 1,
        refunds: 1,
        codes: 1,
      })
      for (const [what, count] of Object.entries(erased.body.erased)) {
        expect([what, count]).toEqual([what, expect.any(Number)])
        expect([what, (count as number) > 0]).toEqual([what, true])
      }

      const told = (await call('GET', `/v1/bookings/${made.future.id}`, { key })).body
      expect(told).toMatchObject({
        status: 'confirmed',
        start_time: made.future.start_time,
        invitee_name: '',
        invitee_email: '',
        attendee_count: 1,
        attendees: [{ name: '', email: '', is_primary: true }],
      })
      const shared = (await call('GET', `/v1/bookings/${made.guest.id}`, { key })).body
      expect(shared).toMatchObject({
        invitee_name: 'Grace Hopper',
        attendee_count: 2,
        notes: 'With [erased]',
      })
      const seats = await all(
        'SELECT seats_taken FROM sessions WHERE event_type_id = ? ORDER BY start_time',
        made.id,
      )
      expect(seats.map(({ seats_taken }) => seats_taken)).toEqual([1, 1, 2])
      expect((await call('GET', `/v1/waitlist/${made.waiting.body.id}`, { key })).body.status).toBe(
        'cancelled',
      )

      // What comes later is told to nobody of them.
      const deliveries = await all(
        "SELECT id FROM webhook_deliveries WHERE status = 'pending' AND organization_id = ?",
        organization.id,
      )
      expect(deliveries).toEqual([])
      const isCancelled = await call('POST', `/v1/bookings/${made.future.id}/cancel`, { key, body: {} })
      expect(isCancelled.status).toBe(200)
      await settled(organization)
      await sweep(env, Date.now())
      if (mode === 'test') {
        // The first is of somebody else's booking.
        const [, letter] = (await lettersTo(key, ownerEmail, 2)) as [Item, Item]
        expect(letter).toMatchObject({ subject: expect.stringContaining('–'), reply_to: null })
        expect(eventIn(letter).attendees.filter((one) => !one.includes('@'))).toEqual([])
      }
      expect(await all("SELECT id FROM posted_letters WHERE recipient = ''")).toEqual([])
      expect(await all("SELECT id FROM sandbox_outbox WHERE recipient = ''")).toEqual([])

      const zeros = Object.fromEntries(Object.keys(erased.body.erased).map((what) => [what, 0]))
      expect((await call('DELETE', path, { key })).body).toEqual({ erased: zeros, kept: [] })
      expect((await call('GET', path, { key })).status).toBe(404)
    },
    60_000,
  )

  it('removes sandbox emails whose attachment names them as a guest', async () => {
    const { testKey: key } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 5 })
    // With so short a name, their address is folded.
    const [name, email] = ['Quil', `${unique('quillon')}@example.com`]
    const [host, ...others] = ['grace', 'alan', 'mary'].map((one) => `${unique(one)}@example.com`)
    const attendees = [{ name, email }, ...others.map((other) => ({ name: other, email: other }))]
    for (const [slot, by] of [
      [SLOT, {}],
      [SLOT + HOUR_MS, { key }],
    ] as const) {
      const body = bookingInput(id, slot, { invitee_email: host, attendees })
      expect((await call('POST', '/v1/bookings', { ...by, body })).status).toBe(201)
    }
    for (const somebody of [email, host!, ...others]) await lettersTo(key, somebody, 2)
    const [{ holder }] = await all('SELECT session_id AS holder FROM bookings WHERE event_type_id = ?', id)
    const link = {
      eventTypeId: id,
      holderId: holder,
      url: 'https://meet.example.com/1',
      maker: 'account' as const,
      now: Date.now() as RealMs,
    }
    await askEventType(env, id, LINK_MEETING, link)
    for (const somebody of [email, host!, ...others]) await lettersTo(key, somebody, 3)

    await call('DELETE', `/v1/people/${email}`, { key })
    const left = JSON.stringify((await call('GET', '/v1/test-data/outbox?limit=100', { key })).body)
    expect(left.replaceAll('\\r\\n ', '')).not.toMatch(new RegExp(`${name}|${email}`))
  })

  it('leaves everybody else, the other mode and other organizations as they are', async () => {
    const [one, other] = [await createOrganization(), await createOrganization()]
    const email = `${unique('ada')}@example.com`
    const keys = [one.liveKey, one.testKey, other.liveKey]
    const booked = await Promise.all(
      keys.map(async (key) => {
        const { id } = await createEventType(key, { max_attendees: 4 })
        const theirs = await book(id, SLOT, { invitee_email: email })
        const similar = await book(id, SLOT, { invitee_email: `n${email}`, notes: `See n${email}` })
        return { key, ids: [theirs.body.id, similar.body.id] }
      }),
    )
    const read = () =>
      Promise.all(
        booked.flatMap(({ key, ids }) =>
          ids.map(async (id) => (await call('GET', `/v1/bookings/${id}`, { key })).body.invitee_email),
        ),
      )
    const before = await read()
    await call('DELETE', `/v1/people/${email}`, { key: one.liveKey })
    expect(await read()).toEqual(before.with(0, ''))
  })

  it('knows an address of RFC 6531 in any letter case and however it is composed', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 4 })
    const mark = unique('x')
    const written = [`JÖrgÄ.${mark}@bücher.example`, `jörgä.${mark}@BÜCHER.example`, `иван.${mark}@почта.рф`]
    for (const [at, invitee_email] of written.entries()) {
      const { status, body } = await book(id, SLOT + at * HOUR_MS, { invitee_email })
      expect([status, body]).toEqual([201, expect.anything()])
    }
    const erase = async (email: string) =>
      (await call('DELETE', `/v1/people/${encodeURIComponent(email)}`, { key })).body.erased.bookings
    expect(await erase(`JÖRGä.${mark}@Bücher.example`.normalize('NFD'))).toBe(2)
    expect(await erase(`ИВАН.${mark}@Почта.рф`)).toBe(1)
    expect(await whereIs(mark)).toEqual([])
  })

  it('is complete even if bookings of the same person change at the same time', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { max_attendees: 9 })
    const [name, email] = [unique('Quillon Racer'), `${unique('racer')}@example.com`]
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        book(id, SLOT + at * HOUR_MS, { invitee_name: name, invitee_email: email }),
      ),
    )
    const cancels = made.map(({ body }) => call('POST', `/v1/bookings/${body.id}/cancel`, { key, body: {} }))
    const erased = call('DELETE', `/v1/people/${email}`, { key })
    for (const answer of await Promise.all([...cancels, erased])) expect(answer.status).toBe(200)
    await settled(organization)
    expect(await whereIs(name, email)).toEqual([])
  })

  it('is complete even if they are promoted in the meantime', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const taken = await book(id, SLOT)
    const [name, email] = [unique('Quillon Waiter'), `${unique('waiter')}@example.com`]
    const waits = { event_type_id: id, invitee_name: name, invitee_email: email }
    const start_time = new Date(SLOT).toISOString()
    expect((await call('POST', '/v1/waitlist', { body: { ...waits, start_time } })).status).toBe(201)
    // Right before the step that looks for where they wait, and after they were looked for everywhere.
    let isDue = false
    const DB = databaseThrough(async (ask, queries) => {
      if (isDue && queries.length === 1 && /^select .* from "waitlist_entries"/.test(queries[0]!)) {
        isDue = false
        await call('POST', `/v1/bookings/${taken.body.id}/cancel`, { key, body: {} })
      }
      if (queries.some((query) => query.includes('letter_counts'))) isDue = true
      return ask()
    })
    expect((await serviceWith({ DB }).call('DELETE', `/v1/people/${email}`, { key })).status).toBe(200)
    await settled(organization)
    const promoted = 'SELECT id FROM bookings WHERE event_type_id = ? AND start_time = ? AND status = ?'
    expect(await all(promoted, id, SLOT, 'confirmed')).toHaveLength(1)
    expect(await whereIs(name, email)).toEqual([])
  })

  it('takes hundreds of bookings page by page', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const email = `${unique('often')}@example.com`
    await book(id, SLOT, { invitee_email: email })
    await run(
      `INSERT INTO bookings (id, organization_id, event_type_id, is_test, status, start_time, end_time, invitee_name, invitee_email, invitee_timezone, metadata, attendees, created_at, updated_at)
       SELECT printf('01900000-0000-7000-8000-%012d', value), ?1, ?2, 0, 'confirmed', value, value + 1, 'Often', ?3, 'UTC', '{}',
         json_array(json_object('id', 'a', 'name', 'Often', 'email', ?3, 'timezone', 'UTC', 'is_primary', json('true'))), 1, 1
       FROM json_each(?4)`,
      ...[organizationId, id, email, JSON.stringify(Array.from({ length: 700 }, (_, at) => at + 1))],
    )
    const { body } = await call('DELETE', `/v1/people/${email}`, { key })
    expect(body.erased.bookings).toBe(701)
    expect(await whereIs(email)).toEqual([])
  })
})

/** Somebody who booked, where nothing that the queue is told of is done by itself. */
async function bookedQuietly(
  settings: Readonly<Record<string, unknown>> = {},
  input: Readonly<Record<string, unknown>> = {},
) {
  const organization = await createOrganization({ ownerEmail: `${unique('owner')}@example.com` })
  const { id } = await createEventType(organization.liveKey, { reminder_intervals: [60], max_attendees: 2 })
  const service = serviceWith(settings)
  const [name, email] = [unique('Quillon Racer'), `${unique('racer')}@example.com`]
  const { body } = await service.book(id, SLOT, { invitee_name: name, invitee_email: email, ...input })
  const erase = async () => {
    const { status } = await service.call('DELETE', `/v1/people/${email}`, { key: organization.liveKey })
    expect(status).toBe(200)
  }
  const [event] = await all('SELECT id FROM events WHERE organization_id = ?', organization.id)
  const letters = () => all('SELECT recipient FROM posted_letters WHERE organization_id = ?', organization.id)
  return { organization, service, name, email, booking: body, eventId: event.id as string, erase, letters }
}

describe('what was begun before somebody was erased', () => {
  it('and is an event, is not handled with what was read of it', async () => {
    const { organization, service, name, email, eventId, erase, letters } = await bookedQuietly()
    await run(
      `INSERT INTO webhook_endpoints (id, organization_id, is_test, url, events, secret, active, verification_status, created_at, updated_at)
       VALUES (?, ?, 0, 'https://hooks.example.com/', '["*"]', 'sealed', 1, 'verified', 1, 1)`,
      ...[looseId(), organization.id],
    )
    let isErased = false
    const counted = countedEnv(service.env, async () => {
      if (!isErased) {
        isErased = true
        await erase()
      }
    })
    expect(await handleEvent(counted.env, eventId)).toBeNull()
    expect([isErased, await letters()]).toEqual([true, []])
    expect(await whereIs(name, email)).toEqual([])
  })

  it('and is an email that nobody took, is not tried again', async () => {
    let erased: (() => Promise<void>) | undefined
    const send = vi.fn(async () => {
      await erased?.()
      throw new Error('down')
    })
    const { service, name, email, eventId, erase, letters } = await bookedQuietly({ EMAIL: { send } })
    let once: Promise<void> | undefined
    erased = () => {
      once ??= erase()
      return once
    }
    await handleEvent(service.env, eventId)
    expect(send).toHaveBeenCalledTimes(2)
    expect(await letters()).toEqual([])
    expect(await whereIs(name, email)).toEqual([])
  })

  it('and is a reminder, is sent to nobody then, and to the others by the next sweep', async () => {
    const attendees = [{ name: 'Grace Hopper', email: `${unique('grace')}@example.com` }]
    const sent: string[] = []
    const EMAIL = { send: async ({ to }: { to: string }) => void sent.push(to) }
    const { service, name, email, booking, erase } = await bookedQuietly({ EMAIL }, { attendees })
    const reminder = { bookingId: booking.id, dueBy: SLOT - HOUR_MS }
    let isErased = false
    const counted = countedEnv(service.env, async () => {
      if (!isErased) {
        isErased = true
        await erase()
      }
    })
    await remind(counted.env, openDb(counted.env, 'decide'), reminder, realNow())
    expect([isErased, sent]).toEqual([true, []])
    await remind(service.env, openDb(service.env, 'decide'), reminder, realNow())
    expect(sent).toEqual([attendees[0]!.email])
    expect(await whereIs(name, email)).toEqual([])
  })

  it('and is a reminder that nobody took, is not tried again', async () => {
    let erased: (() => Promise<void>) | undefined
    const send = vi.fn(async () => {
      await erased?.()
      throw new Error('down')
    })
    const { service, name, email, booking, erase, letters } = await bookedQuietly({ EMAIL: { send } })
    erased = erase
    const reminder = { bookingId: booking.id, dueBy: SLOT - HOUR_MS }
    await remind(service.env, openDb(service.env, 'decide'), reminder, realNow())
    expect(send).toHaveBeenCalledTimes(1)
    expect(await letters()).toEqual([])
    expect(await whereIs(name, email)).toEqual([])
  })

  it('and is a reminder that is sent in the meantime, is not sent to the others twice', async () => {
    const attendees = [{ name: 'Grace Hopper', email: `${unique('grace')}@example.com` }]
    const sent: string[] = []
    const EMAIL = { send: async ({ to }: { to: string }) => void sent.push(to) }
    const { organization, service, email, booking } = await bookedQuietly({ EMAIL }, { attendees })
    const db = openDb(service.env, 'decide')
    const remindBy = (dueBy: number) => remind(service.env, db, { bookingId: booking.id, dueBy }, realNow())
    const DB = databaseThrough(async (ask, queries) => {
      if (queries.some((query) => query.startsWith('UPDATE bookings SET'))) await remindBy(SLOT - HOUR_MS)
      return ask()
    })
    const { liveKey: key } = organization
    expect((await serviceWith({ DB }).call('DELETE', `/v1/people/${email}`, { key })).status).toBe(200)
    expect(sent.sort()).toEqual([email, attendees[0]!.email].sort())
    await remindBy(SLOT - HOUR_MS / 2)
    expect(sent).toHaveLength(2)
  })
})

describe('what is left of a text', () => {
  it('has no address that equals the person’s, and keeps longer ones', () => {
    const person = personOf('Ada+x@Example.com')
    expect(person.takenFrom('From <ADA+X@example.com>, ada+x@example.com.')).toBe(
      'From <[erased]>, [erased].',
    )
    for (const other of ['nada+x@example.com', 'ada+x@example.community', 'ada+x@example.com.au']) {
      expect(person.takenFrom(other)).toBe(other)
    }
    const host = { member_id: '1', user_id: '2', email: 'ada+x@example.com' }
    expect(withoutPerson({ assigned_host: host }, person)).toMatchObject({ isChanged: false })
  })

  it('has none in a key either, whatever separates it from the rest', () => {
    const person = personOf('ada@example.com')
    for (const key of [
      'b/ADA@example.com',
      'b_ada@example.com-1',
      'b:ada@example.com.2026',
      'ada@example.com',
    ]) {
      expect(person.takenFromKey(key).toLowerCase()).not.toContain('ada@')
    }
    for (const key of ['nada@example.com', 'ada@example.com.au', 'ada@example.community']) {
      expect(person.takenFromKey(key)).toBe(key)
    }
  })
})
