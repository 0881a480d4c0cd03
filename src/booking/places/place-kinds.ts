import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Place } from '../../platform/db/schema/event-types.ts'
import { isBlank, isOneLine } from '../../platform/http/typed-text.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'

const LONGEST_NUMBER = 100
const LONGEST_PLACE = 500

/** Why a place of this kind cannot have this value; null if it can. */
export function refuseValue({ kind, value }: Pick<Place, 'kind' | 'value'>): Problem | null {
  switch (kind) {
    case 'custom':
      return refuseGiven(value) ?? refuseAddress(value!)
    case 'phone_in':
      return refuseGiven(value) ?? refuseLength(value!, LONGEST_NUMBER) ?? refuseLines(value!)
    case 'in_person':
      return value === null ? null : refuseLength(value, LONGEST_PLACE)
    default:
      return value === null ? null : problem('not_a', { kinds: ['null'] })
  }
}

function refuseGiven(value: string | null): Problem | null {
  return value === null || isBlank(value) ? problem('required') : null
}

function refuseLength(value: string, most: number): Problem | null {
  return value.length > most ? problem('too_long', { most }) : null
}

function refuseLines(value: string): Problem | null {
  return isOneLine(value) ? null : problem('not_one_line')
}

function refuseAddress(value: string): Problem | null {
  if (/[\s\p{Cc}]/u.test(value)) return problem('has_white_space')
  return URL.canParse(value) && new URL(value).protocol === 'https:' ? null : problem('not_https')
}

/** The kinds whose value is shown to those who have booked only. */
const HIDDEN: ReadonlySet<Place['kind']> = new Set(['custom', 'phone_in'])

export function presentPlaces(places: readonly Place[], isPublic: boolean): Place[] {
  return places.map((place) =>
    isPublic && HIDDEN.has(place.kind) ? { ...place, value: null } : { ...place },
  )
}

/** Whether the members who meet somebody need their number: to call them, or as all that is known of them. */
export function isCalled(booking: Pick<BookingRow, 'place' | 'inviteeEmail'>): boolean {
  return booking.place?.kind === 'phone_out' || booking.inviteeEmail === ''
}

/** What calendars of members show as the place of a call: the number, or what the call is named. */
export function calendarPlace(place: Place | null): string | null {
  if (place?.kind === 'phone_in') return place.value
  return place?.kind === 'phone_out' ? (place.label ?? 'Phone') : null
}
