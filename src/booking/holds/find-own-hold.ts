import { openDb } from '../../platform/db/client.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { Context } from '../../platform/http/context.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { hashOfToken } from './hold-token.ts'
import { isHeld } from './present.ts'
import { selectHoldByToken } from './queries.ts'

/** The hold of the event type with this token; null if it is not the token of one. */
export async function findOwnHold(
  { env, now }: Context,
  eventTypeId: string,
  token: string,
): Promise<SlotHoldRow | null> {
  const [found] = await selectHoldByToken(openDb(env, 'decide'), await hashOfToken(token))
  if (!found || found.hold.eventTypeId !== eventTypeId) return null
  const { hold, sandboxNow } = found
  return isHeld(hold, nowAsSeen(hold.isTest, sandboxNow, now)) ? hold : null
}
