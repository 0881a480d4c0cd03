import { withHold } from '../../engine/schedule/apply-booking.ts'
import { holderOf } from '../../engine/schedule/held-time.ts'
import { decideAfresh } from '../../engine/turn/decide-afresh.ts'
import { hostsToSkip, refuseOpen } from '../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { type AnonymousCaller, anonymousCallerOnce } from '../anonymous-callers/anonymous-caller.ts'
import { countHolder, holdCounts, refuseToHold } from '../anonymous-callers/hold-anonymously.ts'
import { capGuards } from '../bookings/limits/cap-guards.ts'
import { hostGuards } from '../bookings/limits/limit-guards.ts'
import { openSession } from '../bookings/prepare-booking.ts'
import { takeHold } from '../bookings/statements.ts'
import type { CreateHold } from './commands.ts'
import { decideHold } from './decide-hold.ts'
import { hashOfToken, holdTokenFor } from './hold-token.ts'
import { newHold } from './new-hold.ts'
import { presentHold } from './present.ts'
import type { CreatedHold } from './schema.ts'
import { insertSlotHold } from './statements.ts'

type Counts = ReturnType<typeof holdCounts>

/** Takes an open start until a deadline, without notifications. */
export function createHold(command: CreateHold): Verb<Counts, CreatedHold> {
  const { eventTypeId, claim, now, isDry, input } = command
  // There is no invitee yet, so only the network is counted.
  const calling = anonymousCallerOnce({ ...command, input: { invitee_email: '' } })
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: input.start_time,
    // Memory does not know an invitee's upcoming bookings.
    canRecall: ({ eventType }) => eventType.inviteeLimit === null,
    servesFirst: true,
    isRacing: true,
    asks: async ({ env, db }) => holdCounts(db, eventTypeId, await calling(env), now),
    decide: (turn, state) => decide(turn, state, command, calling),
  }
}

async function decide(
  turn: Turn,
  state: State<Counts>,
  command: CreateHold,
  calling: (env: Env) => Promise<AnonymousCaller | null>,
): Promise<Decided<CreatedHold>> {
  const { env, db, arrivedAt } = turn
  const { now, lost, rows } = state
  const anonymous = await calling(env)
  const counts = rows?.[0]?.[0]
  const overLimit =
    anonymous && state.schedule && counts
      ? refuseToHold(state.schedule, anonymous, counts, now, command.now)
      : null
  const decision = await decideAfresh(turn, state.schedule, arrivedAt, (schedule) =>
    decideHold(schedule, { ...command, now }, hostsToSkip(lost), overLimit),
  )
  if ('refusal' in decision) return decision

  const { schedule, placement } = decision
  const taken = refuseOpen(schedule, placement, { lost, seats: command.input.seats, now })
  if (taken) return { refusal: taken }
  const made = newHold(schedule.eventType, command.input, placement, now)
  const token = await holdTokenFor(env, made.id)
  const row = {
    ...made,
    tokenHash: await hashOfToken(token),
    networkMark: anonymous?.networkMark ?? null,
  }
  const hold = presentHold(command.origin, row, now)
  return {
    status: 201,
    body: { ...hold, token },
    decidedOn: schedule,
    statements: [
      ...countHolder(db, schedule, anonymous, row, now),
      ...capGuards(db, schedule, row, now),
      ...openSession(db, row, placement, now),
      ...hostGuards(db, schedule, placement, now),
      ...takeHold(db, holderOf(row), placement, row.expiresAt),
      insertSlotHold(db, row),
      recordActivity(db, row, command.origin, {
        action: 'hold.created',
        resourceType: 'hold',
        resourceId: row.id,
        changes: { start_time: hold.start_time, end_time: hold.end_time, expires_at: hold.expires_at },
      }),
    ],
    apply: (known) => withHold(known, row, placement),
  }
}
