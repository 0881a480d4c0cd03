import type { bookings } from '../../db/schema/bookings.ts'
import { PLANS } from '../../limits/plans.ts'
import { type Interval, overlaps } from '../../scheduling/interval.ts'
import { holdOf, openStarts } from '../../scheduling/slots.ts'
import type { Schedule } from '../availability/schedule.ts'
import { refuseDuration, slotRequest } from '../availability/slot-request.ts'
import { withBooking } from '../bookings/apply-booking.ts'
import { decideStart } from '../bookings/decide-booking.ts'
import { newBooking } from '../bookings/new-booking.ts'
import type { Placement } from '../bookings/placement.ts'
import { refusePayment } from '../payments/price.ts'
import type { EntryRow } from './store.ts'

type BookingRow = typeof bookings.$inferSelect

/** What a change did to the time of an event type. */
export type Freed = {
  /** The schedule as it was, told by the schedule as it is: whatever was not open then has been freed. */
  readonly before: (schedule: Schedule) => Schedule
  /** Time that was held before; what it touches was freed even where another host was free. */
  readonly hold: Interval | null
  /** The start that was given up, which whoever waits for any slot is given first. */
  readonly start: number | null
}

export type Promotion = {
  readonly entry: EntryRow
  readonly row: BookingRow
  readonly placement: Placement
  /** The schedule in which it was decided: with every promotion before it. */
  readonly schedule: Schedule
}

/** Who is booked of those who wait, the oldest first, each where time was freed and as long as there is any. */
export function choosePromotions(
  schedule: Schedule,
  waiting: readonly EntryRow[],
  freed: Freed,
  now: number,
): Promotion[] {
  const { eventType, organization } = schedule
  if (!eventType.active || organization.suspendedAt !== null) return []
  if (refusePayment(schedule, 1)) return []
  const quota = PLANS[organization.tier].bookingsPerMonth
  const before = freed.before(schedule)
  const openBefore = new Map<number, ReadonlySet<number>>()
  const wasOpen = (start: number, durationMinutes: number) => {
    const known =
      openBefore.get(durationMinutes) ??
      new Set(openStarts(slotRequest(before, { range: before.range, durationMinutes, now })))
    openBefore.set(durationMinutes, known)
    return known.has(start)
  }

  const promotions: Promotion[] = []
  const seated = new Set<string>()
  let current = schedule
  for (const entry of waiting) {
    if (!eventType.isTest && current.bookingsThisMonth >= quota) break
    const { durationMinutes } = entry
    if (entry.expiresAt <= now || refuseDuration(eventType, durationMinutes)) continue
    const email = entry.inviteeEmail.toLowerCase()
    for (const start of startsFor(current, entry, freed, now, wasOpen)) {
      if (seated.has(`${start} ${email}`)) continue
      const decision = decideStart(current, start, { durationMinutes, now, emails: [email], mover: null })
      if ('refusal' in decision) continue
      const { placement } = decision
      const row = newBooking(eventType, inviteeOfEntry(entry), placement, now)
      promotions.push({ entry, row, placement, schedule: current })
      current = withBooking(current, row, placement)
      seated.add(`${start} ${email}`)
      break
    }
  }
  return promotions
}

/** The starts that the change freed and that suit the entry; those that are given up first. */
function startsFor(
  schedule: Schedule,
  entry: EntryRow,
  freed: Freed,
  now: number,
  wasOpen: (start: number, durationMinutes: number) => boolean,
): number[] {
  const { durationMinutes, startTime } = entry
  const range = startTime === null ? schedule.range : { start: startTime, end: startTime + 1 }
  const request = slotRequest(schedule, { range, durationMinutes, now })
  const open = openStarts(request).filter(
    (start) =>
      (freed.hold !== null && overlaps(holdOf(start, request), freed.hold)) ||
      !wasOpen(start, durationMinutes),
  )
  return open.includes(freed.start ?? Number.NaN)
    ? [freed.start!, ...open.filter((start) => start !== freed.start)]
    : open
}

function inviteeOfEntry(entry: EntryRow) {
  return {
    name: entry.inviteeName,
    email: entry.inviteeEmail,
    timezone: entry.inviteeTimezone,
    notes: entry.notes,
    metadata: {},
    others: [],
  }
}
