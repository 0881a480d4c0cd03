import { wallTimeOf, zoneTable } from '../core/local-time.ts'
import { DAY_MS } from '../core/time-units.ts'
import { counted, timeOptions } from '../platform/i18n/format.ts'
import type { OpenTimes, Slot } from './open-times.ts'
import type { Page } from './page.ts'

const UNIT_MS = 1000
const FULL = -1

/**
 * The times of all open days of the month, for the script that switches days without asking again. A day is its
 * number, which goes on behind the month, the seconds of its first start, and from there the distance from each start to the next; behind it, where
 * that says something, the seats that are left of each, -1 for those that can only be waited for.
 */
export function monthData(page: Page, times: OpenTimes): Readonly<Record<`data-${string}`, string>> {
  const { locale } = page
  const { texts } = locale
  const { month, shown } = times
  const own = [...times.days].filter(([day]) => day <= shown.last && day >= shown.first)
  const numberOf = (day: number) => (day - month.first) / DAY_MS + 1
  const days = own.map(([day, slots]) => [
    numberOf(day),
    slots[0]!.start / UNIT_MS,
    slots.slice(1).map((slot, at) => (slot.start - slots[at]!.start) / UNIT_MS),
    ...(slots.some((slot) => slot.isFull || slot.seatsLeft !== null) ? [slots.map(seatsOf)] : []),
  ])
  const seats = new Set(own.flatMap(([, slots]) => slots.map(seatsOf)))
  const words = {
    parts: [texts.morning, texts.afternoon, texts.evening],
    full: texts.fullJoinWaitlist,
    seats: Object.fromEntries(
      [...seats].filter((left) => left > 0).map((left) => [left, counted(locale, 'seatsLeft', left)]),
    ),
  }
  return {
    'data-month': month.name,
    'data-days': JSON.stringify(days),
    'data-words': JSON.stringify(words),
    'data-tag': locale.tag,
    'data-clock': JSON.stringify(timeOptions(locale)),
    'data-in': times.zone,
    'data-offsets': JSON.stringify(offsetsOf(times.zone, own, numberOf)),
  }
}

/** The zone's offsets in seconds and the days from which they apply: browsers may use rules of years ago. */
function offsetsOf(
  zone: string,
  days: readonly (readonly [number, readonly Slot[]])[],
  numberOf: (day: number) => number,
) {
  const offsets = days.map(([day, [first]]) => {
    const { start } = first!
    const ahead = wallTimeOf(zoneTable(zone, start, start + 1), start) - start
    return [numberOf(day), ahead / UNIT_MS] as const
  })
  return offsets.filter(([, ahead], at) => ahead !== offsets[at - 1]?.[1])
}

function seatsOf({ isFull, seatsLeft }: Slot): number {
  return isFull ? FULL : (seatsLeft ?? 0)
}
