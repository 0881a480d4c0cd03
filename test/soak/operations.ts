import { randomUUID } from 'node:crypto'
import type { chance } from '../support/draws.ts'
import type { Answer, Asked, Json } from './caller.ts'
import { HIGHEST_CAP, KIND, MOST_SEATS, type Organization, type World } from './kinds.ts'
import {
  ANYWHERE,
  type Booking,
  type Entry,
  type Hold,
  isActive,
  type Ledger,
  movedTo,
  placeOf,
} from './ledger.ts'
import { ALL_HOURS, HOSTED, startsOf } from './world.ts'

/** One request, what it means to the ledger while nobody knows what became of it, and once an answer came. */
export type Operation = {
  readonly name: string
  readonly asked: Asked
  readonly settle: (answer: Answer) => void
}

type Draws = ReturnType<typeof chance>

/** So many operations in a row book one event type, about once in so many. */
const RUSH = 24
const RUSH_EVERY = 10 * RUSH
/** On any of these days, most of which are free. */
const MOST_DAYS = 1_000

/** So many operations go on about one day before the next one is in demand. */
const OPERATIONS_A_DAY = 500

/** Draws what clients do. What a client changes belongs to it until it has an answer, so that its order is known. */
export class Operations {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #booked: Booking[] = []
  readonly #held: Hold[] = []
  readonly #waiting: Entry[] = []
  #drawn = 0
  #rush: { readonly at: number; readonly place: Drawn; readonly starts: readonly string[] } | null = null
  #isRushNext = false

  constructor(world: World, ledger: Ledger, draws: Draws) {
    this.#world = world
    this.#ledger = ledger
    this.#draws = draws
  }

  /** The next ones book one event type at the same time, so that their commands share commits. */
  rush(): void {
    this.#isRushNext = true
  }

  next(): Operation {
    const { below, pick } = this.#draws
    const organization = pick(this.#world.organizations)
    const starts = startsOf(Math.floor(this.#drawn++ / OPERATIONS_A_DAY))
    const kind = below(organization.types.length)
    const place = { organization, kind, eventTypeId: organization.types[kind]!, start: pick(starts) }
    if (below(RUSH_EVERY) === 0 || this.#isRushNext) {
      this.#rush = { at: this.#drawn, place, starts: startsOf(below(MOST_DAYS)) }
      this.#isRushNext = false
    }
    if (this.#rush && this.#drawn - this.#rush.at < RUSH) {
      return this.#book({ ...this.#rush.place, start: pick(this.#rush.starts) })
    }
    const dice = below(100)
    if (dice < 10) return this.#hold(place)
    if (dice < 18 && this.#held.length > 0) return this.#endHold(this.#take(this.#held), organization)
    if (dice < 36 || this.#booked.length === 0) return this.#book(place)
    if (dice < 43) return this.#decide(this.#take(this.#booked))
    if (dice < 55) return this.#cancel(this.#take(this.#booked))
    if (dice < 66) return this.#move(this.#take(this.#booked), place.start)
    if (dice < 79) return this.#wait(place)
    if (dice < 82 && this.#waiting.length > 0) return this.#leave(this.#take(this.#waiting))
    if (dice < 90) return this.#look(place)
    return this.#change(place)
  }

  /** One of the last hundred, which nobody else changes meanwhile. */
  #take<T>(from: T[]): T {
    const at = from.length - 1 - this.#draws.below(Math.min(100, from.length))
    const [taken] = from.splice(at, 1)
    return taken!
  }

  #key(): string | null {
    return this.#draws.below(10) < 7 ? randomUUID() : null
  }

  #hold({ kind, eventTypeId: event_type_id, start: start_time }: Drawn): Operation {
    const { below, pick } = this.#draws
    const seats = isGroup(kind) ? 1 + below(2) : 1
    const body = { event_type_id, start_time, seats, ttl_seconds: pick([30, 900]) }
    return {
      name: 'hold',
      asked: { method: 'POST', path: '/v1/holds', body, key: this.#key() },
      settle: ({ status, body: held }) => {
        if (status === 201) this.#held.push({ id: held.id, token: held.token, eventTypeId: event_type_id })
      },
    }
  }

  #endHold({ id, token, eventTypeId }: Hold, { id: organizationId }: Organization): Operation {
    const verb = this.#draws.pick(['confirm', 'confirm', 'release'])
    const path = `/v1/holds/${id}/${verb}?token=${token}`
    if (verb === 'release') {
      return { name: verb, asked: { method: 'POST', path, body: {}, key: this.#key() }, settle: () => {} }
    }
    const owner = this.#world.organizations.find(({ types }) => types.includes(eventTypeId))
    return this.#asBooking(
      'confirm',
      { organizationId: owner?.id ?? organizationId, eventTypeId },
      (person) => ({ method: 'POST', path, body: person, key: this.#key() }),
    )
  }

  #book({ organization, kind, eventTypeId, start }: Drawn): Operation {
    const { below } = this.#draws
    const others = isGroup(kind) ? below(3) : 0
    const attendees = Array.from({ length: others }, () => ({ name: 'Grace', email: address() }))
    const isByKey = below(4) === 0
    return this.#asBooking('book', { organizationId: organization.id, eventTypeId }, (person) => ({
      method: 'POST',
      path: '/v1/bookings',
      body: { ...person, event_type_id: eventTypeId, start_time: start, attendees },
      key: this.#key(),
      ...(isByKey && { as: organization.id }),
    }))
  }

  /** Somebody is booked by it or is not: until it is answered, they may be anywhere. */
  #asBooking(
    name: string,
    of: { readonly organizationId: string; readonly eventTypeId: string },
    ask: (person: Json) => Asked,
  ): Operation {
    const email = address()
    const booking: Booking = { ...of, email, id: null, token: null, places: [ANYWHERE] }
    this.#ledger.bookings.push(booking)
    return {
      name,
      asked: ask({ invitee_name: 'Ada Lovelace', invitee_email: email }),
      settle: ({ status, body }) => {
        booking.places = status === 201 ? [placeOf(body)] : []
        if (status !== 201) return
        booking.id = body.id
        booking.token = body.cancel_token
        if (body.invitee_email !== email) this.#ledger.find('a booking of somebody else', email, body)
        this.#booked.push(booking)
      },
    }
  }

  /** Asks something of a booking which, until it is answered, is where it was or at `place`. */
  #ofBooking(name: string, booking: Booking, asked: Asked, place: string): Operation {
    const before = booking.places
    booking.places = [...before, place]
    return {
      name,
      asked,
      settle: ({ status, body }) => {
        booking.places = status === 200 ? [placeOf(body)] : before
        if (isActive(booking)) this.#booked.push(booking)
      },
    }
  }

