import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { CallNote, CallQuery } from '../../platform/limits/call-note.ts'
import { keyCounterOf } from '../../platform/limits/key-counter.ts'
import { type CallingKey, selectCallingKeys } from './queries.ts'

export type KeyCall = CallNote & { readonly key: Pick<CallingKey, 'name' | 'prefix'> }

/** What the keys of one side of an organization called, newest first, and whether there is more. */
export async function listCalls(
  env: Env,
  tenant: Tenant,
  query: CallQuery,
): Promise<{ readonly data: readonly KeyCall[]; readonly has_more: boolean }> {
  const found = await askKeys(env, tenant, (hash) =>
    keyCounterOf(env, hash).listCalls({ ...query, limit: query.limit + 1 }),
  )
  const calls = found.sort((a, b) => (a.id < b.id ? 1 : -1))
  return { data: calls.slice(0, query.limit), has_more: calls.length > query.limit }
}

/** The call with this request id; null where none of the keys made it, or it is too old. */
export async function findCall(env: Env, tenant: Tenant, requestId: string): Promise<KeyCall | null> {
  const id = requestId.toLowerCase()
  const [call] = await askKeys(env, tenant, async (hash) => {
    const own = await keyCounterOf(env, hash).findCall(id)
    return own ? [own] : []
  })
  return call ?? null
}

async function askKeys(
  env: Env,
  tenant: Tenant,
  callsOf: (hash: string) => Promise<readonly CallNote[]>,
): Promise<KeyCall[]> {
  const keys = await selectCallingKeys(openDb(env, 'decide'), tenant)
  const found = await Promise.all(
    keys.map(async ({ hash, name, prefix }) =>
      (await callsOf(hash)).map((call) => ({ ...call, key: { name, prefix } })),
    ),
  )
  return found.flat()
}
