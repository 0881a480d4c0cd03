import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { inShard } from '../../platform/db/shards.ts'
import { findAccountOf } from './openid/queries.ts'
import { type OpenId, openIdOf } from './openid/settings.ts'
import { listPasskeys } from './passkeys/queries.ts'
import type { Person } from './person.ts'

export type WaysToProve = { readonly hasPasskey: boolean; readonly openId: OpenId | null }

/** With what a person can prove once more who they are, besides a code: one round trip where `env` shares them. */
export async function waysToProve(env: Env, person: Person): Promise<WaysToProve> {
  const db = openDb(inShard(env, 0), 'decide')
  const openId = openIdOf(env)
  const [passkeys, account] = await Promise.all([
    listPasskeys(db, person),
    openId && findAccountOf(db, person, openId.key),
  ])
  return { hasPasskey: passkeys.length > 0, openId: account && openId }
}
