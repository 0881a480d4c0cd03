import type { Json } from './caller.ts'

/** `cancelled`, or whether it is booked or only asked for, and where: `booked@2026-03-02T09:00:00.000Z`. */
export type Place = string

/** Where somebody is of whom nothing was answered. */
export const ANYWHERE = 'anywhere'

/** Somebody who was to be booked, and what was said of it. */
export type Booking = {
  readonly email: string
  readonly organizationId: string
  readonly eventTypeId: string
  /** Known once it was acknowledged. */
  id: string | null
  token: string | null
  /** Where it may be: one place when every change of it was answered, more while an answer is missing, none where it was refused. */
  places: readonly Place[]
  /** Where it may be besides, because of what its host did in a calendar. */
  readonly strays?: Place[]
}

export type Hold = { readonly id: string; readonly token: string; readonly eventTypeId: string }

/** Somebody who was to be booked several times together, and what was said of it. */
export type Series = {
  readonly email: string
  readonly organizationId: string
  readonly eventTypeId: string
  readonly starts: readonly string[]
  /** Whether starts that are taken may be missing. */
  readonly mayMiss: boolean
  /** Known once it was acknowledged. */
  id: string | null
  token: string | null
  /** Which wholes it may be: one when all was answered, null while nobody knows whether it was made. */
  wholes: readonly Whole[] | null
}

/** The places of all its bookings, by start: `2026-03-02T09:00:00.000Z=booked`. */
export type Whole = readonly string[]

export function wholeOf(bookings: readonly Json[]): Whole {
  const each = bookings.map(
    (one) => `${new Date(one.start_time).toISOString()}=${placeOf(one).split('@')[0]}`,
  )
  return each.sort()
}

/** Somebody who was to wait. */
export type Entry = {
  readonly email: string
  readonly organizationId: string
  readonly eventTypeId: string
  id: string | null
  token: string | null
  /** Whether they were told that they wait no longer. */
  hasLeft: boolean
  /** Whether they were refused, so that they must not be there. */
  isRefused: boolean
}

/** Somebody who was to be booked for a price. */
export type Paid = {
  readonly email: string
  readonly organizationId: string
  readonly eventTypeId: string
  readonly start: string
  isRefused: boolean
  /** Whether the payer tried to pay, and was not refused. */
  isPaid: boolean
  id: string | null
  token: string | null
  paymentId: string | null
  intentId: string | null
}

/** Somebody who joined an organization to leave it again; what happened is null while no answer says whether it did. */
export type Leaver = {
  readonly id: string
  readonly organizationId: string
  hasLeft: boolean | null
}

/** What clients were answered, of which some may be missing. */
export type Range = { least: number; most: number }

/** What the clients of a soak were told, which is what must be so. */
export class Ledger {
  readonly bookings: Booking[] = []
  readonly series: Series[] = []
  readonly entries: Entry[] = []
  readonly paid: Paid[] = []
  /** The number of each booking whose invitee wants texts. */
  readonly phones = new Map<string, string>()
  readonly leavers: Leaver[] = []
  /** How often the confirmation of each booking was sent again. */
  readonly resent = new Map<string, Range>()
  /** What may be recorded about who came to each booking: one attendance if everything was answered. */
  readonly attendance = new Map<string, readonly string[]>()
  /** How often each kind of operation was answered how. */
  readonly counts = new Map<string, number>()
  readonly findings: string[] = []
  acknowledged = 0

  count(operation: string, answer: string): void {
    const name = `${operation} ${answer}`
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  find(what: string, ...of: readonly unknown[]): void {
    this.findings.push(`${what}: ${JSON.stringify(of)}`)
  }
}

/** Attendance as a response and a row say it: whether an invitee or the host was missing. */
export function attendanceOf(noShows: number, isHostAbsent: boolean): string {
  return `${noShows > 0 ? 'no-show' : 'came'}, ${isHostAbsent ? 'host absent' : 'host there'}`
}

export const UNRECORDED = 'unrecorded'

const WAITING = 'pending_approval'

export function placeOf({ status, start_time }: Json): Place {
  if (status === 'cancelled') return status
  return `${status === WAITING ? 'asked' : 'booked'}@${new Date(start_time).toISOString()}`
}

/** The same, elsewhere. */
export function movedTo(place: Place, start: string): Place {
  return `${place.split('@')[0]}@${start}`
}

export function isActive({ places: [place, ...others] }: Booking): boolean {
  return place !== undefined && others.length === 0 && place !== 'cancelled'
}
