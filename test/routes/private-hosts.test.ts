import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { connectAgent } from '../support/agent.ts'
import { type Answered, type Call, call, type Json } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { visit } from '../support/pages.ts'
import { isPublic, routes } from './kinds.ts'

const HOUR_MS = 3_600_000
/** In every address and user id of the hosts, and nowhere else. */
const HIDDEN = 'veiled'

/** An organization whose hosts have addresses that can be recognized; the second of each event type has no name. */
async function hostedWorld() {
  const organization = await createOrganization({ ownerEmail: `${unique('owner')}@${HIDDEN}.example` })
  const key = organization.liveKey
  const eventType = async (input: Json = {}) => {
    const shown = { booking_page_enabled: true, ...input }
    const made = await createEventType(key, { assignment_strategy: 'round_robin', ...shown })
    await addHosts(organization, key, made.id, 2)
    await env.DB.prepare(
      `UPDATE members SET user_id = '${HIDDEN}-' || id, user_email = id || '@${HIDDEN}.example',
         name = CASE WHEN id = (SELECT max(member_id) FROM event_type_hosts WHERE event_type_id = ?1) THEN 'Grace' END
       WHERE id IN (SELECT member_id FROM event_type_hosts WHERE event_type_id = ?1)`,
    )
      .bind(made.id)
      .run()
    return made as { id: string; slug: string }
  }
  const seen: string[] = []
  const answered = new Set<string>()
  const note = (name: string, status: number, headers: Headers, text: string) => {
    if (status >= 500) throw new Error(`${name} is ${status}: ${text}`)
    if (status < 300) answered.add(name)
    const found = `${JSON.stringify([...headers])} ${text}`
    if (found.includes(HIDDEN)) seen.push(`${name} (${status}): ${found}`)
  }
  const ask = async (name: string, path: string, how: Call = {}): Promise<Answered> => {
    const answer = await call(name.split(' ')[0]!, path, how)
    note(name, answer.status, answer.headers, JSON.stringify(answer.body) ?? '')
    return answer
  }
  const see = async (path: string, form?: Readonly<Record<string, string>>) => {
    const answer = await visit(path, form && { form })
    note(`page ${path.replace(/[0-9a-f-]{36}/, ':id')}`, answer.status, answer.headers, answer.text)
    return answer
  }
  return { organization, key, eventType, ask, see, seen, answered }
}

type World = Awaited<ReturnType<typeof hostedWorld>>

let days = 2
function nextStart(): number {
  days += 1
  return dayFromNow(days) + 9 * HOUR_MS
}

/** Books, repeats, tries, is refused, changes, moves and cancels as an invitee does. */
async function liveOf({ ask, see, key }: World, id: string, seats: number): Promise<void> {
  const start = nextStart()
  const body = bookingInput(id, start, {
    invitee_email: `${unique('ada')}@example.com`,
    ...(seats > 1 && { attendees: [{ name: 'Eve', email: `${unique('eve')}@example.com` }] }),
  })
  const once = { 'Idempotency-Key': unique('once') }
  await ask('POST /v1/bookings', '/v1/bookings?dry_run=true', { body })
  const { body: booked } = await ask('POST /v1/bookings', '/v1/bookings', { body, headers: once })
  expect(booked.assigned_host).toMatchObject({ user_id: null, email: null })
  await ask('POST /v1/bookings', '/v1/bookings', { body, headers: once })
  for (let more = 0; more < 3; more++) {
    await ask('POST /v1/bookings', '/v1/bookings', {
      body: bookingInput(id, start, { invitee_email: `${unique('bob')}@example.com` }),
    })
  }
  const path = `/v1/bookings/${booked.id}`
  const token = `token=${booked.cancel_token}`
  await ask('GET /v1/bookings/:id', `${path}?${token}`)
  const why = `start_time=${iso(start)}&booking_id=${booked.id}&${token}`
  await ask('GET /v1/event-types/:id/explain', `/v1/event-types/${id}/explain?${why}`)
  for (const rest of ['', '/change', '/reschedule', '/invite.ics', '/cancel']) {
    await see(`/bookings/${booked.id}${rest}?${token}`)
  }
  const later = { ...once, 'Idempotency-Key': unique('later') }
  for (const headers of [later, later, {}]) {
    await ask('PATCH /v1/bookings/:id', `${path}?${token}`, { body: { notes: 'Late.' }, headers })
  }
  const move = { new_start_time: iso(nextStart()) }
  await ask('POST /v1/bookings/:id/reschedule', `${path}/reschedule?${token}&dry_run=true`, { body: move })
  for (const headers of [{ 'Idempotency-Key': unique('move') }, {}]) {
    await ask('POST /v1/bookings/:id/reschedule', `${path}/reschedule?${token}`, { body: move, headers })
  }
  const decided = await call('POST', `${path}/approve`, { key })
  if (decided.status < 300) await ask('GET /v1/bookings/:id', `${path}?${token}`)
  for (const headers of [{ 'Idempotency-Key': unique('end') }, {}]) {
    await ask('POST /v1/bookings/:id/cancel', `${path}/cancel?${token}`, { headers })
  }
}

