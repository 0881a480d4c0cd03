import { isOurReason } from '../../money/payments/reasons.ts'
import type { Person } from './person.ts'

type Without = {
  readonly value: unknown
  readonly isChanged: boolean
  /** Whether it is about something that they booked or waited for themselves. */
  readonly isTheirs: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** What is left of a booking or an entry of theirs: when it was, not whose. */
const OF_NOBODY: Readonly<Record<string, (value: unknown) => unknown>> = {
  invitee_name: () => '',
  invitee_email: () => '',
  invitee_timezone: () => 'UTC',
  invitee_locale: () => 'en',
  invitee_phone: () => null,
  notes: () => null,
  phone: () => null,
  answers: () => ({}),
  metadata: () => ({}),
  // Their own seat has no address if they were booked by phone.
  attendees: (value) =>
    Array.isArray(value) ? value.map((seat) => (seat?.is_primary === true ? ofNobody(seat) : seat)) : value,
  cancel_reason: (value) => (isOurReason(value as string | null) ? value : null),
}

/**
 * An answer of the API without a person: their bookings and entries have no name, neither has their seat among the attendees,
 * and texts do not contain their address. Members stay members, even those they booked as.
 */
export function withoutPerson(value: unknown, person: Person): Without {
  let [isChanged, isTheirs] = [false, false]
  const change = (before: unknown, after: unknown) => {
    if (JSON.stringify(before) !== JSON.stringify(after)) isChanged = true
    return after
  }
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one, person.takenFrom(one))
    if (Array.isArray(one)) return one.map(walk)
    if (one === null || typeof one !== 'object') return one
    const fields = one as Fields
    const isOfMember = 'member_id' in fields || 'user_id' in fields
    const id = 'invitee_name' in fields ? fields.id : undefined
    if (!isOfMember && person.owns({ id, email: fields.invitee_email })) {
      isTheirs = true
      return Object.fromEntries(
        Object.entries(fields).map(([name, field]) => {
          const clear = OF_NOBODY[name]
          const cleared = clear ? change(field, clear(field)) : field
          return [name, clear && name !== 'attendees' ? cleared : walk(cleared)]
        }),
      )
    }
    if (!isOfMember && isOf(fields.email, person) && 'name' in fields) return change(fields, ofNobody(fields))
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        if (name === 'external_id' && typeof field === 'string') {
          return [name, change(field, person.takenFromKey(field))]
        }
        // What members typed may name anybody.
        return [name, isOfMember && name !== 'reason' ? field : walk(field)]
      }),
    )
  }
  return { value: walk(value), isChanged, isTheirs }
}

/** A seat of nobody. */
export function ofNobody<Seat extends Fields>(seat: Seat): Seat {
  return { ...seat, name: '', email: '', ...('timezone' in seat && { timezone: 'UTC' }) }
}

function isOf(address: unknown, person: Person): boolean {
  return typeof address === 'string' && person.is(address)
}
