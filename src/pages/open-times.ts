import type { AvailabilityQuery } from '../booking/hours/event-type/schema.ts'
import { findOpenSlots, findSlotsToMove } from '../booking/slots/find-open-slots.ts'
import { findSlotsFor } from '../booking/slots/find-slots-for.ts'
import type { Moved } from '../booking/slots/load-slots.ts'
import { type OpenSlots, seatsAt } from '../booking/slots/open-slots.ts'
import { formatDate, parseDate, wallTimeOf, zoneTable } from '../core/local-time.ts'
import { DAY_MS } from '../core/time-units.ts'
import { Refused } from '../platform/http/errors.ts'
import type { PresentMs } from '../platform/limits/clock.ts'
import { firstWeekdayOf, type Month, monthOfDate, parseMonth, type Span, shownOf } from './month.ts'
import type { Page } from './page.ts'

/** A start that can be booked or, when it is full, waited for. */
export type Slot = {
  readonly start: number
  readonly end: number
  readonly seatsLeft: number | null
  readonly isFull: boolean
}

/** What is open in a month, by the visitor's dates, which are given as the midnight they would be in UTC. */
export type OpenTimes = {
  readonly zone: string
  readonly today: number
  readonly month: Month
  /** The days of the calendar: those of the month, or near its end the coming weeks. */
  readonly shown: Span
  readonly days: ReadonlyMap<number, readonly Slot[]>
  /** The first open day after what is shown; null where none comes within a year. */
  readonly nextOpenDay: number | null
  readonly selected: number | null
  readonly durationMs: number
  readonly isCapped: boolean
}

type Wanted = {
  readonly eventTypeId: string
  /** Left out, that of the booking that is being moved, or of the event type. */
  readonly duration?: number
  readonly zone: string
  /** The present of the event type's side of its organization. */
  readonly now: PresentMs
  /** The host who is chosen, and whether full times can be waited for. */
  readonly memberId?: string | null
  readonly hasWaitlist?: boolean
  /** The booking that is being moved does not block its own new time; without a start, it may even stay at its own. */
  readonly moved?: Moved & { readonly start: number | null }
}

const MAX_DAYS = 31
const LATEST_DATE = Date.UTC(9998, 0, 1)

/**
 * The month that the address asks for, else that of the day or time it names. An address that asks for nothing leads
 * to the first open day.
 */
export async function loadOpenTimes(page: Page, wanted: Wanted): Promise<OpenTimes> {
  const { zone, now } = wanted
  const { searchParams } = page.url
  const today = dateAt(now, zone)
  const named = parseDate(searchParams.get('date') ?? '') ?? dateOfTime(searchParams.get('time'), zone)
  const asked = parseMonth(searchParams.get('month')) ?? (named === null ? null : monthOfDate(named))
  const present = monthOfDate(today)
  const isLater = asked !== null && asked.first > present.first && asked.last < LATEST_DATE
  const found = await loadMonth(page, wanted, isLater ? asked : present, today)
  if (asked === null && firstOpen(found) === null && found.nextOpenDay !== null) {
    const month = monthOfDate(found.nextOpenDay)
    const next = await loadMonth(page, wanted, month, today)
    return { ...next, selected: firstOpen(next) }
  }
  const { first, last } = found.shown
  const isNamed = named !== null && named >= first && named <= last
  return { ...found, selected: isNamed ? named : firstOpen(found) }
}

async function loadMonth(page: Page, wanted: Wanted, month: Month, today: number): Promise<OpenTimes> {
  const { zone } = wanted
  // The present month is loaded together with the next one, so that its last days still show open times.
  const isPresent = month.first <= today
  const [first, last] = isPresent ? [today, today + (MAX_DAYS - 1) * DAY_MS] : [month.first, month.last]
  const query = {
    event_type_id: wanted.eventTypeId,
    start: formatDate(first),
    end: formatDate(last),
    timezone: zone,
    duration: wanted.duration,
  }
  const found = await slotsFor(page, wanted, query)
  const slots = [
    ...found.starts.map((start) => slotAt(found, start, false)),
    ...(found.fullStarts ?? []).map((start) => slotAt(found, start, true)),
  ]
    .filter(({ start }) => start !== wanted.moved?.start)
    .toSorted((a, b) => a.start - b.start)
  const days = Map.groupBy(slots, ({ start }) => dateAt(start, zone))
  const shown = shownOf(month, today, firstWeekdayOf(page.locale.tag))
  const later = [...days.keys()].find(
    (day) => day > shown.last && days.get(day)!.some((slot) => !slot.isFull),
  )
  const next = found.nextAvailable === null ? null : dateAt(found.nextAvailable, zone)
  return {
    zone,
    today,
    month,
    shown,
    days,
    durationMs: found.durationMs,
    nextOpenDay: later ?? next,
    selected: null,
    isCapped: found.isCapped,
  }
}

async function slotsFor({ ctx }: Page, wanted: Wanted, query: AvailabilityQuery): Promise<OpenSlots> {
  const { moved, memberId = null, hasWaitlist = false } = wanted
  if (moved) return findSlotsToMove(ctx, query, moved)
  if (memberId === null) return findOpenSlots(ctx, query)
  const [theirs, all] = await Promise.all([
    findSlotsFor(ctx, { ...query, member_id: memberId }),
    hasWaitlist ? findOpenSlots(ctx, query) : null,
  ])
  // A waitlist entry is booked with any host, so only times without a free host can be waited for.
  const full = new Set(all?.fullStarts)
  return { ...theirs, fullStarts: theirs.fullStarts?.filter((start) => full.has(start)) ?? null }
}

function firstOpen({ days, shown: { first, last } }: Pick<OpenTimes, 'days' | 'shown'>): number | null {
  const isOpen = (day: number) => day >= first && day <= last && days.get(day)!.some((slot) => !slot.isFull)
  return [...days.keys()].find(isOpen) ?? null
}

/** The slot that starts at `start`, be it open or on the waitlist; null when it is neither. */
export async function findSlot(page: Page, wanted: Wanted, start: number): Promise<Slot | null> {
  const date = formatDate(dateAt(start, wanted.zone))
  const { eventTypeId, duration, zone } = wanted
  try {
    const found = await slotsFor(page, wanted, {
      event_type_id: eventTypeId,
      start: date,
      end: date,
      timezone: zone,
      duration,
    })
    if (found.starts.includes(start)) return slotAt(found, start, false)
    return found.fullStarts?.includes(start) ? slotAt(found, start, true) : null
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'validation_error') return null
    throw error
  }
}

function slotAt(found: OpenSlots, start: number, isFull: boolean): Slot {
  const seatsLeft = isFull ? null : seatsAt(found, start)
  return { start, end: start + found.durationMs, seatsLeft, isFull }
}

/** An instant in the address, such as `2026-03-09T13:00:00.000Z`; null when it is malformed. */
export function parseTime(text: string | null): number | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/.test(text)) return null
  const instant = Date.parse(text)
  return Number.isFinite(instant) && instant < LATEST_DATE ? instant : null
}

function dateOfTime(text: string | null, zone: string): number | null {
  const instant = parseTime(text)
  return instant === null ? null : dateAt(instant, zone)
}

function dateAt(instant: number, zone: string): number {
  return Math.floor(wallTimeOf(zoneTable(zone, instant, instant + 1), instant) / DAY_MS) * DAY_MS
}
