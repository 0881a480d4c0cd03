import { holdOf } from '../../core/hold.ts'
import { type Interval, mergeIntervals, overlaps } from '../../core/interval.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { openStarts } from '../../core/slots.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { withBooking } from '../../engine/schedule/apply-booking.ts'
import { decideStart } from '../../engine/schedule/decide-start.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import type { EventTypeRow, Schedule } from '../../engine/schedule/schedule.ts'
import { refuseDuration, slotRequest } from '../../engine/schedule/slot-request.ts'
import { takesNoBookings } from '../../engine/schedule/takes-no-bookings.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { newBooking } from '../bookings/new-booking.ts'
import type { WaitingRow } from './queries.ts'
import { searchRanges, within } from './search-ranges.ts'

/** The time that can be given away. */
export type Freed = {
  /** Time that was given up: what it touches was freed even where another host was free. */
  readonly holds: readonly Interval[]
  /** The schedule before a change: whatever was not open then has been freed too. Null where nothing changed. */
  readonly before: Schedule | null
  /** The start that was given up, which an entry for any slot gets first. */
  readonly start: number | null
  /** Who could have no further booking before, in lower case: whatever is open has been freed for them. */
  readonly mayAgain: ReadonlySet<string>
}

/** Those who wait, the oldest first, and how many bookings to come they have here where these are limited. */
export type WaitingInvitees = {
  readonly waiting: readonly WaitingRow[]
  readonly booked: ReadonlyMap<string, number>
}

export type Promotion = {
  readonly entry: WaitingRow
  /** Without what the invitee wrote. */
  readonly row: BookingRow
  readonly placement: Placement
  /** The schedule in which it was decided: with every promotion before it. */
  readonly schedule: Schedule
}

type Choice = {
  readonly promotions: readonly Promotion[]
  /** Whether an entry is left that may have to be booked once the event type takes bookings again. */
  readonly isPaused: boolean
}

/** Chooses entries to book, the oldest first, each where time was freed, for as long as there is any. */
export function choosePromotions(
  schedule: Schedule,
  { waiting, booked }: WaitingInvitees,
  freed: Freed,
  now: PresentMs,
  hostsToSkip = 0,
): Choice {
  const { eventType } = schedule
  const openBefore = freed.before && startsTeller(freed.before, now)
  const promotions: Promotion[] = []
  const seated = new Set<string>()
  const bookings = new Map(booked)
  let current = schedule
  for (const entry of waiting) {
    if (takesNoBookings(current)) return { promotions, isPaused: true }
    const durationMinutes = lengthFor(eventType, entry)
    if (entry.expiresAt <= now || refuseDuration(eventType, durationMinutes)) continue
    const email = entry.inviteeEmail.toLowerCase()
    const inviteeBookings = bookings.get(email) ?? 0
    for (const start of startsFor(current, entry, freed, now, openBefore)) {
      if (seated.has(`${start} ${email}`)) continue
      const there = { ...within(current, { start, end: start + 1 }), inviteeBookings }
      const decision = decideStart(there, start, {
        durationMinutes,
        now,
        emails: [email],
        mover: null,
        hostsToSkip,
      })
      if ('refusal' in decision) continue
      const { placement } = decision
      const booked = newBooking(eventType, inviteeOfEntry(entry), placement, true, now)
      // Limits refuse nobody who waited, but count their bookings.
      const row = { ...booked, addressMark: entry.addressMark }
      promotions.push({ entry, row, placement, schedule: there })
      current = withBooking(current, row, placement)
      seated.add(`${start} ${email}`)
      bookings.set(email, inviteeBookings + 1)
      break
    }
  }
  return { promotions, isPaused: false }
}

/** Where there is one length to book, it is the one that is waited for, also when it was another one before. */
function lengthFor({ durationOptions, durationMinutes }: EventTypeRow, entry: WaitingRow): number {
  return durationOptions === null ? durationMinutes : entry.durationMinutes
}

type OpenStarts = (range: Interval, entry: WaitingRow) => ReadonlySet<number>

/** Tells the starts that a schedule has open; the same question is worked out once. */
function startsTeller(schedule: Schedule, now: PresentMs): OpenStarts {
  const known = new Map<string, ReadonlySet<number>>()
  return (range, entry) => {
    const durationMinutes = lengthFor(schedule.eventType, entry)
    const question = `${range.start} ${range.end} ${durationMinutes}`
    const starts = known.get(question) ?? new Set(startsIn(schedule, range, durationMinutes, now))
    known.set(question, starts)
    return starts
  }
}

function startsIn(schedule: Schedule, range: Interval, durationMinutes: number, now: PresentMs): number[] {
  if (refuseDuration(schedule.eventType, durationMinutes)) return []
  return openStarts(requestIn(schedule, range, durationMinutes, now))
}

function requestIn(
  schedule: Schedule,
  range: Interval,
  durationMinutes: number,
  now: PresentMs,
): SlotRequest {
  return slotRequest(within(schedule, range), { range, durationMinutes, now })
}

/** The time of the starts that are open now and were not before, as far as anybody waits for them. */
export function openedTime(
  before: Schedule,
  schedule: Schedule,
  waiting: readonly WaitingRow[],
  now: PresentMs,
): readonly Interval[] {
  const [openBefore, openNow] = [startsTeller(before, now), startsTeller(schedule, now)]
  const opened = waiting.flatMap((entry) => {
    const minutes = lengthFor(schedule.eventType, entry)
    return searchRanges(entry, [], now).flatMap((range) => {
      const starts = openNow(range, entry).difference(openBefore(range, entry))
      return [...starts].map((start) => ({ start, end: start + minutes * MINUTE_MS }))
    })
  })
  return mergeIntervals(opened)
}

/** The starts that the change freed and that suit the entry; those that are given up first. */
function startsFor(
  schedule: Schedule,
  entry: WaitingRow,
  freed: Freed,
  now: PresentMs,
  openBefore: OpenStarts | null,
): number[] {
  const durationMinutes = lengthFor(schedule.eventType, entry)
  const isAnyFreed = freed.mayAgain.has(entry.inviteeEmail.toLowerCase())
  const open = searchRanges(entry, freed.holds, now).flatMap((range) => {
    const request = requestIn(schedule, range, durationMinutes, now)
    return openStarts(request).filter(
      (start) =>
        isAnyFreed ||
        freed.holds.some((hold) => overlaps(holdOf(start, request), hold)) ||
        (openBefore !== null && !openBefore(range, entry).has(start)),
    )
  })
  return open.includes(freed.start ?? Number.NaN)
    ? [freed.start!, ...open.filter((start) => start !== freed.start)]
    : open
}

function inviteeOfEntry(entry: WaitingRow) {
  return {
    name: entry.inviteeName,
    email: entry.inviteeEmail,
    timezone: entry.inviteeTimezone,
    locale: entry.inviteeLocale,
    notes: null,
    answers: null,
    metadata: {},
    others: [],
  }
}
