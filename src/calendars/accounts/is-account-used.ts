import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { seek } from '../../platform/db/shards.ts'
import { isAccountConnected } from './queries.ts'

/** Whether any organization has connected the account, but one that leaves. Throws where one database cannot be asked and no other knows. */
export async function isAccountUsed(env: Env, accountKey: string, leaving?: string): Promise<boolean> {
  const known = await seek(env, async (home) =>
    (await isAccountConnected(openDb(home, 'decide'), accountKey, leaving)) ? accountKey : null,
  )
  return known !== null
}
