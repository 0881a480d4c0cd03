import { holdOf } from '../../core/hold.ts'
import { type Interval, mergeIntervals, overlaps } from '../../core/interval.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { openStarts } from '../../core/slots.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { withBooking } from '../../engine/schedule/apply-booking.ts'
import { decideStart } from '../../engine/schedule/decide-start.ts'
import { isGivenUpFor, type ReleasedHold } from '../../engine/schedule/given-up.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import { priceKept, refusePayment } from '../../engine/schedule/price.ts'
import type { EventTypeRow, Schedule } from '../../engine/schedule/schedule.ts'
import { refuseDuration, slotRequest } from '../../engine/schedule/slot-request.ts'
import { takesNoBookings } from '../../engine/schedule/takes-no-bookings.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { newBooking } from '../bookings/new-booking.ts'
import type { WaitingRow } from './queries.ts'
import { searchRanges, within } from './search-ranges.ts'

/** The released time that can be given to the waitlist. */
export type Freed = {
  /** Times that were released: starts that overlap them count as released even if another host was free. */
  readonly holds: readonly ReleasedHold[]
  /** The schedule before a change: starts that were not open then count as released, too. Null without a change. */
  readonly before: Schedule | null
  /** The released start, which entries for any start get first. */
  readonly start: number | null
  /**
   * The addresses, in lower case, whose booking limit just allowed one more: every open start counts as released for them.
   */
  readonly mayAgain: ReadonlySet<string>
}

/** The waitlist, oldest first, and the upcoming bookings per address if these are limited. */
export type WaitingInvitees = {
  readonly waiting: readonly WaitingRow[]
  readonly booked: ReadonlyMap<string, number>
}

export type Promotion = {
  readonly entry: WaitingRow
  /** Without the invitee's texts. */
  readonly row: BookingRow
  readonly placement: Placement
  /** The schedule of the decision, with every promotion before it. */
  readonly schedule: Schedule
}

type Choice = {
  readonly promotions: readonly Promotion[]
  /** Whether entries are left that may have to be booked once the event type takes bookings again. */
  readonly isPaused: boolean
}

/** Chooses entries to book, oldest first, each at a start that was released. */
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
    const price = priceKept(entry, eventType)
    if (refusePayment(current, 1, price)) continue
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
      const booked = newBooking(eventType, inviteeOfEntry(entry), placement, true, now, price)
      // Limits of anonymous callers refuse no entry, but count its booking.
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

/** If the event type has a single length, it applies, even if it was another one before. */
function lengthFor({ durationOptions, durationMinutes }: EventTypeRow, entry: WaitingRow): number {
  return durationOptions === null ? durationMinutes : entry.durationMinutes
}

type OpenStarts = (range: Interval, entry: WaitingRow) => ReadonlySet<number>

/** Returns the open starts of a schedule; each question is computed once. */
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

function startsIn(
  schedule: Schedule,
  range: Interval,
  durationMinutes: number,
  now: PresentMs,
): readonly number[] {
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

/** The time of the starts that are open now and were not before, for which somebody waits. */
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

/** The released starts that suit the entry; the start that was released comes first. */
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
        (isAnyFreed ||
          freed.holds.some((hold) => overlaps(holdOf(start, request), hold)) ||
          (openBefore !== null && !openBefore(range, entry).has(start))) &&
        !isGivenUpFor(freed.holds, { start, hold: holdOf(start, request) }, entry.startTime),
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
    zoneUnknown: entry.zoneUnknown,
    locale: entry.inviteeLocale,
    notes: null,
    answers: null,
    metadata: {},
    others: [],
    guests: [],
    phone: entry.inviteePhone,
    smsConsent: entry.smsConsent,
    place: entry.meetsAt,
  }
}
