import { askEventType } from '../../../engine/turn/command.ts'
import { answerOf } from '../../../engine/turn/outcome.ts'
import type { Env } from '../../../env.ts'
import type { EventRow, Follows } from '../../../platform/db/schema/records.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { FOLLOW_PLACE } from '../commands.ts'

/** For the consumer of an event of a booking that followed its event type: the next ones follow, too. */
export async function takeAlong(
  env: Env,
  { organizationId, isTest, data, previous }: EventRow,
  { from, by }: NonNullable<Follows['follows']>,
  now: RealMs,
): Promise<void> {
  const eventTypeId = String(data.event_type_id)
  const origin = { ...by, ipAddress: null }
  const isQuiet = previous?.is_quiet === true
  const tenant = { organizationId, isTest }
  answerOf(
    await askEventType(env, eventTypeId, FOLLOW_PLACE, { eventTypeId, from, tenant, origin, isQuiet, now }),
  )
}
