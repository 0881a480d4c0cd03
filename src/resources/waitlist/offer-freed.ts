import { bareError } from '../../db/bare-error.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { monthOf } from '../../schedule/schedule.ts'
import { askEventType } from '../../turn/command.ts'
import { PASS_ON_FREED_TIME } from './commands.ts'
import { selectWithFreed } from './statements.ts'

/** The event types whose freed time can be offered now, as a query for any batch. */
export function selectOwing(db: Db, now: AskedMs, last?: { readonly since: number }) {
  return selectWithFreed(db, monthOf(now), null, last?.since)
}

/** Asks the object of each to book those who wait. */
export async function offerFreed(env: Env, owing: readonly { readonly id: string }[], now: AskedMs) {
  for (const { id } of owing) {
    try {
      await askEventType(env, id, PASS_ON_FREED_TIME, { eventTypeId: id, now })
    } catch (error) {
      // It stays written down, and the next sweep tries again.
      console.error(JSON.stringify({ waitlist: id, cause: bareError(error).stack }))
    }
  }
}

/** The same at once for an organization that may book again, or whose members or calendars changed. */
export async function offerFreedOf(env: Env, db: Db, organizationId: string, now: AskedMs): Promise<void> {
  await offerFreed(env, await selectWithFreed(db, monthOf(now), organizationId), now)
}
