import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { Db } from '../../platform/db/client.ts'
import { type RealMs, realNow } from '../../platform/limits/clock.ts'
import { askEventType } from '../turn/command.ts'
import { PASS_ON_FREED_TIME } from './commands.ts'
import { selectOwing } from './statements.ts'

/** Asks the object of each event type to book its waitlist, each in its own present. */
export async function offerFreed(
  env: Env,
  owing: readonly { readonly id: string }[],
  now: RealMs,
): Promise<void> {
  for (const { id } of owing) {
    try {
      await askEventType(env, id, PASS_ON_FREED_TIME, { eventTypeId: id, now })
    } catch (error) {
      // It stays recorded, and the next sweep tries again.
      console.error(JSON.stringify({ waitlist: id, cause: bareError(error).stack }))
    }
  }
}

/** The same at once for an organization that may book again, or whose members or calendars changed. */
export async function offerFreedOf(env: Env, db: Db, organizationId: string): Promise<void> {
  const now = realNow()
  await offerFreed(env, await selectOwing(db, now, undefined, organizationId), now)
}
