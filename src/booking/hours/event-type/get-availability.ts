import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { selectEventTypeInTenant } from '../../event-types/statements.ts'
import { presentAvailabilityRules } from './present.ts'
import { selectOverrides, selectRules } from './queries.ts'
import type { AvailabilityRules } from './schema.ts'

export async function getAvailability(
  ctx: Context<TenantCaller>,
  eventTypeId: string,
): Promise<AvailabilityRules> {
  const db = openDb(ctx.env, 'decide')
  const [[found], rules, overrides] = await db.batch([
    selectEventTypeInTenant(db, ctx.caller, eventTypeId),
    selectRules(db, eventTypeId),
    selectOverrides(db, eventTypeId),
  ])
  if (!found) throw notFound('event type')
  return presentAvailabilityRules(eventTypeId, found.timezone, rules, overrides)
}
