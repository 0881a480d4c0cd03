import { tokenFor } from '../../auth/secret.ts'
import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { withBooking } from '../../schedule/apply-booking.ts'
import { isOwed } from '../../schedule/claimed-starts.ts'
import { loadForStart } from '../../schedule/load-for-start.ts'
import { selectFreed } from '../../schedule/queries.ts'
import { presentIn } from '../../schedule/schedule.ts'
import { decideAfresh } from '../../turn/decide-afresh.ts'
import { keptOutcome } from '../../turn/kept-outcome.ts'
import { type Outcome, refused } from '../../turn/outcome.ts'
import { lookPast, MAX_SERVED, refuseOpen } from '../../turn/races.ts'
import type { ScheduleMemory } from '../../turn/schedule-memory.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { createdPayment, rememberKept } from '../payments/new-payment.ts'
import { bookingCounts, countAsStranger, marksOf } from '../public-limits/book-as-stranger.ts'
import { callingStranger, type Stranger } from '../public-limits/stranger.ts'
import { promoteWaiting } from '../waitlist/promote-waiting.ts'
import type { CreateBooking } from './commands.ts'
import { decideBooking } from './decide-booking.ts'
import { judgeStranger } from './judge-stranger.ts'
import { inviteeOf, newBooking } from './new-booking.ts'
import { prepareBooking } from './prepare-booking.ts'
import type { CreatedBooking } from './schema.ts'

/** Runs in the event type's object, one at a time. `arrivedAt` is the memory's tick when the command came. */
export async function createBooking(
  workplace: Workplace,
  command: CreateBooking,
  arrivedAt: number,
): Promise<Outcome<CreatedBooking>> {
  const { env, memory, announce } = workplace
  const db = openDb(env, 'decide')
  const { claim } = command
  const stranger = await callingStranger(env, command)
  for (let lost = 0, served = 0; ; ) {
    // A key may have been answered long ago, so a command with one always asks.
    const known = lost + served === 0 && !claim ? memory.recall(arrivedAt, command.input.start_time) : null
    const loaded = known
      ? { schedule: known, kept: null, owed: [], counts: undefined }
      : await load(env, db, memory, command, stranger)
    if (loaded.kept) return loaded.kept
    if (served < MAX_SERVED && isOwed(loaded.schedule, loaded.owed)) {
      served++
      await promoteWaiting(workplace, command.eventTypeId, command.now)
      continue
    }

    const now = loaded.schedule ? presentIn(loaded.schedule, command.now) : command.now
    const proof = await judgeStranger(env, db, stranger, loaded, command, now)
    const decision = await decideAfresh(workplace, loaded.schedule, arrivedAt, (schedule) =>
      decideBooking(schedule, { ...command, now }, lookPast(lost), proof?.refusal ?? null),
    )
    if ('refusal' in decision) return refused(decision.refusal)

    const { schedule, placement } = decision
    const isKeyless = stranger !== null
    const booked = newBooking(schedule.eventType, inviteeOf(command.input), placement, isKeyless, now)
    const row = { ...booked, ...marksOf(stranger) }
    const seats = row.attendees.length
    const taken = await refuseOpen(db, schedule, placement, { lost, owed: loaded.owed, seats, now })
    if (taken) return refused(taken)
    const prepared = prepareBooking(db, schedule, placement, row, command.origin, now)
    const payment = await createdPayment(env, row)
    const created = {
      ...prepared.booking,
      ...payment,
      cancel_token: await tokenFor(env.ENCRYPTION_KEY, row.id),
    }
    try {
      await commitBatch(db, [
        ...(await keepStatements(env, db, claim, { status: 201, body: created })),
        ...(proof?.statements ?? []),
        ...countAsStranger(db, schedule, stranger, row, now),
        ...prepared.statements,
        ...rememberKept(db, row, claim),
      ])
      memory.apply((known) => withBooking(known, row, placement))
      announce({ type: 'event', eventId: prepared.eventId })
      return { kind: 'done', body: created }
    } catch (error) {
      memory.forget()
      const fence = fenceOf(error)
      if (fence === 'KEY_IN_USE') return refused(STILL_RUNNING)
      if (fence === null) throw error
      lost++
    }
  }
}

async function load(
  env: Env,
  db: Db,
  memory: ScheduleMemory,
  command: CreateBooking,
  stranger: Stranger | null,
) {
  const { eventTypeId, input, claim } = command
  const loadedFrom = memory.tick()
  const { schedule, beside } = await loadForStart(
    db,
    eventTypeId,
    input.start_time,
    command.now,
    selectKept(db, claim),
    selectFreed(db, eventTypeId),
    ...bookingCounts(db, eventTypeId, stranger, command.now),
  )
  memory.remember(schedule, loadedFrom)
  const [keptRows, owed, counts] = beside
  return { schedule, kept: await keptOutcome(env, claim, keptRows), owed, counts: counts?.[0] }
}