  #decide(booking: Booking): Operation {
    const verb = this.#draws.pick(['approve', 'approve', 'decline'])
    const path = `/v1/bookings/${booking.id}/${verb}`
    const place = verb === 'decline' ? 'cancelled' : booking.places[0]!.replace('asked@', 'booked@')
    const asked = { method: 'POST', path, body: {}, as: booking.organizationId, key: this.#key() }
    return this.#ofBooking(verb, booking, asked, place)
  }

  #cancel(booking: Booking): Operation {
    const path = `/v1/bookings/${booking.id}/cancel?token=${booking.token}`
    return this.#ofBooking(
      'cancel',
      booking,
      { method: 'POST', path, body: {}, key: this.#key() },
      'cancelled',
    )
  }

  #move(booking: Booking, start: string): Operation {
    const path = `/v1/bookings/${booking.id}/reschedule`
    const isByKey = this.#draws.below(4) === 0
    const asked = {
      method: 'POST',
      path: isByKey ? path : `${path}?token=${booking.token}`,
      body: { new_start_time: start },
      key: this.#key(),
      ...(isByKey && { as: booking.organizationId }),
    }
    return this.#ofBooking('move', booking, asked, movedTo(booking.places[0]!, start))
  }

  #wait({ organization, eventTypeId, start }: Drawn): Operation {
    const email = address()
    const entry: Entry = {
      email,
      organizationId: organization.id,
      eventTypeId,
      id: null,
      token: null,
      hasLeft: false,
      isRefused: false,
    }
    this.#ledger.entries.push(entry)
    const when = this.#draws.below(5) === 0 ? {} : { start_time: start }
    const body = { event_type_id: eventTypeId, invitee_name: 'Ada', invitee_email: email, ...when }
    return {
      name: 'wait',
      asked: { method: 'POST', path: '/v1/waitlist', body, key: this.#key() },
      settle: ({ status, body: told }) => {
        entry.isRefused = status !== 201
        if (status !== 201) return
        entry.id = told.id
        entry.token = told.cancel_token
        this.#waiting.push(entry)
      },
    }
  }

  #leave(entry: Entry): Operation {
    const path = `/v1/waitlist/${entry.id}/cancel?token=${entry.token}`
    return {
      name: 'leave',
      asked: { method: 'POST', path, body: {}, key: this.#key() },
      settle: ({ status, body }) => {
        entry.hasLeft = status === 200 && body.status === 'cancelled'
      },
    }
  }

  #look({ eventTypeId, start }: Drawn): Operation {
    const date = start.slice(0, 10)
    const query = `event_type_id=${eventTypeId}&start=${date}&end=${date}&timezone=UTC`
    return {
      name: 'look',
      asked: { method: 'GET', path: `/v1/availability?${query}` },
      settle: ({ status, body }) => {
        if (status !== 200 && status !== 404) this.#ledger.find('availability', status, body)
      },
    }
  }

  /** Changes what is offered. */
  #change({ organization, eventTypeId }: Drawn): Operation {
    const { below, pick } = this.#draws
    const { id: as, types, members } = organization
    const settle = () => {}
    const dice = below(10)
    const hosts = `/v1/event-types/${types[below(HOSTED)]}/hosts`
    if (dice < 3) {
      const body = { member_id: pick(members) }
      return { name: 'host', asked: { method: 'POST', path: hosts, body, as, key: this.#key() }, settle }
    }
    if (dice < 5)
      return { name: 'unhost', asked: { method: 'DELETE', path: `${hosts}/${pick(members)}`, as }, settle }
    const path = `/v1/event-types/${eventTypeId}`
    if (dice < 7) {
      const body = { rules: pick(ALL_HOURS) }
      return { name: 'hours', asked: { method: 'PUT', path: `${path}/availability`, body, as }, settle }
    }
    const [patched, body] = pick<readonly [string, Json]>([
      [eventTypeId, { active: below(6) > 0 }],
      [types[KIND.approved]!, { assignment_strategy: pick(['none', 'least_bookings']) }],
      [types[KIND.capped]!, { booking_cap: 4 + below(HIGHEST_CAP - 3) }],
      [types[KIND.group]!, { max_attendees: 2 + below(MOST_SEATS - 1) }],
      [types[KIND.free]!, { booking_cap: 4 + below(HIGHEST_CAP - 3) }],
      [eventTypeId, { active: true }],
    ])
    return {
      name: 'patch',
      asked: { method: 'PATCH', path: `/v1/event-types/${patched}`, body, as },
      settle,
    }
  }
}

type Drawn = {
  readonly organization: Organization
  readonly kind: number
  readonly eventTypeId: string
  readonly start: string
}

const isGroup = (kind: number) => kind === KIND.seats || kind === KIND.group

function address(): string {
  return `${randomUUID()}@example.com`
}
