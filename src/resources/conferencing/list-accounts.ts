import type { Tenant } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { presentAccount, presentSuite } from './present.ts'
import { selectAccount, selectSuites } from './queries.ts'
import type { ConferencingAccounts } from './schema.ts'

/** Every provider of meetings, connected or not. */
export async function listAccounts(env: Env, tenant: Tenant): Promise<ConferencingAccounts> {
  const db = openDb(env, 'decide')
  const [[account], suites] = await db.batch([selectAccount(db, tenant), selectSuites(db, tenant)])
  const best = (provider: string) => suites.find((suite) => suite.provider === provider) ?? null
  return {
    data: [
      presentAccount(account ?? null),
      presentSuite('calendar_a_meet', best('calendar_a')),
      presentSuite('calendar_b_meet', best('calendar_b')),
    ],
  }
}
