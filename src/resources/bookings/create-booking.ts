import { tokenFor } from '../../auth/secret.ts'
import { commitBatch, type Db, openDb, type Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { keepStatements, openKept, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { PLANS } from '../../limits/plans.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { loadSchedule, type Schedule } from '../availability/schedule.ts'
import { recordEvent } from '../events/record-event.ts'
import { capGuards } from './cap-guards.ts'
import { type CreateBooking, type Outcome, refused } from './commands.ts'
import { decideBooking } from './decide-booking.ts'
import { keepRefusal } from './keep-refusal.ts'
import { presentBooking } from './present.ts'
import { resourcesOf } from './resources.ts'
import type { ScheduleMemory } from './schedule-memory.ts'
import { type BookingRow, countInQuota, insertBooking, takeHold } from './store.ts'

const DAY_MS = 86_400_000
/** How far ahead alternatives are looked for. */
const HORIZON_MS = 14 * DAY_MS
/** A fence that refuses what was just decided means another object was faster; then the world is read again. */
const MAX_ATTEMPTS = 3

/** Runs in the event type's object, one at a time. `arrivedAt` is the memory's tick when the command came. */
export async function createBooking(
  env: Env,
  memory: ScheduleMemory,
  arrivedAt: number,
  command: CreateBooking,
): Promise<Outcome> {
  const db = openDb(env, 'decide')
  const { claim } = command
  for (let attempt = 1; ; attempt++) {
    // A key may have been answered long ago, so a command with one always asks.
    const known = attempt === 1 && !claim ? memory.recall(arrivedAt, command.input.start_time) : null
    const loaded = known ? { schedule: known, kept: null } : await load(env, db, memory, command)
    if (loaded.kept) return loaded.kept

    const decision = decideBooking(loaded.schedule, command)
    if ('refusal' in decision) return keepRefusal(env, claim, decision.refusal)

    const schedule = loaded.schedule!
    const row = newBooking(schedule, command, decision.durationMinutes)
    const booking = presentBooking(row)
    const created = { ...booking, cancel_token: await tokenFor(env.ENCRYPTION_KEY, row.id) }
    try {
      await commitBatch(db, [
        ...(await keepStatements(env, db, claim, { status: 201, body: created })),
        ...capGuards(db, schedule, row),
        ...quotaStatements(db, schedule, row),
        ...takeHold(db, row.id, resourcesOf(schedule.eventType), decision.hold),
        insertBooking(db, row),
        recordActivity(db, row, command.origin, {
          action: 'booking.created',
          resourceType: 'booking',
          resourceId: row.id,
          changes: { status: row.status, start_time: booking.start_time, end_time: booking.end_time },
        }),
        ...recordEvent(db, row, { kind: 'booking.created', data: booking }),
      ])
      memory.take(row.id, row.startTime, decision.hold)
      return { kind: 'done', body: created }
    } catch (error) {
      memory.forget()
      const fence = fenceOf(error)
      if (fence === 'KEY_IN_USE') return refused(STILL_RUNNING)
      if (fence === null) throw error
      if (attempt === MAX_ATTEMPTS) return refused({ code: 'conflict', message: 'This time was just taken.' })
    }
  }
}

async function load(env: Env, db: Db, memory: ScheduleMemory, command: CreateBooking) {
  const { eventTypeId, input, claim, now } = command
  const from = Math.max(input.start_time, now)
  const loadedFrom = memory.tick()
  const { schedule, beside } = await loadSchedule(
    db,
    eventTypeId,
    { start: from, end: from + HORIZON_MS },
    now,
    selectKept(db, claim),
  )
  memory.remember(schedule, loadedFrom)
  const kept = claim && (await openKept(env, claim, beside[0]))
  if (!kept) return { schedule, kept: null }
  const outcome: Outcome =
    'refusal' in kept ? refused(kept.refusal) : { kind: 'replayed', answer: kept.replay }
  return { schedule, kept: outcome }
}

function quotaStatements(db: Db, { organization, month }: Schedule, row: BookingRow): Statement[] {
  if (row.isTest) return []
  return [countInQuota(db, row.organizationId, month, PLANS[organization.tier].bookingsPerMonth)]
}

function newBooking(schedule: Schedule, command: CreateBooking, durationMinutes: number): BookingRow {
  const { eventType } = schedule
  const { input, now } = command
  return {
    id: newId(),
    organizationId: eventType.organizationId,
    eventTypeId: eventType.id,
    isTest: eventType.isTest,
    status: 'confirmed',
    startTime: input.start_time,
    endTime: input.start_time + durationMinutes * 60_000,
    inviteeName: input.invitee_name,
    inviteeEmail: input.invitee_email,
    inviteeTimezone: input.invitee_timezone,
    notes: input.notes ?? null,
    metadata: input.metadata,
    attendees: [
      {
        id: newId(),
        name: input.invitee_name,
        email: input.invitee_email,
        timezone: input.invitee_timezone,
        is_primary: true,
      },
    ],
    assignedHostId: null,
    conferencingUrl: eventType.conferencingProvider === 'custom' ? eventType.customMeetingUrl : null,
    location: eventType.location,
    cancelledAt: null,
    cancelReason: null,
    rescheduledAt: null,
    previousStartTime: null,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
}
