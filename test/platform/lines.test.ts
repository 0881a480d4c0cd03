import { createExecutionContext, createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Env } from '../../src/env.ts'
import worker from '../../src/index.ts'
import { consume } from '../../src/worker/jobs/consume.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { EventTypeKeeper } from '../../src/worker/objects/event-type-keeper.ts'
import { call, freshAddress } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { browserRequest } from '../support/pages.ts'

const LOUD = { ...env, LOG_LINES: 'on' }

/** What is told while it happens, one object for each line. */
async function linesOf(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const told = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => told.mockRestore())
  await act()
  const lines = told.mock.calls.map(([line]) => JSON.parse(line as string))
  told.mockRestore()
  return lines
}

/** The same, where each command is taken by an object of an event type that knows nothing yet. */
const FORGETFUL = {
  ...LOUD,
  EVENT_TYPES: {
    getByName: () => new EventTypeKeeper(LOUD, LOUD, () => {}),
  } as unknown as Env['EVENT_TYPES'],
}

type Asked = { readonly key?: string; readonly body?: unknown; readonly surroundings?: Env }

async function ask(method: string, path: string, { key, body, surroundings = LOUD }: Asked = {}) {
  const request = new Request(`https://holdfast.test${path}`, {
    method,
    headers: {
      'CF-Connecting-IP': freshAddress(),
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], surroundings)
  const copy = response.clone()
  await response.text()
  return copy
}

const NUMBERS = {
  ms: expect.any(Number),
  round_trips: expect.any(Number),
  statements: expect.any(Number),
  rows_read: expect.any(Number),
  rows_written: expect.any(Number),
}

describe('a request', () => {
  it('is one line, with the pattern of its path, its status and its database queries', async () => {
    const { id, liveKey } = await createOrganization()
    const { id: eventTypeId } = await createEventType(liveKey)
    let response: Response | undefined
    const lines = await linesOf(async () => {
      response = await ask('GET', `/v1/event-types/${eventTypeId}?`, { key: liveKey })
    })
    expect(lines).toEqual([
      {
        event: 'request',
        request_id: response!.headers.get('X-Request-Id'),
        organization_id: id,
        method: 'GET',
        route: '/v1/event-types/:id',
        status: 200,
        ...NUMBERS,
      },
    ])
    expect(lines[0]).toMatchObject({ round_trips: 1, rows_written: 0 })
    expect(lines[0]!.rows_read).toBeGreaterThan(0)
  })

  it('of the console is one too, with its organization, and without what people typed or hold', async () => {
    const organization = await createOrganization({ ownerEmail: 'ada@lines.example' })
    const { id } = await createEventType(organization.liveKey)
    const { cookies } = await enter(organization)
    const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const see = async (path: string, form?: Record<string, string>) => {
      const request = browserRequest(path, { headers: { Cookie }, ...(form && { form }) })
      await (await worker.fetch(request as Parameters<typeof worker.fetch>[0], LOUD)).text()
    }
    const lines = await linesOf(async () => {
      await see(`/console/event-types/${id}?secret=grace`)
      await see('/console/sign-in', { email: 'grace@lines.example', next: '/console' })
      await see('/console/sign-in/link?token=grace')
      await see('/console/grace')
      await see('/console/mode', { csrf: 'grace', mode: 'test' })
    })
    expect(
      lines.map(({ event, organization_id, route, status }) => [event, organization_id, route, status]),
    ).toEqual([
      ['page', organization.id, '/console/event-types/:id', 200],
      ['page', null, '/console/sign-in', 303],
      ['page', null, '/console/sign-in/link', 410],
      ['page', organization.id, null, 404],
      ['page', organization.id, '/console/mode', 403],
    ])
    expect(lines[0]).toMatchObject({ round_trips: 2, rows_read: expect.any(Number) })
    const told = JSON.stringify(lines)
    for (const secret of ['grace', 'lines.example', ...cookies.values()]) expect(told).not.toContain(secret)
  })

  it('that is refused is one too, and one for what is not there', async () => {
    const { liveKey } = await createOrganization()
    const lines = await linesOf(async () => {
      await ask('GET', '/v1/bookings?limit=0', { key: liveKey })
      await ask('GET', '/v1/nothing')
      await ask('GET', '/book/nobody-of-that-name/intro-call')
    })
    expect(lines.map(({ event, route, status }) => [event, route, status])).toEqual([
      ['request', '/v1/bookings', 400],
      ['request', null, 404],
      ['page', '/book/:org/:event', 404],
    ])
  })

  it('holds no name, address, note or token, and nothing that was typed into its address', async () => {
    const { liveKey } = await createOrganization()
    const { id: eventTypeId } = await createEventType(liveKey)
    const typed = { ...bookingInput(eventTypeId, dayFromNow(3) + 36_000_000), notes: 'a-secret-note' }
    const text = JSON.stringify(
      await linesOf(async () => {
        await ask('POST', '/v1/bookings', { body: typed })
        await ask('GET', '/v1/bookings?token=a-token-in-an-address&invitee_email=someone@example.com')
        await ask('GET', '/book/somebody/%F0%9F%98%80')
      }),
    )
    for (const secret of [
      typed.invitee_email,
      typed.invitee_name,
      'a-secret-note',
      'a-token',
      'someone',
      'somebody',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('of a path that ends in a token or an address says the pattern only', async () => {
    const { id, liveKey } = await createOrganization()
    const made = await call('POST', '/v1/calendar-feeds', { key: liveKey, body: {} })
    const feed = new URL(made.body.url).pathname
    const token = feed.split('/').at(-1)!.replace('.ics', '')
    const lines = await linesOf(async () => {
      await ask('GET', feed)
      await ask('GET', feed.replace(/[0-9a-f]{8}\.ics$/, '00000000.ics'))
      await ask('GET', '/v1/people/ada%40lines.example', { key: liveKey })
      await ask('DELETE', '/v1/people/Ada@Lines.example', { key: liveKey })
      await ask('GET', `/v1/calendar-feeds/${token}`, { key: liveKey })
    })
    expect(lines.map(({ route, status }) => [route, status])).toEqual([
      [expect.stringMatching(/^\/calendar-feeds\/:token/), 200],
      [expect.stringMatching(/^\/calendar-feeds\/:token/), 404],
      ['/v1/people/:email', 404],
      ['/v1/people/:email', 200],
      [null, 404],
    ])
    const text = JSON.stringify(lines)
    for (const secret of [token, token.slice(0, 12), 'lines.example', 'Lines.example', '@', '%40']) {
      expect(text).not.toContain(secret)
    }
    expect(text).toContain(id)
  })

  it('of an anonymous caller and each turn name the organization, also when dry, refused or asked by a token', async () => {
    const { id, liveKey } = await createOrganization()
    const { id: eventTypeId } = await createEventType(liveKey, { waitlist_enabled: true })
    const start = dayFromNow(3) + 36_000_000
    const input = (more: object = {}) => ({ ...bookingInput(eventTypeId, start), ...more })
    const time = { event_type_id: eventTypeId, start_time: new Date(start).toISOString() }
    const date = time.start_time.slice(0, 10)
    const post = async (path: string, body: unknown = {}): Promise<any> =>
      (await ask('POST', path, { body, surroundings: FORGETFUL })).json()
    const lines = await linesOf(async () => {
      await ask('GET', `/v1/availability?event_type_id=${eventTypeId}&start=${date}&end=${date}&timezone=UTC`)
      const held = await post('/v1/holds', time)
      await post('/v1/bookings', input())
      await post(`/v1/holds/${held.id}/release?token=${held.token}`)
      await post('/v1/bookings?dry_run=true', input())
      const booked = await post('/v1/bookings', input())
      await post('/v1/bookings', input({ invitee_email: 'grace@lines.example' }))
      await post('/v1/waitlist', { ...time, invitee_name: 'Grace', invitee_email: 'grace@lines.example' })
      await post(`/v1/bookings/${booked.id}/reschedule?token=${booked.cancel_token}`, {
        new_start_time: new Date(start + 3_600_000).toISOString(),
      })
      const token = booked.cancel_token
      await post(`/v1/bookings/${booked.id}/cancel?token=${'x'.repeat(token.length)}`)
      await post(`/v1/bookings/${booked.id}/cancel?token=${token}`)
    })
    const told = lines.map(({ event, route, verb, status, organization_id }) => [
      `${event} ${verb ?? route} ${status ?? ''}`.trim(),
      organization_id,
    ])
    expect(told.map(([what]) => what)).toEqual([
      'request /v1/availability 200',
      'turn create_hold',
      'request /v1/holds 201',
      'turn create_booking',
      'request /v1/bookings 409',
      'turn release_hold',
      'request /v1/holds/:id/release 200',
      'turn create_booking',
      'request /v1/bookings 201',
      'turn create_booking',
      'request /v1/bookings 201',
      'turn create_booking',
      'request /v1/bookings 409',
      'turn join_waitlist',
      'request /v1/waitlist 201',
      'turn reschedule_booking',
      'request /v1/bookings/:id/reschedule 200',
      'request /v1/bookings/:id/cancel 401',
      'turn cancel_booking',
      'request /v1/bookings/:id/cancel 200',
    ])
    expect(told.filter(([, organization]) => organization !== id)).toEqual([])
  })

  it('of a booking page names the organization', async () => {
    const { id, liveKey, slug } = await createOrganization()
    const { slug: eventSlug } = await createEventType(liveKey, { booking_page_enabled: true })
    const lines = await linesOf(() => ask('GET', `/book/${slug}/${eventSlug}`))
    expect(lines).toMatchObject([{ event: 'page', status: 200, organization_id: id }])
  })

  it('has no line if lines are off', async () => {
    expect(
      await linesOf(() => worker.fetch(new Request('https://holdfast.test/health') as never, env)),
    ).toEqual([])
  })
})

describe('a job', () => {
  it('is one line: a sweep, and a batch of messages', async () => {
    const lines = await linesOf(async () => {
      await sweep(LOUD, Date.now())
      await consume(createMessageBatch('holdfast-events', []), LOUD, createExecutionContext())
    })
    expect(lines).toMatchObject([
      { event: 'sweep', ...NUMBERS },
      { event: 'queue', queue: 'holdfast-events', messages: 0, ...NUMBERS },
    ])
    expect(lines[0]!.rows_written).toBeGreaterThan(0)
  })
})
