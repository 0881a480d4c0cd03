import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { selectAccounts } from './accounts/queries.ts'
import { presentAccount, presentSuite } from './present.ts'
import { selectSuites } from './queries.ts'
import type { ConferencingAccounts } from './schema.ts'

/** Every provider of meetings, connected or not; of the one that members connect, each of their accounts. */
export async function listAccounts(env: Env, tenant: Tenant): Promise<ConferencingAccounts> {
  const db = openDb(env, 'decide')
  const [accounts, suites] = await db.batch([selectAccounts(db, tenant), selectSuites(db, tenant)])
  const best = (provider: string) => suites.find((suite) => suite.provider === provider) ?? null
  return {
    data: [
      ...(accounts.length > 0 ? accounts : [null]).map(presentAccount),
      presentSuite('calendar_a_meet', best('calendar_a')),
      presentSuite('calendar_b_meet', best('calendar_b')),
    ],
  }
}
