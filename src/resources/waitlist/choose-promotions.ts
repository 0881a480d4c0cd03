import type { bookings } from '../../db/schema/bookings.ts'
import { PLANS } from '../../limits/plans.ts'
import { type Interval, mergeIntervals, overlaps } from '../../scheduling/interval.ts'
import { holdOf, openStarts } from '../../scheduling/slots.ts'
import type { Schedule } from '../availability/schedule.ts'
import { refuseDuration, slotRequest } from '../availability/slot-request.ts'
import { withBooking } from '../bookings/apply-booking.ts'
import { decideStart } from '../bookings/decide-booking.ts'
import { newBooking } from '../bookings/new-booking.ts'
import type { Placement } from '../bookings/placement.ts'
import type { EntryRow } from './store.ts'

type BookingRow = typeof bookings.$inferSelect

/** What there is to give away. */
export type Freed = {
  /** Time that was given up: what it touches was freed even where another host was free. */
  readonly holds: readonly Interval[]
  /** The schedule before a change: whatever was not open then has been freed too. Null where nothing changed. */
  readonly before: Schedule | null
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

/** Whether the event type takes no booking at all for now. */
export function isHindered({ eventType, organization, bookingsThisMonth }: Schedule): boolean {
  if (!eventType.active || organization.suspendedAt !== null) return true
  return !eventType.isTest && bookingsThisMonth >= PLANS[organization.tier].bookingsPerMonth
}

export type Choice = {
  readonly promotions: readonly Promotion[]
  /** Whether somebody is left who may have to be booked once the event type takes bookings again. */
  readonly isHindered: boolean
}

/** Who is booked of those who wait, the oldest first, each where time was freed and as long as there is any. */
export function choosePromotions(
  schedule: Schedule,
  waiting: readonly EntryRow[],
  freed: Freed,
  now: number,
): Choice {
  const { eventType } = schedule
  const wasOpen = openBefore(freed.before, now)
  const promotions: Promotion[] = []
  const seated = new Set<string>()
  let current = schedule
  for (const entry of waiting) {
    if (isHindered(current)) return { promotions, isHindered: true }
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
  return { promotions, isHindered: false }
}

type WasOpen = (start: number, durationMinutes: number) => boolean

function openBefore(before: Schedule | null, now: number): WasOpen {
  if (!before) return () => true
  const open = new Map<number, ReadonlySet<number>>()
  return (start, durationMinutes) => {
    const known = open.get(durationMinutes) ?? startsOf(before, durationMinutes, now)
    open.set(durationMinutes, known)
    return known.has(start)
  }
}

/** The time of the starts that are open now and were not before, of every length that is waited for. */
export function openedTime(
  before: Schedule,
  schedule: Schedule,
  waiting: readonly EntryRow[],
  now: number,
): readonly Interval[] {
  const lengths = [...new Set(waiting.map(({ durationMinutes }) => durationMinutes))]
  const opened = lengths.flatMap((minutes) => {
    const starts = startsOf(schedule, minutes, now).difference(startsOf(before, minutes, now))
    return [...starts].map((start) => ({ start, end: start + minutes * 60_000 }))
  })
  return mergeIntervals(opened)
}

function startsOf(schedule: Schedule, durationMinutes: number, now: number): Set<number> {
  if (refuseDuration(schedule.eventType, durationMinutes)) return new Set()
  return new Set(openStarts(slotRequest(schedule, { range: schedule.range, durationMinutes, now })))
}

/** The starts that the change freed and that suit the entry; those that are given up first. */
function startsFor(
  schedule: Schedule,
  entry: EntryRow,
  freed: Freed,
  now: number,
  wasOpen: WasOpen,
): number[] {
  const { durationMinutes, startTime } = entry
  const range = startTime === null ? schedule.range : { start: startTime, end: startTime + 1 }
  const request = slotRequest(schedule, { range, durationMinutes, now })
  const open = openStarts(request).filter(
    (start) =>
      freed.holds.some((hold) => overlaps(holdOf(start, request), hold)) || !wasOpen(start, durationMinutes),
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
