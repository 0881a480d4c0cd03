import type { SandboxSweep } from '../../engine/sandbox-sweep.ts'
import { askEventType } from '../../engine/turn/command.ts'
import type { Verb } from '../../engine/turn/verb.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { TIDY_HOLDS, type TidyHolds } from './commands.ts'
import { selectExpiredHoldsInSandbox } from './queries.ts'

/** The turn itself removes expired holds and serves the waitlist, so nothing is left to decide. */
export function tidyHolds({ eventTypeId, now }: TidyHolds): Verb<readonly [], null> {
  return {
    eventTypeId,
    claim: null,
    now,
    around: now,
    isDeletedToo: true,
    servesFirst: true,
    asks: () => [] as const,
    decide: () => ({ unchanged: null }),
  }
}

/** Has each event type's object remove its expired holds and offer their time to the waitlist. */
export async function tidyExpired(
  env: Env,
  expired: readonly { readonly eventTypeId: string }[],
  now: AskedMs,
): Promise<void> {
  for (const eventTypeId of new Set(expired.map((one) => one.eventTypeId))) {
    try {
      await askEventType(env, eventTypeId, TIDY_HOLDS, { eventTypeId, now })
    } catch (error) {
      // The next sweep tries again.
      console.error(JSON.stringify({ sweep: 'hold', cause: bareError(error).stack }))
    }
  }
}

/** The same for one sandbox in its present, until nothing more has expired or the time is up. */
export async function tidySandbox({ env, db, organizationId, present, isOver }: SandboxSweep): Promise<void> {
  for (const done: string[] = []; ; ) {
    const expired = await selectExpiredHoldsInSandbox(db, organizationId, present, done)
    if (expired.length === 0) return
    await tidyExpired(env, expired, present)
    if (isOver()) return
    done.push(...expired.map(({ eventTypeId }) => eventTypeId))
  }
}