async function holdsOf({ ask }: World, id: string): Promise<void> {
  const body = { event_type_id: id, start_time: iso(nextStart()) }
  const headers = { 'Idempotency-Key': unique('hold') }
  await ask('POST /v1/holds', '/v1/holds?dry_run=true', { body })
  const { body: held } = await ask('POST /v1/holds', '/v1/holds', { body, headers })
  await ask('POST /v1/holds', '/v1/holds', { body, headers })
  const [path, token] = [`/v1/holds/${held.id}`, `token=${held.token}`]
  await ask('GET /v1/holds/:id', `${path}?${token}`)
  const invitee = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com` }
  await ask('POST /v1/holds/:id/confirm', `${path}/confirm?${token}&dry_run=true`, { body: invitee })
  for (let again = 0; again < 2; again++) {
    await ask('POST /v1/holds/:id/confirm', `${path}/confirm?${token}`, { body: invitee })
  }
  const { body: other } = await ask('POST /v1/holds', '/v1/holds', {
    body: { ...body, start_time: iso(nextStart()) },
  })
  for (const more of [{ 'Idempotency-Key': unique('free') }, {}]) {
    const release = `/v1/holds/${other.id}/release?token=${other.token}`
    await ask('POST /v1/holds/:id/release', release, { headers: more })
  }
}

async function seriesOf({ ask, see }: World, id: string): Promise<void> {
  const invitee = { invitee_email: `${unique('ada')}@example.com` }
  const body = { ...bookingInput(id, nextStart(), invitee), count: 2 }
  const headers = { 'Idempotency-Key': unique('series') }
  await ask('POST /v1/series', '/v1/series?dry_run=true', { body })
  const { body: made } = await ask('POST /v1/series', '/v1/series', { body, headers })
  await ask('POST /v1/series', '/v1/series', { body, headers })
  await ask('POST /v1/series', '/v1/series', { body })
  const token = `token=${made.cancel_token}`
  await ask('GET /v1/series/:id', `/v1/series/${made.id}?${token}`)
  await see(`/bookings/series/${made.id}?${token}`)
  for (let again = 0; again < 2; again++) {
    await ask('POST /v1/series/:id/cancel', `/v1/series/${made.id}/cancel?${token}`, { body: {} })
  }
}

async function paymentOf({ ask }: World, id: string): Promise<void> {
  const body = bookingInput(id, nextStart(), { invitee_email: `${unique('ada')}@example.com` })
  const { body: booked } = await ask('POST /v1/bookings', '/v1/bookings', { body })
  const path = `/v1/bookings/${booked.id}/payment?token=${booked.cancel_token}`
  await ask('GET /v1/bookings/:id/payment', path)
}

describe('the address of a host', () => {
  it('is in no answer to a call without a key, and neither is their user id', async () => {
    const world = await hostedWorld()
    const types = {
      one: await world.eventType({ host_choice: 'optional' }),
      request: await world.eventType({ requires_approval: true }),
      all: await world.eventType({ assignment_strategy: 'none' }),
      group: await world.eventType({ max_attendees: 3, waitlist_enabled: true }),
      series: await world.eventType({ series_max: 3 }),
    }
    for (const [kind, { id }] of Object.entries(types)) await liveOf(world, id, kind === 'group' ? 2 : 1)
    for (const { id } of [types.one, types.all, types.group]) await holdsOf(world, id)
    await seriesOf(world, types.series.id)
    await paymentOf(world, types.one.id)
    expect(world.seen).toEqual([])
    const hosted = routes.filter((route) => isPublic(route) && showsHost(route))
    const names = hosted.map(({ method, path }) => `${method} ${path}`)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !world.answered.has(name))).toEqual([])
  })

  it('is on no page and in no list that the public sees', async () => {
    const world = await hostedWorld()
    const { ask, see, organization, seen } = world
    const { id, slug } = await world.eventType({ host_choice: 'required', waitlist_enabled: true })
    const range = `start=${dateOf(dayFromNow(1))}&end=${dateOf(dayFromNow(9))}&timezone=UTC`
    await ask('GET /v1/availability', `/v1/availability?event_type_id=${id}&${range}`)
    const search = `event_type_ids=${id}&from=${iso(dayFromNow(1))}&to=${iso(dayFromNow(9))}`
    await ask('GET /v1/availability/search', `/v1/availability/search?${search}`)
    const page = `/v1/public/booking-page/${organization.slug}`
    await ask('GET /v1/public/booking-page/:orgSlug', page)
    await ask('GET /v1/public/booking-page/:orgSlug/:eventSlug', `${page}/${slug}`)
    await ask('GET /v1/public/event-types/:id', `/v1/public/event-types/${id}`)
    for (const more of ['', '.md', `/${slug}`, `/${slug}.md`, `/${slug}?embed=1`]) {
      await see(`/book/${organization.slug}${more}`)
    }
    expect(world.answered.size).toBe(10)
    expect(seen).toEqual([])
  })

  it('is in no result of an agent without a key', async () => {
    const world = await hostedWorld()
    const { id } = await world.eventType({ waitlist_enabled: true })
    const agent = await connectAgent()
    const told: unknown[] = []
    const ask = async (name: string, args: Json) => {
      const result = await agent.call(name, args)
      told.push(result)
      return result.body
    }
    const invitee = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com`, timezone: 'UTC' }
    const start_time = iso(nextStart())
    await ask('find_event_types', { organization: world.organization.slug })
    await ask('book', { event_type_id: id, start_time, ...invitee, dry_run: true })
    const booked = await ask('book', { event_type_id: id, start_time, ...invitee })
    const own = { id: booked.id, token: booked.cancel_token, timezone: 'UTC' }
    await ask('get_booking', own)
    await ask('update_booking', { ...own, notes: 'Late.' })
    await ask('reschedule_booking', { ...own, new_start_time: iso(nextStart()) })
    await ask('cancel_booking', own)
    const held = await ask('hold_time', { event_type_id: id, start_time: iso(nextStart()) })
    await ask('confirm_hold', { id: held.id, token: held.token, ...invitee })
    expect(told).toHaveLength(9)
    expect(JSON.stringify(told)).toContain('assigned_host')
    expect(JSON.stringify(told)).not.toContain(HIDDEN)
  })

  it('is in no error of a calendar that the invitee reads', async () => {
    const { key, eventType, ask, seen } = await hostedWorld()
    const { id } = await eventType()
    const { body: booked } = await call('POST', '/v1/bookings', { body: bookingInput(id, nextStart()) })
    await env.DB.prepare('UPDATE bookings SET sync_error = ? WHERE id = ?')
      .bind(`The calendar does not take the event of grace@${HIDDEN}.example`, booked.id)
      .run()
    const path = `/v1/bookings/${booked.id}`
    const own = `${path}?token=${booked.cancel_token}`
    expect((await ask('GET /v1/bookings/:id', own)).body.sync_error).toBeNull()
    const body = { notes: 'Late.' }
    expect((await ask('PATCH /v1/bookings/:id', own, { body })).body.sync_error).toBeNull()
    expect(seen).toEqual([])
    expect((await call('GET', path, { key })).body.sync_error).toContain(HIDDEN)
  })

  it('is in answers to a key, in events and in the email to the host', async () => {
    const { organization, key, eventType } = await hostedWorld()
    const { id } = await eventType()
    const body = bookingInput(id, nextStart())
    const { body: booked } = await call('POST', '/v1/bookings', { body })
    const { body: read } = await call('GET', `/v1/bookings/${booked.id}`, { key })
    const host = { email: expect.stringContaining(HIDDEN), user_id: expect.stringContaining(HIDDEN) }
    expect([read.assigned_host, ...read.hosts]).toMatchObject([host, host])
    const { body: events } = await call('GET', '/v1/events', { key })
    expect(events.data[0].data.assigned_host).toMatchObject(host)
    const { body: keyed } = await call('POST', '/v1/bookings', {
      key,
      body: bookingInput(id, nextStart(), { invitee_email: 'eve@example.com' }),
    })
    expect(keyed.assigned_host).toMatchObject(host)
    expect(organization.id).toBe(keyed.organization_id)
  })
})

function showsHost({ response }: (typeof routes)[number]): boolean {
  const { body } = response
  if (!body) return false
  return JSON.stringify(z.toJSONSchema(body, { io: 'output', unrepresentable: 'any' })).includes(
    'AssignedHost',
  )
}
