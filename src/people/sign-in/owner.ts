import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { homeOf, seek } from '../../platform/db/shards.ts'
import { findLinkable, findOwnerNamed } from './links/queries.ts'

/** The member who owns the organization. */
export async function ownerOf(env: Env, organizationId: string): Promise<string> {
  const found = await findLinkable(openDb(homeOf(env, organizationId), 'decide'), organizationId, undefined)
  if (!found?.memberId) throw new Error('an organization without an owner')
  return found.memberId
}

/** The address of the owner with that user id, which is empty where none is known; null where nobody with it owns one. */
export async function addressOfOwner(env: Env, userId: string): Promise<string | null> {
  const sought = await seek(env, (home) => findOwnerNamed(openDb(home, 'decide'), userId))
  return sought?.found.userEmail ?? null
}
