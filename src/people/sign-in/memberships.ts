import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { shardOf } from '../../platform/db/ids.ts'
import { askAll, homeOf, othersOf, shardOfEnv, shardsOf } from '../../platform/db/shards.ts'
import type { Person } from './person.ts'
import { listMembershipsOf, listMembershipsOfMember, type MembershipRow } from './queries.ts'

/** Where a person belongs, in all databases that answer. */
export async function membershipsOf(env: Env, { email, memberId }: Person): Promise<MembershipRow[]> {
  if (memberId !== null) return listMembershipsOfMember(openDb(homeOf(env, memberId), 'decide'), memberId)
  return inOrder(await askAll(env, (home) => listMembershipsOf(openDb(home, 'decide'), email)))
}

/**
 * What a session opens in the databases beyond its own. A database that does not answer is left out; only members who work in
 * `organizationId`, which is there, must not end up in another organization.
 */
export async function withOthers(
  env: Env,
  own: readonly MembershipRow[],
  email: string,
  organizationId: string | null,
): Promise<readonly MembershipRow[]> {
  const others = othersOf(env)
  if (others.length === 0) return own
  const worksIn = organizationId === null ? null : shardOf(organizationId)
  const found = others.map(async (home) => {
    try {
      return await listMembershipsOf(openDb(home, 'decide'), email)
    } catch (error) {
      if (shardOfEnv(home) === worksIn) throw error
      return []
    }
  })
  return inOrder([own, ...(await Promise.all(found))])
}

/** More than anybody belongs to. */
const EVERY = 100_000

/** Where an address belongs, wherever that is. All databases must say so: one that does not answer may have a member. */
export async function everyMembershipOf(env: Env, email: string): Promise<MembershipRow[]> {
  return inOrder(
    await Promise.all(shardsOf(env).map((home) => listMembershipsOf(openDb(home, 'decide'), email, EVERY))),
  )
}

/** Whether somebody with that address is a member in another database than this one. */
export async function isMemberElsewhere(env: Env, email: string): Promise<boolean> {
  const found = othersOf(env).map((home) => listMembershipsOf(openDb(home, 'decide'), email))
  return (await Promise.all(found)).some((memberships) => memberships.length > 0)
}

function inOrder(found: readonly (readonly MembershipRow[])[]): MembershipRow[] {
  return found.flat().sort((one, other) => (one.memberId < other.memberId ? -1 : 1))
}
