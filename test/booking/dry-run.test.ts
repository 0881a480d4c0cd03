import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Call, call, callAsService } from '../support/app.ts'
import { changedTables, everythingAtRest } from '../support/checksum.ts'
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
import { addHost, addHosts } from '../support/hosts.ts'
import { setLimits } from '../support/hours.ts'

const HOUR_MS = 3_600_000
const START = dayFromNow(3) + 9 * HOUR_MS

/** A call whose answer must be the same with a dry run before it. */
type Asked = { readonly path: string } & Call

function dry(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}dry_run=true`
}

/** Ids, tokens and moments of now are other ones each time, and stay of the same kind. */
function told(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"(cancel_token|client_secret|token)":"[^"]{20,}"/g, '"$1":"<token>"')
    .replaceAll(
      /"(created_at|updated_at|cancelled_at|rescheduled_at|busy_as_of|expires_at)":"[^"]+"/g,
      '"$1":"<now>"',
    )
    .replaceAll(/"retry_after":\d+/g, '"retry_after":"<soon>"')
  return JSON.parse(text)
}

/** Asks dry and for real, and tells both answers: they are alike, and the first has changed nothing. */
async function twice({ path, ...sent }: Asked): Promise<{ dry: Answered; real: Answered }> {
  const before = await everythingAtRest()
  const asked = await call('POST', dry(path), sent)
  expect(changedTables(before, await everythingAtRest())).toEqual([])
  expect(asked.headers.get('Dry-Run')).toBe('true')
  const real = await call('POST', path, sent)
  expect(real.headers.has('Dry-Run')).toBe(false)
  expect(told({ status: asked.status, body: asked.body })).toEqual(
    told({ status: real.status, body: real.body }),
  )
  return { dry: asked, real }
}

let organization: Organization
let key: string

beforeAll(async () => {
  organization = await createOrganization()
  key = organization.liveKey
  // Whatever a first use of the key is remembered by is remembered.
  await call('GET', '/v1/bookings', { key })
})

describe('a dry run of a booking', () => {
  it.for([
    ['an event type', {}, 0],
    ['a group', { max_attendees: 3 }, 0],
    ['hosts who take turns', { assignment_strategy: 'round_robin' }, 2],
    ['hosts who are all needed', { assignment_strategy: 'none' }, 2],
  ] as const)(
    'of %s is answered like the booking that follows, and books nothing',
    async ([, input, hosts]) => {
      const { id } = await createEventType(key, input)
      await addHosts(organization, key, id, hosts)
      const { dry: asked, real } = await twice({ path: '/v1/bookings', key, body: bookingInput(id, START) })
      expect(asked.status).toBe(201)
      expect(asked.body.id).not.toBe(real.body.id)
      expect((await call('GET', `/v1/bookings/${asked.body.id}`, { key })).status).toBe(404)
      const path = `/v1/bookings/${asked.body.id}/cancel?token=${asked.body.cancel_token}`
      expect((await call('POST', path)).status).toBe(404)
      await twice({ path: '/v1/bookings', key, body: bookingInput(id, START) })
    },
  )

  it('asks the payment provider for nothing', async () => {
    await env.DB.prepare(
      `INSERT INTO payment_accounts (organization_id, account_id, country, charges_enabled, payouts_enabled,
         connected_at, created_at, updated_at) VALUES (?, 'acct_1', 'DE', 1, 1, 1, 1, 1)`,
    )
      .bind(organization.id)
      .run()
    const { id } = await createEventType(key, { price_amount: 5_000 })
    const before = await everythingAtRest()
    const { status, body } = await call('POST', dry('/v1/bookings'), { body: bookingInput(id, START) })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'pending_payment',
      payment: { amount: 5_000, client_secret: expect.any(String), payment_provider_account_id: 'acct_1' },
    })
    expect(changedTables(before, await everythingAtRest())).toEqual([])
  })

  it('in a sandbox is answered with what a sandbox pays with', async () => {
    const { id } = await createEventType(organization.testKey, { price_amount: 5_000 })
    await twice({ path: '/v1/bookings', body: bookingInput(id, START) })
  })

  it('is refused as the booking is', async () => {
    const { id } = await createEventType(key, { duration_minutes: 30 })
    await book(id, START)
    const nowhere = crypto.randomUUID().replace(/^(.{14})./, '$17')
    const refused: [number, Record<string, unknown>][] = [
      [409, bookingInput(id, START)],
      [409, bookingInput(id, START + 60_000)],
      [400, bookingInput(id, START, { duration: 45 })],
      [400, bookingInput(id, START, { invitee_email: 'nobody' })],
      [400, bookingInput(id, START, { attendees: [{ name: 'Eve', email: 'eve@example.com' }] })],
      [404, bookingInput(nowhere, START)],
      [404, bookingInput('nonsense', START)],
    ]
    for (const [status, body] of refused) {
      const { real } = await twice({ path: '/v1/bookings', key, body })
      expect(real.status).toBe(status)
    }
    const noKey = await call('POST', dry('/v1/bookings'), { key: 'hf_live_nonsense', body: {} })
    expect([noKey.status, noKey.headers.get('Dry-Run')]).toEqual([401, 'true'])
  })

  it('is refused by what an organization may not do at the moment', async () => {
    const small = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(small.liveKey)
    await env.DB.prepare(
      `INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?, strftime('%Y-%m', 'now'), 1000000, 1000000)`,
    )
      .bind(small.id)
      .run()
    const full = await twice({ path: '/v1/bookings', body: bookingInput(id, START) })
    expect(full.real.body.error.code).toBe('plan_limit_exceeded')
    await callAsService('PATCH', `/v1/organizations/${small.id}`, { body: { suspended: true } })
    const suspended = await twice({ path: '/v1/bookings', body: bookingInput(id, START) })
    expect(suspended.real.body.error.code).toBe('org_suspended')
  })

  it('takes no part in what an Idempotency-Key means', async () => {
    const { id } = await createEventType(key)
    const headers = { 'Idempotency-Key': unique('key') }
    const sent = { key, headers, body: bookingInput(id, START) }
    const first = await call('POST', dry('/v1/bookings'), sent)
    const other = await call('POST', dry('/v1/bookings'), {
      ...sent,
      body: bookingInput(id, START + HOUR_MS),
    })
    expect([first.status, other.status]).toEqual([201, 201])
    const real = await call('POST', '/v1/bookings', sent)
    expect([real.status, real.headers.has('Idempotent-Replayed')]).toEqual([201, false])
    const after = await call('POST', dry('/v1/bookings'), sent)
    expect([after.status, after.headers.has('Idempotent-Replayed')]).toEqual([409, false])
    const long = { ...sent, headers: { 'Idempotency-Key': 'x'.repeat(256) } }
    expect((await call('POST', dry('/v1/bookings'), long)).status).toBe(409)
  })

  it('uses up no try of a mailed code, and reveals none', async () => {
    const { id } = await createEventType(key, { verify_email: true })
    await twice({ path: '/v1/bookings', body: bookingInput(id, START) })
    const email = 'ada@example.com'
    await call('POST', '/v1/email-verifications', { body: { event_type_id: id, email } })
    const before = await everythingAtRest()
    const answers: number[] = []
    for (const verification_code of ['000000', '123456']) {
      const body = bookingInput(id, START, { verification_code })
      answers.push((await call('POST', dry('/v1/bookings'), { body })).status)
    }
    expect(answers).toEqual([201, 201])
    expect(changedTables(before, await everythingAtRest())).toEqual([])
  })

  it('needs true or false, and false books', async () => {
    const { id } = await createEventType(key)
    const body = bookingInput(id, START)
    for (const value of ['', 'TRUE', '1', 'yes', 'true&dry_run=true', 'false&dry_run=true']) {
      const answer = await call('POST', `/v1/bookings?dry_run=${value}`, { key, body })
      expect([value, answer.status]).toEqual([value, 400])
      expect(answer.body.error.details).toEqual({ dry_run: expect.stringMatching(/^Must be /) })
    }
    const booked = await call('POST', '/v1/bookings?dry_run=false', { key, body })
    expect([booked.status, booked.headers.has('Dry-Run')]).toEqual([201, false])
    expect((await call('GET', `/v1/bookings/${booked.body.id}`, { key })).status).toBe(200)
  })
})

describe('a dry run of a cancel', () => {
  it('is answered like the cancel that follows, of whom others wait for too', async () => {
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const { body: booked } = await book(id, START)
    const waits = bookingInput(id, START, { invitee_email: `${unique('w')}@example.com` })
    await call('POST', '/v1/waitlist', { body: waits })
    const path = `/v1/bookings/${booked.id}/cancel`
    const { dry: asked } = await twice({ path, key, body: { reason: 'Ill' } })
    expect(asked.body).toMatchObject({ status: 'cancelled', cancel_reason: 'Ill' })
    const again = await twice({ path, key })
    expect(again.real.status).toBe(200)
    await twice({ path: `${path}?token=wrong` })
    await twice({ path: `/v1/bookings/${crypto.randomUUID()}/cancel`, key })
  })

  it('by its token is not counted, and is refused after too many calls', async () => {
    const { id } = await createEventType(key)
    const { body: booked } = await book(id, START)
    const path = `/v1/bookings/${booked.id}/cancel?token=${booked.cancel_token}`
    for (let made = 0; made < 3; made++) expect((await call('POST', dry(path))).status).toBe(200)
    const counted = `SELECT coalesce(sum(made), 0) AS made FROM public_counts WHERE subject = 'calls/${booked.id}'`
    expect((await env.DB.prepare(counted).first())?.made).toBe(0)
    await call('GET', `/v1/bookings/${booked.id}?token=${booked.cancel_token}`)
    await env.DB.prepare('UPDATE public_counts SET made = 60 WHERE subject = ?')
      .bind(`calls/${booked.id}`)
      .run()
    const answer = await call('POST', dry(path))
    expect([answer.status, answer.body.error.details.limit]).toEqual([429, 'calls_per_booking_minute'])
  })
})

describe('a dry run of a move', () => {
  it('is answered like the move that follows', async () => {
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 2)
    const { body: booked } = await book(id, START)
    await book(id, START + HOUR_MS, { invitee_email: `${unique('b')}@example.com` })
    await book(id, START + HOUR_MS, { invitee_email: `${unique('c')}@example.com` })
    const path = `/v1/bookings/${booked.id}/reschedule`
    const to = (start: number) => ({ path, key, body: { new_start_time: iso(start), reason: 'Late' } })
    expect((await twice(to(START + HOUR_MS))).real.body.error.code).toBe('no_host_available')
    expect((await twice(to(START + 60_000))).real.status).toBe(409)
    expect((await twice(to(START + 2 * HOUR_MS))).real.body.status).toBe('rescheduled')
    expect((await twice(to(START + 2 * HOUR_MS))).real.status).toBe(200)
    expect((await twice({ ...to(START), body: {} })).real.status).toBe(400)
  })
})

describe('a dry run of a join', () => {
  it('is answered like the join that follows', async () => {
    const { id } = await createEventType(key, { waitlist_enabled: true, waitlist_max: 1 })
    const body = bookingInput(id, START)
    const { dry: asked } = await twice({ path: '/v1/waitlist', body })
    expect(asked.body).toMatchObject({ status: 'waiting', position: 1 })
    expect((await call('GET', `/v1/waitlist/${asked.body.id}`, { key })).status).toBe(404)
    expect((await twice({ path: '/v1/waitlist', body })).real.status).toBe(409)
    await twice({ path: '/v1/waitlist', body: bookingInput(id, START + 60_000) })
  })

  it('in a sandbox leaves no email in the outbox', async () => {
    const { id } = await createEventType(organization.testKey, { waitlist_enabled: true })
    await twice({ path: '/v1/waitlist', body: bookingInput(id, START) })
  })
})

describe('a dry run of a hold', () => {
  it('and of its confirm is answered like what follows', async () => {
    const { id } = await createEventType(key, { max_attendees: 3 })
    const body = { event_type_id: id, start_time: iso(START), seats: 2 }
    const { real: held } = await twice({ path: '/v1/holds', key, body })
    expect(held.status).toBe(201)
    expect((await twice({ path: '/v1/holds', key, body })).real.status).toBe(409)
    const { event_type_id: _id, start_time: _start, ...invitee } = bookingInput(id, START)
    const path = `/v1/holds/${held.body.id}/confirm?token=${held.body.token}`
    expect((await twice({ path, body: {} })).real.status).toBe(400)
    expect((await twice({ path, body: invitee })).real.status).toBe(201)
    expect((await twice({ path, body: invitee })).real.status).toBe(200)
  })
})

describe('with released time reserved for the waitlist', () => {
  /** Somebody waits, and time was given up by somebody who never came back to hand it on. */
  async function owing(
    starts: readonly number[],
    waitsFor: number | null,
    { invitee_email = `${unique('w')}@example.com`, ...input }: Record<string, unknown> = {},
  ) {
    const { id } = await createEventType(key, { waitlist_enabled: true, ...input })
    const { body: booked } = await book(id, START)
    const start_time = waitsFor === null ? null : iso(waitsFor)
    const body = bookingInput(id, START, { invitee_email, start_time })
    expect((await call('POST', '/v1/waitlist', { body })).status).toBe(201)
    await env.DB.batch([
      env.DB.prepare('DELETE FROM holds WHERE holder_id = ?').bind(booked.id),
      env.DB.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = ?").bind(booked.id),
      ...starts.map((start) =>
        env.DB.prepare(
          'INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, ?, ?, ?)',
        ).bind(id, unique('source'), start, start + HOUR_MS / 2),
      ),
    ])
    return id
  }

  it('a dry run is decided as if they had it, and hands out nothing', async () => {
    const id = await owing([START], START)
    const body = bookingInput(id, START, { invitee_email: `${unique('l')}@example.com` })
    const { real } = await twice({ path: '/v1/bookings', key, body })
    expect(real.status).toBe(409)
  })

  it('a dry run may have what is left once they have theirs', async () => {
    const id = await owing([START, START + HOUR_MS], null)
    const body = bookingInput(id, START + HOUR_MS, { invitee_email: `${unique('l')}@example.com` })
    expect((await twice({ path: '/v1/bookings', key, body })).real.status).toBe(201)
  })

  it('a dry run counts what the invitee is given then', async () => {
    const invitee_email = `${unique('w')}@example.com`
    const id = await owing([START], START, { invitee_email, invitee_limit: 1 })
    const body = bookingInput(id, START + HOUR_MS, { invitee_email })
    const { real } = await twice({ path: '/v1/bookings', key, body })
    expect(real.body.error.details.code).toBe('invitee_limit_reached')
  })

  it('a dry run reserves the room that an expired hold leaves in a limit of its host', async () => {
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const [member] = await addHosts(organization, key, id, 1)
    await setLimits(member!, { perDay: 1 })
    const { body: hold } = await call('POST', '/v1/holds', {
      key,
      body: { event_type_id: id, start_time: iso(START) },
    })
    const waits = bookingInput(id, START + HOUR_MS, { invitee_email: `${unique('w')}@example.com` })
    expect((await call('POST', '/v1/waitlist', { body: waits })).status).toBe(201)
    await env.DB.prepare('UPDATE slot_holds SET expires_at = 1 WHERE id = ?').bind(hold.id).run()
    const body = bookingInput(id, START + HOUR_MS, { invitee_email: `${unique('l')}@example.com` })
    const explained = await call('GET', `/v1/event-types/${id}/explain?start_time=${iso(START + HOUR_MS)}`, {
      key,
    })
    expect(explained.body.reasons).toMatchObject([{ code: 'owed_to_waitlist' }])
    expect((await twice({ path: '/v1/bookings', key, body })).real.status).toBe(409)
    expect((await call('GET', `/v1/waitlist?event_type_id=${id}`, { key })).body.data).toMatchObject([
      { status: 'promoted' },
    ])
  })

  it('a dry run reserves no room in a cap for an expired hold of another event type', async () => {
    const { id: other } = await createEventType(key)
    const { id } = await createEventType(key, {
      waitlist_enabled: true,
      booking_cap: 1,
      booking_cap_period: 'total',
    })
    const [member] = await addHosts(organization, key, other, 1)
    await addHost(key, id, member!)
    const { body: booked } = await book(other, START + HOUR_MS)
    expect((await call('POST', '/v1/waitlist', { body: bookingInput(id, START + HOUR_MS) })).status).toBe(201)
    const start_time = iso(START)
    const { body: hold } = await call('POST', '/v1/holds', {
      key,
      body: { event_type_id: other, start_time },
    })
    await env.DB.batch([
      env.DB.prepare('DELETE FROM holds WHERE holder_id = ?').bind(booked.id),
      env.DB.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = ?").bind(booked.id),
      env.DB.prepare('DELETE FROM freed_times WHERE event_type_id = ?').bind(id),
      env.DB.prepare('UPDATE holds SET expires_at = 1 WHERE holder_id = ?').bind(hold.id),
      env.DB.prepare('UPDATE slot_holds SET expires_at = 1 WHERE id = ?').bind(hold.id),
    ])
    const body = bookingInput(id, START + 2 * HOUR_MS)
    expect((await twice({ path: '/v1/bookings', key, body })).real.status).toBe(201)
  })
})
