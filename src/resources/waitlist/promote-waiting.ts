import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { loadSchedule, type Schedule } from '../availability/schedule.ts'
import { prepareBooking } from '../bookings/prepare-booking.ts'
import type { Workplace } from '../bookings/workplace.ts'
import { recordEvent } from '../events/record-event.ts'
import { choosePromotions, type Freed, type Promotion } from './choose-promotions.ts'
import { SYSTEM } from './expire-entries.ts'
import { presentEntry } from './present.ts'
import { type EntryRow, endWaiting, selectSeatsOfWaiting, selectWaiting } from './store.ts'

const MAX_ATTEMPTS = 5
/** How many are booked in one commit. */
const TOGETHER = 10
/** How far ahead slots are looked for on behalf of those who wait for any. */
const HORIZON_MS = 31 * 86_400_000
const MARGIN_MS = 86_400_000

/**
 * Books those who wait where a change freed time. Runs in the object's turn that made the change, after its
 * commit, so nobody else is asked in between.
 */
export async function promoteWaiting(
  workplace: Workplace,
  eventTypeId: string,
  freed: Freed,
  now: number,
): Promise<void> {
  const { env, memory } = workplace
  const db = openDb(env, 'decide')
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const waiting = await selectWaiting(db, eventTypeId)
      if (waiting.length === 0) return
      const schedule = await loadFor(db, eventTypeId, waiting, freed, now)
      if (!schedule) return
      const promotions = choosePromotions(schedule, waiting, freed, now)
      if (await commitAll(workplace, db, promotions, now)) return
    }
  } catch (error) {
    // What freed the time is committed and must not fail for this.
    const cause = error instanceof Error ? error.message : 'unknown'
    console.error(JSON.stringify({ waitlist: eventTypeId, cause }))
  } finally {
    memory.forget()
  }
}

/** Everything around the freed time and around every start that is waited for. */
async function loadFor(
  db: Db,
  eventTypeId: string,
  waiting: readonly EntryRow[],
  freed: Freed,
  now: number,
): Promise<Schedule | null> {
  const wanted = waiting.map(({ startTime }) => startTime ?? now + HORIZON_MS)
  const end = Math.max(now, freed.hold?.end ?? now, ...wanted) + MARGIN_MS
  const range = { start: now, end }
  const { schedule, beside } = await loadSchedule(
    db,
    eventTypeId,
    { range, seatsAt: null },
    now,
    selectSeatsOfWaiting(db, eventTypeId, now),
  )
  if (!schedule) return null
  const seated = new Map<number, Set<string>>()
  for (const { start, email } of beside[0]) {
    const there = seated.get(start) ?? new Set()
    seated.set(start, there.add(email))
  }
  return { ...schedule, seated }
}

/** Whether all were booked; no when the world turned out to be another one, and then the rest is decided again. */
async function commitAll(
  { announce }: Workplace,
  db: Db,
  promotions: readonly Promotion[],
  now: number,
): Promise<boolean> {
  for (let at = 0; at < promotions.length; at += TOGETHER) {
    const prepared = promotions.slice(at, at + TOGETHER).map((promotion) => prepare(db, promotion, now))
    try {
      await commitBatch(
        db,
        prepared.flatMap(({ statements }) => statements),
      )
    } catch (error) {
      if (fenceOf(error) === null) throw error
      return false
    }
    for (const { eventIds } of prepared) {
      for (const eventId of eventIds) announce({ type: 'event', eventId })
    }
  }
  return true
}

function prepare(db: Db, { entry, row, placement, schedule }: Promotion, now: number) {
  const changes = {
    status: 'promoted' as const,
    promotedBookingId: row.id,
    promotedAt: now,
    updatedAt: now,
  }
  const booking = prepareBooking(db, schedule, placement, row, SYSTEM, now)
  const data = presentEntry({ ...entry, ...changes }, 0)
  const event = recordEvent(db, entry, { kind: 'waitlist.promoted', data, revision: 1 })
  const statements = [
    ...endWaiting(db, entry.id, changes),
    ...booking.statements,
    recordActivity(db, entry, SYSTEM, {
      action: 'waitlist.promoted',
      resourceType: 'waitlist_entry',
      resourceId: entry.id,
      changes: { status: ['waiting', 'promoted'], booking_id: row.id },
    }),
    ...event.statements,
  ]
  return { statements, eventIds: [booking.eventId, event.id] }
}
