import type { FreedRow } from '../db/schema/waitlist.ts'
import { overlaps } from '../scheduling/interval.ts'
import { holdOf, type SlotRequest } from '../scheduling/slots.ts'
import { isHindered } from './hindered.ts'
import type { Schedule } from './schedule.ts'

/** Tells which open starts are about to be given to whoever waits for them, and so are offered to nobody else. */
export function claimTeller(
  schedule: Schedule,
  request: SlotRequest,
  [freed, wanted]: readonly [readonly FreedRow[], readonly { readonly start: number | null }[]],
): (start: number) => boolean {
  if (!isOwed(schedule, freed)) return () => false
  const starts = new Set(wanted.map(({ start }) => start))
  const times = freed.map(({ startsAt, endsAt }) => ({ start: startsAt, end: endsAt }))
  return (start) => {
    if (!starts.has(start) && !starts.has(null)) return false
    const hold = holdOf(start, request)
    return times.some((time) => overlaps(time, hold))
  }
}

/** Whether those who wait come first: time was freed for them, and nothing forbids to book them now. */
export function isOwed(schedule: Schedule | null, owed: readonly unknown[]): boolean {
  return owed.length > 0 && schedule !== null && !isHindered(schedule)
}
