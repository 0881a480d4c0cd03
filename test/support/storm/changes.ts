import { env } from 'cloudflare:workers'
import { sweep } from '../../../src/worker/jobs/sweep.ts'
import { type Answered, call } from '../app.ts'
import type { chance } from '../chance.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../factories.ts'
import { addHost, createMember } from '../hosts.ts'
import { type Row, rows } from './world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY = dayFromNow(4)
const FIRST = DAY + 9 * HOUR_MS
const BEGINS = DAY - 48 * HOUR_MS
/** Few, so that many want each. */
export const STARTS = Array.from({ length: 4 }, (_, at) => FIRST + at * 30 * MINUTE_MS)
const HOURS = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '12:00',
}))
const PARTS = ['pool', 'pool', 'required']
const STRATEGIES = ['round_robin', 'round_robin', 'least_bookings', 'none']

type Draw = ReturnType<typeof chance>
type Known = { readonly id: string; readonly token: string }

/** Two event types that share two of three members, in a sandbox whose clock goes on when it is told to. */
export type World = {
  readonly organizationId: string
  readonly key: string
  readonly members: readonly string[]
  readonly types: readonly string[]
  readonly held: Known[]
  readonly booked: string[]
  /** What was answered otherwise than when it was tried. */
  readonly unlike: unknown[]
  now: number
}

export async function makeWorld({ below, pick }: Draw): Promise<World> {
  const organization = await createOrganization()
  const key = organization.testKey
  await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(BEGINS) } })
  const members: string[] = []
  for (let made = 0; made < 3; made++) members.push((await createMember(organization)).id)
  const types: string[] = []
  for (const hosts of [[0, 1], pick([[1, 2], [1], []])]) {
    const input = {
      waitlist_enabled: true,
      minimum_notice_minutes: 0,
      duration_options: [30, 60],
      approval_ttl_minutes: 60,
      assignment_strategy: pick(STRATEGIES),
      pool_size: pick([1, 1, 2]),
      requires_approval: below(2) === 0,
      max_attendees: pick([1, 1, 3]),
      ...(below(3) === 0 && { price_amount: 1_000 }),
    }
    const { id } = await createEventType(key, input, HOURS)
    for (const at of hosts) await addHost(key, id, members[at]!, { part: pick(PARTS) })
    types.push(id)
  }
  return {
    organizationId: organization.id,
    key,
    members,
    types,
    held: [],
    booked: [],
    unlike: [],
    now: BEGINS,
  }
}

/** What is changed of an event type while it is booked. */
function changeOf({ below, pick }: Draw): Row {
  return pick<() => Row>([
    () => ({ max_attendees: 1 }),
    () => ({ max_attendees: pick([2, 3]) }),
    () => ({ max_attendees: pick([1, 2, 3]), requires_approval: below(2) === 0 }),
    () => ({ requires_approval: below(2) === 0 }),
    () => ({ assignment_strategy: pick(STRATEGIES), pool_size: pick([1, 1, 2]) }),
    () => ({ buffer_before_minutes: pick([0, 0, 10]), buffer_after_minutes: pick([0, 0, 15]) }),
    () => ({ booking_cap: pick([null, null, 3]), booking_cap_period: pick(['daily', 'total']) }),
    () => ({ duration_minutes: pick([30, 30, 60]) }),
    () => ({ active: below(3) > 0 }),
    () => ({ conferencing_provider: pick([null, 'video_a']) }),
    () => ({ price_amount: pick([null, 1_000]) }),
  ])()
}

/** Sets the clock past deadlines, with what that does at once or as if nobody swept. */
async function passTo(world: World, now: number, isSwept: boolean): Promise<Answered> {
  world.now = now
  const { key, organizationId } = world
  if (isSwept) return call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
  await rows('UPDATE organizations SET sandbox_now = ? WHERE id = ?', now, organizationId)
  return { status: 200, headers: new Headers(), body: null }
}

