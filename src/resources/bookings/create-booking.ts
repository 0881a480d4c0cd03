import { tokenFor } from '../../auth/secret.ts'
import { commitBatch, type Db, openDb, type Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { PLANS } from '../../limits/plans.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { type EventTypeRow, presentIn, type Schedule } from '../availability/schedule.ts'
import { recordEvent } from '../events/record-event.ts'
import { planReminders } from '../reminders/plan-reminders.ts'
import { capGuards } from './cap-guards.ts'
import { type CreateBooking, type Outcome, refused } from './commands.ts'
import { decideBooking } from './decide-booking.ts'
import { keepRefusal, keptOutcome } from './kept-outcome.ts'
import { loadForStart } from './load-for-start.ts'
import { presentBooking } from './present.ts'
import { resourcesOf } from './resources.ts'
import type { ScheduleMemory } from './schedule-memory.ts'
import { type BookingRow, countInQuota, guardSchedule, insertBooking, takeHold } from './store.ts'
import type { Workplace } from './workplace.ts'

/** A fence that refuses what was just decided means another object was faster; then the world is read again. */
const MAX_ATTEMPTS = 5

/** Runs in the event type's object, one at a time. `arrivedAt` is the memory's tick when the command came. */
export async function createBooking(
  { env, memory, announce }: Workplace,
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

    const now = loaded.schedule ? presentIn(loaded.schedule, command.now) : command.now
    const decision = decideBooking(loaded.schedule, { ...command, now })
    if ('refusal' in decision) return keepRefusal(env, claim, decision.refusal)

    const { schedule, durationMinutes, hold } = decision
    const row = newBooking(schedule.eventType, command.input, now, durationMinutes)
    const booking = presentBooking(row)
    const created = { ...booking, cancel_token: await tokenFor(env.ENCRYPTION_KEY, row.id) }
    const event = recordEvent(db, row, { kind: 'booking.created', data: booking, revision: row.revision })
    try {
      await commitBatch(db, [
        ...(await keepStatements(env, db, claim, { status: 201, body: created })),
        guardSchedule(db, schedule),
        ...capGuards(db, schedule, row),
        ...quotaStatements(db, schedule, row),
        ...takeHold(db, row.id, resourcesOf(schedule.eventType), hold),
        insertBooking(db, row),
        ...planReminders(db, row, schedule.eventType.reminderIntervals, now),
        recordActivity(db, row, command.origin, {
          action: 'booking.created',
          resourceType: 'booking',
          resourceId: row.id,
          changes: { status: row.status, start_time: booking.start_time, end_time: booking.end_time },
        }),
        ...event.statements,
      ])
      memory.take(row.id, row.startTime, hold)
      announce({ type: 'event', eventId: event.id })
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
  const { eventTypeId, input, claim } = command
  const loadedFrom = memory.tick()
  const { schedule, beside } = await loadForStart(
    db,
    eventTypeId,
    input.start_time,
    command.now,
    selectKept(db, claim),
  )
  memory.remember(schedule, loadedFrom)
  return { schedule, kept: await keptOutcome(env, claim, beside[0]) }
}

function quotaStatements(db: Db, { organization, month }: Schedule, row: BookingRow): Statement[] {
  if (row.isTest) return []
  return [countInQuota(db, row.organizationId, month, PLANS[organization.tier].bookingsPerMonth)]
}

function newBooking(
  eventType: EventTypeRow,
  input: CreateBooking['input'],
  now: number,
  durationMinutes: number,
): BookingRow {
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
