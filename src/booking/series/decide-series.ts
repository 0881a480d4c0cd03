import { withBooking } from '../../engine/schedule/apply-booking.ts'
import { claimTeller } from '../../engine/schedule/claimed-starts.ts'
import { decideStart, requestFor } from '../../engine/schedule/decide-start.ts'
import { ofHost } from '../../engine/schedule/of-host.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import { reasonsTeller } from '../../engine/schedule/reasons.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SkippedStart } from '../../platform/db/schema/series.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { wantedOf } from '../bookings/decide-booking.ts'
import { requestOf } from '../bookings/prepare-booking.ts'
import type { SeriesCode } from './schema.ts'

/** A booking of the series, with the schedule that it was placed on. */
export type Placed = {
  readonly row: BookingRow
  readonly placement: Placement
  readonly schedule: Schedule
  /** Until when it awaits approval; null if it does not. */
  readonly waitsUntil: number | null
}

export type SeriesDecision = {
  readonly placed: readonly Placed[]
  readonly conflicts: readonly SkippedStart[]
}

type Wanted = ReturnType<typeof wantedOf>

/** Judges the starts in their order, each on the schedule after those before it. */
export function decideSeries(
  schedule: Schedule,
  starts: readonly number[],
  wanted: Wanted,
  {
    owned,
    newRow,
  }: {
    /** The starts that the invitee has already, as far as the caller may know. */
    readonly owned: ReadonlySet<number>
    readonly newRow: (placement: Placement) => BookingRow
  },
): SeriesDecision {
  const placed: Placed[] = []
  const conflicts: SkippedStart[] = []
  let current = schedule
  for (const start of starts) {
    const decision = decideStart(current, start, wanted)
    const code = 'refusal' in decision ? codeOf(current, start, wanted, owned, decision.refusal) : null
    if ('refusal' in decision || isReserved(current, start, wanted)) {
      conflicts.push({ start_time: formatInstant(start), code: code ?? 'owed_to_waitlist' })
      continue
    }
    const { placement } = decision
    const row = newRow(placement)
    const waitsUntil =
      row.status === 'pending_approval' ? requestOf(row, current.eventType, wanted.now).expiresAt : null
    placed.push({ row, placement, schedule: current, waitsUntil })
    // Without an address nobody is counted.
    const inviteeBookings = current.inviteeBookings + (row.inviteeEmail === '' ? 0 : 1)
    current = { ...withBooking(current, row, placement, waitsUntil), inviteeBookings }
  }
  return { placed, conflicts }
}

/** Whether it is open, but reserved for waitlist entries that could not be booked just now. */
function isReserved(schedule: Schedule, start: number, { durationMinutes, now, seats }: Wanted): boolean {
  if (schedule.freed.length === 0) return false
  return claimTeller(schedule, requestFor(schedule, start, { durationMinutes, now, seats }))(start)
}

/** Why a start is refused, as an explanation says it. */
function codeOf(
  plain: Schedule,
  start: number,
  { durationMinutes, seats, now, memberId }: Wanted,
  owned: ReadonlySet<number>,
  { reason }: Refusal,
): SeriesCode {
  if (reason === 'already_seated' || owned.has(start)) return 'already_booked'
  if (reason === 'invitee_limit_reached' || reason === 'cap_reached') return reason
  const schedule = memberId === null ? plain : ofHost(plain, memberId)
  const range = { start, end: start + 1 }
  const { reasons } = reasonsTeller(schedule, { range, durationMinutes, seats, now })(start)
  const codes = reasons.map(({ code }) => code)
  return codes.find((code) => code !== 'off_grid') ?? codes[0] ?? 'booked'
}
