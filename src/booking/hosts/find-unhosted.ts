import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { selectUnhosted } from './queries.ts'

const MOST_NAMED = 10

export type Unhosted = { readonly id: string; readonly title: string }

/** The first event types without hosts: nobody's time off closes them. */
export async function findUnhosted(env: Env, tenant: Tenant): Promise<readonly Unhosted[]> {
  return selectUnhosted(openDb(env, 'decide'), tenant, MOST_NAMED)
}