/** Does one thing that people and their clocks do, and tells what, of which event type and how it was answered. */
export async function act(world: World, draw: Draw): Promise<readonly [string, Answered]> {
  const { below, pick } = draw
  const { key, members, types, held, booked } = world
  const event_type_id = pick([...types])
  const start_time = iso(pick(STARTS))
  const person = () => ({ invitee_name: 'Ada', invitee_email: `${unique('c')}@example.com` })
  const others = below(4) === 0 ? { attendees: [{ name: 'Grace', email: `${unique('g')}@example.com` }] } : {}
  const length = below(8) === 0 ? { duration: 60 } : {}
  const post = (path: string, body: Row = {}) => call('POST', path, { key, body })
  /** What was tried before is answered as it was then. */
  const tryThen = async (method: string, path: string, body: Row = {}) => {
    const tried = await call(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, { key, body })
    const answer = await call(method, path, { key, body })
    if (tried.status !== answer.status) world.unlike.push([path, body, tried.body, answer.body])
    return answer
  }
  const tryThenPost = (path: string, body: Row = {}) => tryThen('POST', path, body)
  const note = (answer: Answered) => {
    if (answer.status === 201) booked.push(answer.body.id)
    return answer
  }
  const dice = below(100)
  if (dice < 10) {
    const body = {
      event_type_id,
      start_time,
      ttl_seconds: pick([30, 900]),
      seats: pick([1, 1, 2]),
      ...length,
    }
    const answer = await tryThenPost('/v1/holds', body)
    if (answer.status === 201) held.push(answer.body)
    return ['hold', answer]
  }
  if (dice < 16 && held.length > 0) {
    const { id, token } = pick(held)
    const verb = pick(['confirm', 'confirm', 'release'])
    const body = { ...person(), ...others, if_still_free: below(3) === 0 }
    const path = `/v1/holds/${id}/${verb}?token=${token}`
    return [verb, note(await (verb === 'confirm' ? tryThenPost(path, body) : post(path, body)))]
  }
  if (dice < 34 || booked.length === 0) {
    const body = { event_type_id, start_time, ...person(), ...others, ...length }
    return ['book', note(await tryThenPost('/v1/bookings', body))]
  }
  const booking = `/v1/bookings/${pick(booked.slice(-8))}`
  if (dice < 40) {
    const verb = pick(['approve', 'approve', 'decline'])
    return [verb, await tryThenPost(`${booking}/${verb}`)]
  }
  if (dice < 45) return ['cancel', await tryThenPost(`${booking}/cancel`)]
  if (dice < 56) return ['move', await tryThenPost(`${booking}/reschedule`, { new_start_time: start_time })]
  if (dice < 59) {
    const payments = await rows(
      "SELECT id FROM payments WHERE organization_id = ? AND status = 'pending'",
      world.organizationId,
    )
    const verb = pick(['succeed', 'succeed', 'fail'])
    if (payments.length > 0) return [verb, await post(`/v1/test-data/payments/${pick(payments).id}/${verb}`)]
  }
  if (dice < 64)
    return ['wait', await tryThenPost('/v1/waitlist', { event_type_id, start_time, ...person() })]
  if (dice < 67) {
    const body = { member_id: pick([...members]), part: pick(PARTS) }
    return ['host', await call('POST', `/v1/event-types/${event_type_id}/hosts`, { key, body })]
  }
  if (dice < 70) {
    const path = `/v1/event-types/${event_type_id}/hosts/${pick([...members])}`
    return ['unhost', await call('DELETE', path, { key })]
  }
  if (dice < 80) {
    const to = world.now + pick([1, 20, 40, 70]) * MINUTE_MS
    const isSwept = below(3) === 0
    return [isSwept ? 'sweep later' : 'later', await passTo(world, to, isSwept)]
  }
  if (dice < 81) {
    await sweep(env, Date.now())
    return ['sweep', { status: 200, headers: new Headers(), body: null }]
  }
  if (dice < 82 && below(3) === 0) {
    return ['delete', await call('DELETE', `/v1/event-types/${event_type_id}`, { key })]
  }
  if (dice < 87) {
    const attendees = Array.from({ length: below(3) }, () => ({
      name: 'Grace',
      email: `${unique('g')}@example.com`,
    }))
    return ['attend', await tryThen('PATCH', booking, { attendees })]
  }
  if (dice < 91) {
    const giver = below(2) === 0 ? { from_member_id: pick([...members]) } : {}
    const chosen = { ...giver, ...(below(2) === 0 && { member_id: pick([...members]) }) }
    return ['reassign', await tryThenPost(`${booking}/reassign`, chosen)]
  }
  if (dice < 94) {
    const sessions = await rows('SELECT id FROM sessions WHERE event_type_id = ?', event_type_id)
    const override = pick([[], ['cap', 'notice']])
    const body = { new_start_time: start_time, override }
    if (sessions.length > 0)
      return ['session', await tryThenPost(`/v1/sessions/${pick(sessions).id}/reschedule`, body)]
  }
  return ['change', await call('PATCH', `/v1/event-types/${event_type_id}`, { key, body: changeOf(draw) })]
}
