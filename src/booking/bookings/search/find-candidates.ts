import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { readParts } from './queries.ts'
import { bucketOf, type Found, foundIn } from './words.ts'

/**
 * The bookings that may have all words, each once per start that it was added with; null if there are more than `most`. The
 * longest word has the fewest bookings.
 */
export async function findCandidates(
  db: Db,
  tenant: Tenant,
  words: readonly string[],
  most: number = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, Found> | null> {
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a))
  const bucket = bucketOf(longest)
  const isWhole = [...longest].length > 1
  const buckets = { from: bucket, below: isWhole ? `${bucket} ` : `${bucket}\u{10ffff}` }
  const found = new Map<string, Found>()
  for await (const { lines } of readParts(db, tenant, buckets)) {
    foundIn(lines, words, found)
    if (found.size > most) return null
  }
  return found
}
