import type { Answer, Json } from './caller.ts'
import type { Organization } from './kinds.ts'
import { ANYWHERE, type Booking, isActive, type Ledger, movedTo, placeOf } from './ledger.ts'
import { address, type Draws, keyOf, type Operation } from './operation.ts'

/** Those who were booked for a class, by the session that their booking was in. */
type Class = { isBusy: boolean; readonly attendees: Map<Booking, string> }

/**
 * Draws what happens to sessions as a whole: all bookings of one move or are cancelled, or none. One request at a time about the
 * class of an organization, since each may change where everybody is.
 */
export class ClassOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #classes = new Map<string, Class>()

  constructor(ledger: Ledger, draws: Draws) {
    this.#ledger = ledger
    this.#draws = draws
  }

  /** After a death, what had no answer is where the audit found it. */
  settled(): void {
    for (const one of this.#classes.values()) one.isBusy = false
  }

  /** Null while another request about this class has no answer. */
  next(organization: Organization, start: string): Operation | null {
    const own = this.#classes.get(organization.id) ?? { isBusy: false, attendees: new Map() }
    this.#classes.set(organization.id, own)
    if (own.isBusy) return null
    own.isBusy = true
    const booked = [...own.attendees.keys()].filter(isActive)
    const dice = this.#draws.below(10)
    if (dice < 5 || booked.length === 0) return this.#book(organization, own, start)
    const one = this.#draws.pick(booked)
    const sessionId = own.attendees.get(one)!
    const all = booked.filter((booking) => own.attendees.get(booking) === sessionId)
    if (dice < 8) {
      const body = { new_start_time: start }
      return this.#ofSession('move class', own, sessionId, { all, verb: 'reschedule', body }, (booking) =>
        movedTo(booking.places[0]!, start),
      )
    }
    const cancel = { all, verb: 'cancel', body: {} }
    return this.#ofSession('cancel class', own, sessionId, cancel, () => 'cancelled')
  }

  #book({ id: as, classId: eventTypeId }: Organization, own: Class, start: string): Operation {
    const email = address()
    const booking: Booking = {
      organizationId: as,
      eventTypeId,
      email,
      id: null,
      token: null,
      places: [ANYWHERE],
    }
    this.#ledger.bookings.push(booking)
    const body = { event_type_id: eventTypeId, start_time: start, invitee_name: 'Ada', invitee_email: email }
    return {
      name: 'book class',
      asked: { method: 'POST', path: '/v1/bookings', body, as, key: keyOf(this.#draws) },
      settle: ({ status, body: told }) => {
        own.isBusy = false
        booking.places = status === 201 ? [placeOf(told)] : []
        if (status !== 201) return
        booking.id = told.id
        booking.token = told.cancel_token
        own.attendees.set(booking, told.session_id)
      },
    }
  }

  #ofSession(
    name: string,
    own: Class,
    sessionId: string,
    { all, verb, body }: { readonly all: readonly Booking[]; readonly verb: string; readonly body: Json },
    placeOfOne: (booking: Booking) => string,
  ): Operation {
    const before = all.map(({ places }) => places)
    const after = all.map(placeOfOne)
    all.forEach((booking, at) => {
      booking.places = [...before[at]!, after[at]!]
    })
    const settle = ({ status, body: told }: Answer) => {
      own.isBusy = false
      all.forEach((booking, at) => {
        booking.places = status === 200 ? [after[at]!] : before[at]!
      })
      const left = status === 200 && all.filter(({ id }) => !told.booking_ids.includes(id))
      if (left && left.length > 0) this.#ledger.find('left behind by its class', told, ...left)
    }
    const path = `/v1/sessions/${sessionId}/${verb}`
    const as = all[0]!.organizationId
    return { name, asked: { method: 'POST', path, body, as, key: keyOf(this.#draws) }, settle }
  }
}
