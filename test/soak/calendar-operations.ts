import type { Calendars } from './calendars.ts'
import type { Asked } from './caller.ts'
import type { Organization } from './kinds.ts'
import { ANYWHERE, type Booking, type Ledger, movedTo, placeOf } from './ledger.ts'
import { address, type Draws, keyOf, type Operation, ofBooking } from './operation.ts'

/** So many of a hundred requests meet a server that fails. */
const TROUBLED = 10

/** Draws what happens to bookings that are written to the calendar of their host, and what the host does there. */
export class CalendarOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #calendars: Calendars
  readonly #booked = new Map<string, Booking[]>()

  constructor(ledger: Ledger, draws: Draws, calendars: Calendars) {
    this.#ledger = ledger
    this.#draws = draws
    this.#calendars = calendars
  }

  next(organization: Organization, start: string): Operation {
    const own = this.#booked.get(organization.id) ?? []
    this.#booked.set(organization.id, own)
    const dice = this.#draws.below(22)
    if (dice < 8 || own.length === 0) return this.#book(organization, own, start)
    if (dice < 10) return this.#sync('busy', organization, () => this.#calendars.add(organization.id, start))
    if (dice < 11) return this.#sync('free again', organization, () => this.#free(organization))
    if (dice < 12) return this.#sync('sync', organization, async () => {})
    const booking = own.splice(this.#draws.below(own.length), 1)[0]!
    if (dice < 15) return this.#drag(organization, booking, start)
    if (dice < 16) return this.#drop(organization, booking)
    const path = `/v1/bookings/${booking.id}`
    const key = keyOf(this.#draws)
    if (dice < 19) {
      const asked = { method: 'POST', path: `${path}/cancel?token=${booking.token}`, body: {}, key }
      return this.#troubled(organization, ofBooking(own, 'cancel written', booking, asked, 'cancelled'))
    }
    const body = { new_start_time: start }
    const asked = { method: 'POST', path: `${path}/reschedule?token=${booking.token}`, body, key }
    const place = movedTo(booking.places[0]!, start)
    return this.#troubled(organization, ofBooking(own, 'move written', booking, asked, place))
  }

  #book(organization: Organization, own: Booking[], start: string): Operation {
    const { id: organizationId, calendarTypeId: eventTypeId } = organization
    const email = address()
    const booking: Booking = {
      ...{ organizationId, eventTypeId, email },
      ...{ id: null, token: null, places: [ANYWHERE], strays: [] },
    }
    this.#ledger.bookings.push(booking)
    const person = { invitee_name: 'Ada', invitee_email: email }
    const body = { event_type_id: eventTypeId, start_time: start, ...person }
    return this.#troubled(organization, {
      name: 'book written',
      asked: { method: 'POST', path: '/v1/bookings', body, key: keyOf(this.#draws) },
      settle: ({ status, body: made }) => {
        booking.places = status === 201 ? [placeOf(made)] : []
        if (status !== 201) return
        booking.id = made.id
        booking.token = made.cancel_token
        own.push(booking)
      },
    })
  }

  /** The host drags the event, which the booking follows or not; until the next kill nobody else changes the booking. */
  #drag(organization: Organization, booking: Booking, start: string): Operation {
    booking.strays!.push(`booked@${start}`)
    return this.#sync('drag', organization, () => this.#calendars.drag(organization.id, booking.id!, start))
  }

  /** The host deletes the event, which cancels the booking after a while. */
  #drop(organization: Organization, booking: Booking): Operation {
    booking.strays!.push('cancelled')
    return this.#sync('delete event', organization, () => this.#calendars.drop(organization.id, booking.id!))
  }

  async #free({ id }: Organization): Promise<void> {
    const events = (await this.#calendars.eventsOf(id)).filter(({ uid }) => !uid.includes('@'))
    if (events.length > 0) await this.#calendars.remove(id, this.#draws.pick(events).name)
  }

  #sync(name: string, { id: as, connectionId }: Organization, act: () => Promise<unknown>): Operation {
    const asked: Asked = { method: 'POST', path: `/v1/calendars/${connectionId}/sync`, body: {}, as }
    const prepare = async () => {
      await act()
      return asked
    }
    return { name, asked, prepare, settle: () => {} }
  }

  #troubled({ id }: Organization, operation: Operation): Operation {
    const prepare = async () => {
      if (this.#draws.below(100) < TROUBLED) await this.#calendars.trouble(id, this.#draws)
      return operation.asked
    }
    return { ...operation, prepare }
  }
}
