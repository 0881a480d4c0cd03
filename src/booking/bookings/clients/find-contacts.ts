import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { findCandidates } from '../search/find-candidates.ts'
import { selectContacts } from './queries.ts'

/** Of more clients, or of more bookings, a page is found along its order instead. */
const FEW = 1_000
const FEW_BOOKINGS = 5_000

/** The contacts of all clients who may have these words, by the words of their bookings; null if there are many. */
export async function findContacts(
  db: Db,
  tenant: Tenant,
  words: readonly string[],
): Promise<readonly string[] | null> {
  if (words.length === 0) return null
  const found = await findCandidates(db, tenant, words, FEW_BOOKINGS)
  if (found === null) return null
  const ids = new Set([...found.values()].map(({ id }) => id))
  const rows = await selectContacts(db, tenant, [...ids], FEW + 1)
  return rows.length > FEW ? null : rows.map(({ contact }) => contact)
}
