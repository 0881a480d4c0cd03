import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { looseId } from '../../src/platform/db/ids.ts'
import type { Answered, Call } from '../support/app.ts'
import { type Blip, blinkingDatabase } from '../support/blinking-database.ts'
import {
  ALL_DAY,
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const later = SLOT + 2 * HOUR_MS

const database = blinkingDatabase()
const service = serviceWith({ DB: database.DB })

/** What the service writes down of one organization, by table. */
async function tallyOf({ id }: Organization): Promise<Record<string, number>> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%organization_id%' ORDER BY name",
  ).all<{ name: string }>()
  const counts = await env.DB.batch<{ n: number }>([
    ...tables.map(({ name }) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${name} WHERE organization_id = ?`).bind(id),
    ),
    env.DB.prepare(
      'SELECT count(*) AS n FROM holds WHERE resource_id IN (SELECT id FROM event_types WHERE organization_id = ?)',
    ).bind(id),
    env.DB.prepare(
      'SELECT coalesce(sum(bookings), 0) AS n FROM booking_quotas WHERE organization_id = ?',
    ).bind(id),
    env.DB.prepare('SELECT coalesce(max(sequence), 0) AS n FROM events WHERE organization_id = ?').bind(id),
  ])
  const names = [...tables.map(({ name }) => name), 'held', 'quota', 'last sequence']
  return Object.fromEntries(names.map((name, at) => [name, counts[at]!.results[0]!.n]))
}

type Prepared = { readonly organization: Organization; readonly id: string; readonly booking: any }
type Act = (prepared: Prepared, headers: NonNullable<Call['headers']>) => Promise<Answered>

const byToken = ({ id, cancel_token }: any, verb: string) =>
  `/v1/bookings/${id}/${verb}?token=${cancel_token}`

/** What a person or a program does, and how it ends well. */
const ACTS: Readonly<Record<string, { readonly act: Act; readonly good: number }>> = {
  'a booking': {
    good: 201,
    act: ({ id }, headers) =>
      service.call('POST', '/v1/bookings', { body: bookingInput(id, later), headers }),
  },
  'a cancellation': {
    good: 200,
    act: ({ booking }, headers) => service.call('POST', byToken(booking, 'cancel'), { body: {}, headers }),
  },
  'a move': {
    good: 200,
    act: ({ booking }, headers) =>
      service.call('POST', byToken(booking, 'reschedule'), { body: { new_start_time: iso(later) }, headers }),
  },
  'joining the waitlist': {
    good: 201,
    act: ({ id }, headers) =>
      service.call('POST', '/v1/waitlist', {
        body: bookingInput(id, SLOT, { invitee_email: `${unique('w')}@example.com` }),
        headers,
      }),
  },
  'a change of an organization': {
    good: 200,
    act: ({ organization }) =>
      service.call('PATCH', `/v1/organizations/${organization.id}`, {
        key: env.SERVICE_KEY,
        body: { name: unique('Renamed') },
      }),
  },
  'new hours': {
    good: 200,
    act: ({ organization, id }) =>
      service.call('PUT', `/v1/event-types/${id}/availability`, {
        key: organization.liveKey,
        body: { rules: ALL_DAY.slice(1) },
      }),
  },
  'a new event type': {
    good: 201,
    act: ({ organization }, headers) =>
      service.call('POST', '/v1/event-types', {
        key: organization.liveKey,
        body: { title: 'Another', slug: unique('another'), duration_minutes: 30 },
        headers,
      }),
  },
}

async function prepare(): Promise<Prepared> {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
  const { body: booking } = await service.book(id, SLOT)
  return { organization, id, booking }
}

const log = { told: '' }

beforeEach(() => {
  log.told = ''
  vi.spyOn(console, 'error').mockImplementation((line) => {
    log.told += line
  })
})

afterEach(() => {
  database.fail({})
  vi.restoreAllMocks()
})

describe.each(Object.entries(ACTS))('a blip of the database during %s', (_, { act, good }) => {
  it('is not noticed, and nothing is written twice', async () => {
    const key = { 'Idempotency-Key': looseId() }
    const smooth = await prepare()
    expect((await act(smooth, key)).status).toBe(good)
    const tally = await tallyOf(smooth.organization)
    const plans: readonly (readonly Blip[])[] = [['before'], ['after'], ['before', 'after']]
    for (const writes of plans) {
      const shaky = await prepare()
      database.fail({ writes })
      const { status } = await act(shaky, { 'Idempotency-Key': looseId() })
      expect([writes, status, database.left()]).toEqual([writes, good, 0])
      expect([writes, await tallyOf(shaky.organization)]).toEqual([writes, tally])
    }
  })

  it('is answered with 503 when it lasts, and nothing is left behind', async () => {
    const prepared = await prepare()
    const before = await tallyOf(prepared.organization)
    const key = { 'Idempotency-Key': looseId() }
    database.fail({ writes: ['before', 'before'] })
    const answer = await act(prepared, key)
    expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable'])
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await tallyOf(prepared.organization)).toEqual(before)
    expect(log.told).toContain('Network connection lost')
    database.fail({ reads: ['before'] })
    expect((await act(prepared, key)).status).toBe(good)
  })
})

describe('a blip of the database', () => {
  it('that hides whether it was booked is answered with 503, and the same Idempotency-Key gets that booking', async () => {
    const { id, organization } = await prepare()
    const headers = { 'Idempotency-Key': looseId() }
    const send = () => service.call('POST', '/v1/bookings', { body: bookingInput(id, later), headers })
    const before = await tallyOf(organization)
    database.fail({ writes: ['after'], reads: ['before', 'before'] })
    expect([(await send()).status, database.left()]).toEqual([503, 0])
    const again = await send()
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    expect((await tallyOf(organization)).bookings).toBe(before.bookings! + 1)
  })

  it('does not excuse a slot that somebody else took in between', async () => {
    const { id, organization } = await prepare()
    database.fail({ writes: ['before'] })
    const [mine] = await Promise.all([
      service.call('POST', '/v1/bookings', { body: bookingInput(id, later) }),
      book(id, later),
    ])
    expect([201, 409]).toContain(mine.status)
    expect(await openStarts(id, later)).not.toContain(iso(later))
    expect((await tallyOf(organization)).bookings).toBe(2)
  })

  it.each([
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: Failed to get session commit token: internal error; reference = 161cqf4u3ptbp7oa9665jb9k',
  ])('is not tried again when the database is at its limit: %s', async (told) => {
    const { id } = await prepare()
    database.fail({ writes: ['before'], told })
    const answer = await service.call('POST', '/v1/bookings', { body: bookingInput(id, later) })
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, expect.any(String)])
  })

  it('does not cover a permanent error', async () => {
    const { id } = await prepare()
    database.fail({ writes: ['before'], told: 'D1_ERROR: no such table: bookings' })
    const answer = await service.call('POST', '/v1/bookings', { body: bookingInput(id, later) })
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error'])
  })
})
