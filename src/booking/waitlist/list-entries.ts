import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { presentPhone } from '../bookings/present.ts'
import { type KeptAnswer, openAnswers } from '../questions/take-answers.ts'
import { presentEntry } from './present.ts'
import { listEntriesInTenant } from './queries.ts'
import type { WaitlistEntry, WaitlistQuery } from './schema.ts'

/** An entry with what is sealed. */
export type OpenedEntry = WaitlistEntry & {
  readonly phone: string | null
  readonly kept: readonly KeptAnswer[]
}

/** A page of the list, which may be larger than the endpoint's, and the id after which the next one begins. */
export async function openedEntriesOf(
  env: Env,
  tenant: Tenant,
  query: WaitlistQuery,
): Promise<{ readonly data: readonly OpenedEntry[]; readonly next: string | null }> {
  const rows = await listEntriesInTenant(openDb(env, 'decide'), tenant, query)
  const shown = rows.slice(0, query.limit)
  const opened = shown.map(async (row) => {
    const [phone, kept] = await Promise.all([presentPhone(env, row), openAnswers(env, row.answers)])
    return { ...presentEntry(row, row.position), phone, kept }
  })
  return { data: await Promise.all(opened), next: rows.length > shown.length ? shown.at(-1)!.id : null }
}
