import type { Organization } from './kinds.ts'
import { ANYWHERE, type Booking, type Ledger, placeOf } from './ledger.ts'
import { address, type Draws, keyOf, type Operation, ofBooking } from './operation.ts'
import type { Phones } from './phones.ts'

/** So many of a hundred cancels meet a provider that fails. */
const TROUBLED = 15
/** A zone where it is around noon now, so that no text waits for the end of the night. */
function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** Draws bookings of people who want text messages, each with a number of their own, and cancels that they are notified of. */
export class TextOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #phones: Phones
  readonly #booked: Booking[] = []
  #numbers = 0

  constructor(ledger: Ledger, draws: Draws, phones: Phones) {
    this.#ledger = ledger
    this.#draws = draws
    this.#phones = phones
  }

  next(organization: Organization, start: string): Operation {
    const booking = this.#draws.below(2) === 0 ? this.#booked.pop() : undefined
    return booking ? this.#cancel(booking) : this.#book(organization, start)
  }

  #book({ id: organizationId, textId: eventTypeId }: Organization, start: string): Operation {
    const email = address()
    const booking: Booking = {
      ...{ organizationId, eventTypeId, email },
      ...{ id: null, token: null, places: [ANYWHERE] },
    }
    this.#numbers += 1
    const phone = `+4930${String(this.#numbers).padStart(7, '9000000')}`
    this.#ledger.bookings.push(booking)
    const person = { invitee_name: 'Ada', invitee_email: email, invitee_timezone: zoneOfNoon() }
    const body = {
      event_type_id: eventTypeId,
      start_time: start,
      ...person,
      invitee_phone: phone,
      sms_consent: true,
    }
    return {
      name: 'book with texts',
      asked: { method: 'POST', path: '/v1/bookings', body, key: keyOf(this.#draws) },
      settle: ({ status, body: made }) => {
        booking.places = status === 201 ? [placeOf(made)] : []
        if (status !== 201) return
        booking.id = made.id
        booking.token = made.cancel_token
        this.#ledger.phones.set(made.id, phone)
        this.#booked.push(booking)
      },
    }
  }

  #cancel(booking: Booking): Operation {
    const path = `/v1/bookings/${booking.id}/cancel`
    const asked = { method: 'POST', path, body: {}, as: booking.organizationId, key: keyOf(this.#draws) }
    const prepare = async () => {
      if (this.#draws.below(100) < TROUBLED) await this.#phones.trouble(this.#draws)
      return asked
    }
    return { ...ofBooking(this.#booked, 'cancel with text', booking, asked, 'cancelled'), prepare }
  }
}
