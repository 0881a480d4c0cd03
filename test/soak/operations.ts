import { randomUUID } from 'node:crypto'
import { AttendanceOperations } from './attendance-operations.ts'
import type { Bank } from './bank.ts'
import { CalendarOperations } from './calendar-operations.ts'
import type { Calendars } from './calendars.ts'
import type { Asked, Json } from './caller.ts'
import { ClassOperations } from './class-operations.ts'
import { KIND, type Organization, PLACES, type World } from './kinds.ts'
import { LeaverOperations } from './leaver-operations.ts'
import { ANYWHERE, type Booking, type Entry, type Hold, type Ledger, movedTo, placeOf } from './ledger.ts'
import { address, type Drawn, type Draws, type Operation, ofBooking } from './operation.ts'
import { OwnerOperations } from './owner-operations.ts'
import { PaymentOperations } from './payment-operations.ts'
import type { Phones } from './phones.ts'
import { SeriesOperations } from './series-operations.ts'
import { TextOperations } from './text-operations.ts'
import { startsOf } from './world.ts'

/** So many operations in a row book one event type, about once in so many. */
const RUSH = 24
const RUSH_EVERY = 10 * RUSH
/** On any of these days, most of which are free. */
const MOST_DAYS = 1_000

/** So many operations go on about one day before the next one is in demand. */
const OPERATIONS_A_DAY = 500

/** What clients reach besides the service. */
export type Providers = { readonly bank: Bank; readonly calendars: Calendars; readonly phones: Phones }

/** Draws what clients do. What a client changes belongs to it until it has an answer, so that its order is known. */
export class Operations {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #owners: OwnerOperations
  readonly #classes: ClassOperations
  readonly #series: SeriesOperations
  readonly #leavers: LeaverOperations
  readonly #attendance: AttendanceOperations
  readonly #payments: PaymentOperations
  readonly #calendars: CalendarOperations
  readonly #texts: TextOperations
  readonly #booked: Booking[] = []
  readonly #held: Hold[] = []
  readonly #waiting: Entry[] = []
  #drawn = 0
  #rush: { readonly at: number; readonly place: Drawn; readonly starts: readonly string[] } | null = null
  #isRushNext = false

  constructor(world: World, ledger: Ledger, draws: Draws, { bank, calendars, phones }: Providers) {
    this.#world = world
    this.#ledger = ledger
    this.#draws = draws
    this.#owners = new OwnerOperations(ledger, draws, this.#booked)
    this.#classes = new ClassOperations(ledger, draws)
    this.#series = new SeriesOperations(ledger, draws)
    this.#leavers = new LeaverOperations(ledger, draws)
    this.#calendars = new CalendarOperations(ledger, draws, calendars)
    this.#texts = new TextOperations(ledger, draws, phones)
    this.#attendance = new AttendanceOperations(ledger, draws)
    this.#payments = new PaymentOperations(ledger, draws, bank)
  }

  /** After a death, what had no answer is where the audit found it. */
  settled(): void {
    this.#classes.settled()
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
      const { place: wanted, starts: few } = this.#rush
      return below(6) === 0 ? this.#series.next(wanted, few) : this.#book({ ...wanted, start: pick(few) })
    }
    const dice = below(124)
    if (dice < 10) return this.#hold(place)
    if (dice < 18 && this.#held.length > 0) return this.#endHold(this.#take(this.#held), organization)
    if (dice < 23) return this.#series.next(place, starts)
    if (dice < 36 || this.#booked.length === 0) return this.#book(place)
    if (dice < 43) return this.#decide(this.#take(this.#booked))
    if (dice < 55) return this.#cancel(this.#take(this.#booked))
    if (dice < 66) return this.#move(this.#take(this.#booked), place.start)
    if (dice < 79) return this.#wait(below(8) === 0 ? { ...place, eventTypeId: organization.classId } : place)
    if (dice < 82 && this.#waiting.length > 0) return this.#leave(this.#take(this.#waiting))
    if (dice < 90) return this.#owners.look(place)
    if (dice < 94) return this.#owners.ofBooking(this.#take(this.#booked))
    if (dice < 100) return this.#classes.next(organization, place.start) ?? this.#book(place)
    if (dice < 110) return this.#owners.change(place)
    if (dice < 114) return this.#payments.next(organization, place.start)
    if (dice < 118) return this.#calendars.next(organization, place.start)
    if (dice < 120) return this.#texts.next(organization, place.start)
    return below(2) === 0 ? this.#leavers.next(organization) : this.#attendance.next(organization)
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
    if (isByKey && others === 0 && below(3) === 0) return this.#bookByPhone(organization, eventTypeId, start)
    return this.#asBooking('book', { organizationId: organization.id, eventTypeId }, (person) => ({
      method: 'POST',
      path: '/v1/bookings',
      body: { ...person, event_type_id: eventTypeId, start_time: start, attendees },
      key: this.#key(),
      ...(isByKey && { as: organization.id }),
    }))
  }

  /** Somebody calls, and has no address: their name says who it is. */
  #bookByPhone(organization: Organization, eventTypeId: string, start: string): Operation {
    return this.#asBooking('book by phone', { organizationId: organization.id, eventTypeId }, (person) => ({
      method: 'POST',
      path: '/v1/bookings',
      body: {
        ...person,
        invitee_name: person.invitee_email,
        invitee_email: null,
        event_type_id: eventTypeId,
        start_time: start,
      },
      key: this.#key(),
      as: organization.id,
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
    const place_id = this.#draws.pick(PLACES).id
    const invitee_phone = `+4930${String(this.#draws.below(10_000_000)).padStart(7, '0')}`
    return {
      name,
      asked: ask({ invitee_name: 'Ada Lovelace', invitee_email: email, invitee_phone, place_id }),
      settle: ({ status, body }) => {
        booking.places = status === 201 ? [placeOf(body)] : []
        if (status !== 201) return
        booking.id = body.id
        booking.token = body.cancel_token
        if ((body.invitee_email ?? body.invitee_name) !== email) {
          this.#ledger.find('a booking of somebody else', email, body)
        }
        if (body.place && body.place.id !== place_id) this.#ledger.find('another place', place_id, body)
        this.#booked.push(booking)
      },
    }
  }

  #decide(booking: Booking): Operation {
    const verb = this.#draws.pick(['approve', 'approve', 'decline'])
    const path = `/v1/bookings/${booking.id}/${verb}`
    const place = verb === 'decline' ? 'cancelled' : booking.places[0]!.replace('asked@', 'booked@')
    const asked = { method: 'POST', path, body: {}, as: booking.organizationId, key: this.#key() }
    return ofBooking(this.#booked, verb, booking, asked, place)
  }

  #cancel(booking: Booking): Operation {
    const path = `/v1/bookings/${booking.id}/cancel?token=${booking.token}`
    return ofBooking(
      this.#booked,
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
    return ofBooking(this.#booked, 'move', booking, asked, movedTo(booking.places[0]!, start))
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
    const person = { invitee_name: 'Ada', invitee_email: email, place_id: PLACES[0].id }
    const body = { event_type_id: eventTypeId, ...person, ...when }
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
}

const isGroup = (kind: number) => kind === KIND.seats || kind === KIND.group
