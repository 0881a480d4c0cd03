import { openDb } from '../../db/client.ts'
import { homeOf } from '../../db/shards.ts'
import type { Env } from '../../env.ts'
import { findLinkable } from './links/queries.ts'

/** The member who owns the organization. */
export async function ownerOf(env: Env, organizationId: string): Promise<string> {
  const found = await findLinkable(openDb(homeOf(env, organizationId), 'decide'), organizationId, undefined)
  if (!found?.memberId) throw new Error('an organization without an owner')
  return found.memberId
}
