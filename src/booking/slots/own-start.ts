import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { OpenSlots } from './open-slots.ts'

/** The open starts for the bearer of a hold: its own start, too, because they can confirm it. */
export function withOwnStart(
  slots: OpenSlots,
  { startTime: start, endTime: end, seats }: SlotHoldRow,
  range: { readonly start: number; readonly end: number },
): OpenSlots {
  if (slots.isClosed || start < range.start || start >= range.end || end - start !== slots.durationMs)
    return slots
  const { seats: shared } = slots
  const left = shared && Math.min(shared.capacity, (shared.left.get(start) ?? 0) + seats)
  return {
    ...slots,
    starts: slots.starts.includes(start)
      ? slots.starts
      : [...slots.starts, start].toSorted((one, other) => one - other),
    fullStarts: slots.fullStarts?.filter((full) => full !== start) ?? null,
    seats: shared && { ...shared, left: new Map([...shared.left, [start, left!]]) },
    nextAvailable: null,
  }
}
