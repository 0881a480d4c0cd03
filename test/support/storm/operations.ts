import { expect } from 'vitest'
import { type Answered, type Call, call as callWorker } from '../app.ts'
import { amount, chance } from '../chance.ts'
import { bookingInput, book as bookThere, iso, unique } from '../factories.ts'
import { packAll } from '../packed.ts'
import { moneyOperations } from './money.ts'
import { HIGHEST_CAP, HOURS, hoursOf, LATE, MOST_SEATS, type Row, rows, STARTS, type World } from './world.ts'

const AT_A_TIME = 24
const GUST = 48

type Booked = { readonly id: string; readonly event_type_id: string; readonly cancel_token: string }
type Held = { readonly id: string; readonly token: string }

/** What a storm asks: the Worker, or one whose surroundings fail. */
type Service = {
  readonly call: (method: string, path: string, options?: Call) => Promise<Answered>
  readonly book: (eventTypeId: string, start: number, input?: Row) => Promise<Answered>
}

/** Lets many at a time book, hold, wait, move, cancel, decide and change what is offered, and counts how each was answered. */
export async function storm(
  world: World,
  seed: number,
  operations = amount(60, 2_400),
  { call, book }: Service = { call: callWorker, book: bookThere },
) {
  const { key, members, types, hosted, groups, paid, teams } = world
  const draw = chance(seed)
  const { below: random, pick } = draw
  const packs = chance(seed + 7)
  const booked: Booked[] = []
  const held: Held[] = []
  const series: string[] = []
  const counts = new Map<string, number>()
  const tooLate = new Set<string>()
  const person = () => ({ invitee_name: 'Ada', invitee_email: `${unique('s')}@example.com` })
  const byToken = ({ id, cancel_token }: Booked, verb: string, body = {}) =>
    call('POST', `/v1/bookings/${id}/${verb}?token=${cancel_token}`, { body })

  const operateMoney = moneyOperations(world, draw)

  async function operate(): Promise<[string, Answered]> {
    if (paid.length > 0 && random(8) === 0) {
      const done = await operateMoney()
      if (done) return done
    }
    const dice = random(100)
    const id = pick(paid.length > 0 && random(5) === 0 ? paid : types)
    if (dice < 10) {
      const seats = groups.includes(id) ? 1 + random(2) : 1
      const body = { event_type_id: id, start_time: iso(pick(STARTS)), seats, ttl_seconds: pick([30, 900]) }
      const answer = await call('POST', '/v1/holds', { body })
      if (answer.status === 201) held.push(answer.body)
      return ['hold', answer]
    }
    if (dice < 18 && held.length > 0) {
      const { id: holdId, token } = pick(held)
      const verb = pick(['confirm', 'confirm', 'release'])
      const body = { ...person(), if_still_free: random(3) === 0 }
      const answer = await call('POST', `/v1/holds/${holdId}/${verb}?token=${token}`, { body })
      if (answer.status === 201) booked.push(answer.body)
      return [verb, answer]
    }
    if (dice < 21) {
      const starts = [...new Set([pick(STARTS), pick(STARTS), pick(STARTS)])].map(iso)
      const body = { event_type_id: id, starts, on_conflict: pick(['fail', 'skip', 'skip']), ...person() }
      const answer = await call('POST', '/v1/series', { key, body })
      if (answer.status === 201) {
        series.push(answer.body.id)
        booked.push(...answer.body.bookings)
      }
      return ['series', answer]
    }
    if (dice < 36 || booked.length === 0) {
      const others = Array.from({ length: random(3) }, () => ({
        name: 'Grace',
        email: `${unique('o')}@example.com`,
      }))
      const attendees = groups.includes(id) ? others : []
      const answer = await book(id, pick(STARTS), { ...person(), attendees })
      if (answer.status === 201) booked.push(answer.body)
      return ['book', answer]
    }
    if (dice < 43) {
      const verb = pick(['approve', 'approve', 'decline'])
      return [verb, await call('POST', `/v1/bookings/${pick(booked).id}/${verb}`, { key })]
    }
    if (dice < 45 && series.length > 0) {
      const verb = pick(['approve', 'decline', 'cancel'])
      return [`${verb} series`, await call('POST', `/v1/series/${pick(series)}/${verb}`, { key, body: {} })]
    }
    if (dice < 58) return ['cancel', await byToken(pick(booked), 'cancel')]
    if (dice < 70) {
      const noticed = booked.filter(({ event_type_id }) => event_type_id === types[0])
      const one = pick(noticed.length > 0 && random(3) > 0 ? noticed : booked)
      const body = { new_start_time: iso(pick(STARTS)) }
      if (random(4) === 0) {
        return ['move by key', await call('POST', `/v1/bookings/${one.id}/reschedule`, { key, body })]
      }
      const moved = await byToken(one, 'reschedule', body)
      if (moved.status === 403) tooLate.add(one.id)
      return ['move', moved]
    }
    if (dice < 82) {
      const { start_time: _any, ...any } = bookingInput(id, 0)
      const start = random(5) === 0 ? {} : { start_time: iso(pick(STARTS)) }
      return ['wait', await call('POST', '/v1/waitlist', { body: { ...any, ...person(), ...start } })]
    }
    if (dice < 86) {
      const [member_id, part] = [pick(members), pick(['pool', 'pool', 'required'])]
      if (random(4) === 0) {
        const path = `/v1/event-types/${pick(teams)}/hosts/${member_id}`
        return ['part', await call('PATCH', path, { key, body: { part } })]
      }
      const to = pick(hosted)
      const body = { member_id, ...(teams.includes(to) && { part }) }
      return ['host', await call('POST', `/v1/event-types/${to}/hosts`, { key, body })]
    }
    if (dice < 90) {
      const path = `/v1/event-types/${pick(hosted)}/hosts/${pick(members)}`
      return ['unhost', await call('DELETE', path, { key })]
    }
    if (dice < 92) {
      const rules = random(3) === 0 ? hoursOf('09:00', '12:00') : HOURS
      return ['hours', await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules } })]
    }
    const [patched, body] = pick([
      [id, { active: random(4) > 0 }],
      [types[1]!, { assignment_strategy: pick(['none', 'least_bookings']) }],
      [types[4]!, { booking_cap: 4 + random(HIGHEST_CAP - 3) }],
      [types[5]!, { max_attendees: 2 + random(MOST_SEATS - 1) }],
      [types[6]!, { booking_cap: 2 + random(3), booking_cap_period: pick(['daily', 'total']) }],
      [types[6]!, { booking_cap: null }],
      [pick(teams), { pool_size: 1 + random(3) }],
      // Takes a long storm: in a short one little is left of what others change.
      ...(amount(0, 1)
        ? [
            [pick([types[3]!, types[5]!]), { max_attendees: 1 + random(MOST_SEATS) }] as const,
            [pick([types[3]!, types[5]!]), { requires_approval: random(2) === 0 }] as const,
          ]
        : []),
    ])
    return ['patch', await call('PATCH', `/v1/event-types/${patched}`, { key, body })]
  }

  // The runtime looks at connections once nothing else is to be done, so that a provider is heard between the gusts.
  const gust = paid.length > 0 ? GUST : operations
  for (let blown = 0; blown < operations; blown += gust) {
    let left = Math.min(gust, operations - blown)
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        while (left-- > 0) {
          if (packs.below(6) === 0) await packAll(rows, packs)
          const [name, { status }] = await operate()
          const told = `${name} ${status}`
          counts.set(told, (counts.get(told) ?? 0) + 1)
        }
      }),
    )
  }
  const others = await rows(
    'SELECT id FROM bookings WHERE id IN (SELECT value FROM json_each(?)) AND event_type_id <> ?',
    JSON.stringify([...tooLate]),
    types[0],
  )
  expect(others).toEqual([])
  await auditMoves(types[0]!)
  return counts
}

/** Where a notice is asked for, an invitee moves only what begins after it. */
async function auditMoves(noticed: string): Promise<void> {
  const early = await rows(
    `SELECT a.changes FROM activity a JOIN bookings b ON b.id = a.resource_id
     WHERE b.event_type_id = ? AND a.action = 'booking.rescheduled' AND a.actor_type = 'invitee'
       AND a.changes ->> '$.start_time[0]' < ?`,
    noticed,
    iso(LATE),
  )
  expect(early).toEqual([])
}
