import { placeObject } from '../../engine/turn/command.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { findRegion } from './queries.ts'

/**
 * Creates the object of a new event type in the organization's region, if it has one. Otherwise the first caller decides where
 * it is, for good, and a database on another continent makes every booking slow.
 */
export async function placeEventType(env: Env, organizationId: string, eventTypeId: string): Promise<void> {
  const region = await findRegion(openDb(env, 'decide'), organizationId)
  if (region !== null) await placeObject(env, eventTypeId, region)
}
