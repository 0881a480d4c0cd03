import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import { type Expected, isExpected } from '../../platform/http/if-match.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { selectLastChange } from './queries.ts'

/** Why something is not changed by a caller who knows an older state of it, with who changed it since then. */
export async function refuseChanged(
  db: Db,
  tenant: Tenant,
  { id, updatedAt }: { readonly id: string; readonly updatedAt: number },
  expected: Expected,
): Promise<Refusal | null> {
  if (isExpected(expected, updatedAt)) return null
  const [last] = await selectLastChange(db, tenant, id)
  const by = { type: last ? ACTORS[last.actorType] : 'system', name: last?.name ?? null }
  return because('changed', { updated_at: formatInstant(updatedAt), updated_by: by })
}

/** As bookings name who changed them. */
const ACTORS = {
  api_key: 'api_key',
  service: 'service',
  user: 'member',
  invitee: 'invitee',
  system: 'system',
} as const
