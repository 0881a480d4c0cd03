import { type SandboxSweep, sweepInPages } from '../../../engine/sandbox-sweep.ts'
import { askEventType } from '../../../engine/turn/command.ts'
import { answerOf } from '../../../engine/turn/outcome.ts'
import type { Env } from '../../../env.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { DECLINE_BOOKING } from '../commands.ts'
import { selectUndecidedInSandbox } from './queries.ts'

const NOT_APPROVED_IN_TIME = 'It was not approved in time.'

type Due = { readonly id: string; readonly eventTypeId: string }

/** Cancels requests whose time is up, each in its event type's object. They have blocked nothing since their deadline. */
export async function giveUpUndecided(env: Env, due: readonly Due[], now: PresentMs): Promise<void> {
  for (const { id: bookingId, eventTypeId } of due) {
    try {
      const why = { reason: NOT_APPROVED_IN_TIME, origin: SYSTEM, claim: null, isOverdue: true }
      answerOf(await askEventType(env, eventTypeId, DECLINE_BOOKING, { eventTypeId, bookingId, now, ...why }))
    } catch (error) {
      // The next sweep tries again.
      console.error(JSON.stringify({ sweep: 'request', cause: bareError(error).stack }))
    }
  }
}

/** The same for one sandbox in its present, until nothing more is due or the time is up. */
export function giveUpInSandbox(sweep: SandboxSweep): Promise<void> {
  const { env, db, organizationId, present } = sweep
  return sweepInPages<Awaited<ReturnType<typeof selectUndecidedInSandbox>>[number]>(
    sweep,
    (last) => selectUndecidedInSandbox(db, organizationId, present, last),
    (due) => giveUpUndecided(env, due, present),
  )
}
