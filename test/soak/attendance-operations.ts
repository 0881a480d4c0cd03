import type { Json } from './caller.ts'
import type { Organization } from './kinds.ts'
import { ANYWHERE, attendanceOf, type Booking, type Ledger, placeOf, UNRECORDED } from './ledger.ts'
import { address, type Draws, keyOf, type Operation } from './operation.ts'
import { SOON_MINUTES } from './world.ts'

const MINUTE_MS = 60_000
/** A booking for the very next moment would be refused when it arrives. */
const NOTICE_MS = 2_000

type Meeting = { readonly booking: Booking; readonly startsAt: number; readonly attendee: string }

/** Draws bookings of the next few minutes, and who came to them once they have begun. */
export class AttendanceOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #meetings: Meeting[] = []

  constructor(ledger: Ledger, draws: Draws) {
    this.#ledger = ledger
    this.#draws = draws
  }

  next(organization: Organization): Operation {
    const begun = this.#meetings.filter(({ startsAt }) => startsAt <= Date.now())
    if (begun.length === 0 || this.#draws.below(4) === 0) return this.#book(organization)
    return this.#record(this.#draws.pick(begun))
  }

  #book({ id: as, soonId: eventTypeId }: Organization): Operation {
    const step = SOON_MINUTES * MINUTE_MS
    const startsAt = Math.ceil((Date.now() + NOTICE_MS) / step) * step
    const email = address()
    const booking: Booking = {
      ...{ organizationId: as, eventTypeId, email },
      ...{ id: null, token: null, places: [ANYWHERE] },
    }
    this.#ledger.bookings.push(booking)
    const body = { event_type_id: eventTypeId, start_time: new Date(startsAt).toISOString() }
    const person = { invitee_name: 'Ada', invitee_email: email }
    return {
      name: 'book soon',
      asked: {
        method: 'POST',
        path: '/v1/bookings',
        body: { ...body, ...person },
        as,
        key: keyOf(this.#draws),
      },
      settle: ({ status, body: made }) => {
        booking.places = status === 201 ? [placeOf(made)] : []
        if (status !== 201) return
        booking.id = made.id
        booking.token = made.cancel_token
        this.#meetings.push({ booking, startsAt, attendee: made.attendees[0].id })
        this.#ledger.attendance.set(made.id, [UNRECORDED])
      },
    }
  }

  /** Whatever is answered, each attendance sent so far may be the one that counts while another answer is missing. */
  #record(meeting: Meeting): Operation {
    const { booking, attendee } = meeting
    const id = booking.id!
    const body: Json = {
      no_shows: this.#draws.below(2) === 0 ? [attendee] : [],
      host_absent: this.#draws.below(4) === 0,
    }
    const before = this.#ledger.attendance.get(id)!
    const after = attendanceOf(body.no_shows.length, body.host_absent)
    this.#ledger.attendance.set(id, [...before, after])
    this.#meetings.splice(this.#meetings.indexOf(meeting), 1)
    const path = `/v1/bookings/${id}/attendance`
    return {
      name: 'attendance',
      asked: { method: 'POST', path, body, as: booking.organizationId, key: keyOf(this.#draws) },
      settle: ({ status }) => {
        this.#ledger.attendance.set(id, status === 200 ? [after] : before)
        this.#meetings.push(meeting)
      },
    }
  }
}
