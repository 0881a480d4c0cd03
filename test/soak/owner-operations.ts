import type { Json } from './caller.ts'
import { HIGHEST_CAP, KIND, MOST_SEATS } from './kinds.ts'
import type { Booking, Ledger } from './ledger.ts'
import { type Drawn, type Draws, keyOf, type Operation, ofBooking } from './operation.ts'
import { ALL_HOURS, HOSTED } from './world.ts'

type TimeOff = { readonly id: string; readonly as: string }

const DAY = 'T00:00:00.000Z'.length

/** Draws what the members of organizations do: look, correct, hand over, and change what is offered. */
export class OwnerOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #booked: Booking[]
  readonly #timeOff: TimeOff[] = []

  constructor(ledger: Ledger, draws: Draws, booked: Booking[]) {
    this.#ledger = ledger
    this.#draws = draws
    this.#booked = booked
  }

  look({ organization, eventTypeId, start }: Drawn): Operation {
    const date = start.slice(0, -DAY)
    const days = `start=${date}&end=${date}&timezone=UTC`
    const as = organization.id
    const [name, path, caller] = this.#draws.pick<readonly [string, string, string | undefined]>([
      ['look', `/v1/availability?event_type_id=${eventTypeId}&${days}`, undefined],
      ['look', `/v1/availability?event_type_id=${eventTypeId}&${days}`, undefined],
      ['explain', `/v1/event-types/${eventTypeId}/explain?start_time=${start}`, as],
      ['agenda', `/v1/agenda?from=${date}&to=${date}`, as],
      ['list', `/v1/bookings?event_type_id=${eventTypeId}&sort=start_time&limit=20`, as],
    ])
    return {
      name,
      asked: { method: 'GET', path, ...(caller && { as: caller }) },
      settle: ({ status, body }) => {
        if (status !== 200 && status !== 404) this.#ledger.find(name, path, status, body)
      },
    }
  }

  /** Hands a booking over, corrects it or fetches its link; it stays where it is. */
  ofBooking(booking: Booking): Operation {
    if (this.#draws.below(5) === 0) return this.#resend(booking)
    const [name, method, verb, body] = this.#draws.pick<readonly [string, string, string, Json]>([
      ['reassign', 'POST', '/reassign', {}],
      ['reassign', 'POST', '/reassign', {}],
      ['correct', 'PATCH', '', { notes: `corrected ${this.#draws.below(1_000_000)}` }],
    ])
    const path = `/v1/bookings/${booking.id}${verb}`
    const asked = { method, path, body, as: booking.organizationId, key: keyOf(this.#draws) }
    return ofBooking(this.#booked, name, booking, asked, booking.places[0]!)
  }

  /** Sends the confirmation again; nothing else changes. */
  #resend(booking: Booking): Operation {
    const id = booking.id!
    const { least, most } = this.#ledger.resent.get(id) ?? { least: 0, most: 0 }
    this.#ledger.resent.set(id, { least, most: most + 1 })
    const path = `/v1/bookings/${id}/resend`
    return {
      name: 'resend',
      asked: { method: 'POST', path, body: {}, as: booking.organizationId, key: keyOf(this.#draws) },
      settle: ({ status }) => {
        const times = status === 202 ? 1 : 0
        this.#ledger.resent.set(id, { least: least + times, most: most + times })
        this.#booked.push(booking)
      },
    }
  }

  /** Changes what is offered. */
  change({ organization, eventTypeId, start }: Drawn): Operation {
    const { below, pick } = this.#draws
    const { id: as, types, members, roomId } = organization
    const settle = () => {}
    const dice = below(13)
    const hosts = `/v1/event-types/${types[below(HOSTED)]}/hosts`
    if (dice < 3) {
      const asked = { method: 'POST', path: hosts, body: { member_id: pick(members) }, as }
      return { name: 'host', asked: { ...asked, key: keyOf(this.#draws) }, settle }
    }
    if (dice < 5)
      return { name: 'unhost', asked: { method: 'DELETE', path: `${hosts}/${pick(members)}`, as }, settle }
    const path = `/v1/event-types/${eventTypeId}`
    if (dice < 7) {
      const body = { rules: pick(ALL_HOURS) }
      return { name: 'hours', asked: { method: 'PUT', path: `${path}/availability`, body, as }, settle }
    }
    if (dice < 9)
      return this.#takeOff(as, pick([{ member_ids: [pick(members)] }, { resource_ids: [roomId] }]), start)
    if (dice < 10) {
      const body = pick<Json>([{ quantity: 1 + below(3) }, { active: below(4) > 0 }])
      return { name: 'room', asked: { method: 'PATCH', path: `/v1/resources/${roomId}`, body, as }, settle }
    }
    const [patched, body] = pick<readonly [string, Json]>([
      [eventTypeId, { active: below(6) > 0 }],
      [types[KIND.approved]!, { assignment_strategy: pick(['none', 'least_bookings']) }],
      [types[KIND.capped]!, { booking_cap: 4 + below(HIGHEST_CAP - 3) }],
      [types[KIND.group]!, { max_attendees: 2 + below(MOST_SEATS - 1) }],
      [types[KIND.free]!, { booking_cap: 4 + below(HIGHEST_CAP - 3) }],
      [eventTypeId, { active: true }],
    ])
    return { name: 'patch', asked: { method: 'PATCH', path: `/v1/event-types/${patched}`, body, as }, settle }
  }

  /** Two hours of a day, or what was taken off before is given back. */
  #takeOff(as: string, whom: Json, start: string): Operation {
    const [former] = this.#draws.below(2) === 0 ? this.#timeOff.splice(0, 1) : []
    if (former) {
      const asked = { method: 'DELETE', path: `/v1/time-off/${former.id}`, as: former.as }
      return { name: 'end time off', asked, settle: () => {} }
    }
    const end = new Date(Date.parse(start) + TWO_HOURS_MS).toISOString()
    return {
      name: 'time off',
      asked: {
        method: 'POST',
        path: '/v1/time-off',
        body: { ...whom, start, end },
        as,
        key: keyOf(this.#draws),
      },
      settle: ({ status, body }) => {
        if (status === 201) for (const { id } of body.data) this.#timeOff.push({ id, as })
      },
    }
  }
}

const TWO_HOURS_MS = 7_200_000
