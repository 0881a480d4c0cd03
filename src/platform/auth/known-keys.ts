import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../db/client.ts'
import { inShard } from '../db/shards.ts'
import { isKeyStored } from '../limits/key-record.ts'

/** What has the shape of an API key: its hash, and where its record is. */
export type CalledKey = { readonly hash: string; readonly shard: number }

/** How long the answer holds that there is such a key, or that there is none. */
type Finding = { readonly isKnown: boolean; readonly until: number }

const MAX_FINDINGS = 1_000
const UNKNOWN_TTL_MS = MINUTE_MS

const findings = new Map<string, Finding>()

/**
 * Whether there is a key with this hash. Asked if the network's keys proved nothing too often: a made-up key must not name
 * an object of its own. A key that was found stays found, because its object knows what became of it.
 */
export async function isKnownKey(env: Env, { hash, shard }: CalledKey, now: number): Promise<boolean> {
  const found = findings.get(hash)
  if (found && now < found.until) return found.isKnown
  const isKnown = await isKeyStored(openDb(inShard(env, shard), 'decide'), hash)
  const [oldest] = findings.keys()
  if (oldest !== undefined && findings.size >= MAX_FINDINGS) findings.delete(oldest)
  findings.set(hash, { isKnown, until: isKnown ? Number.POSITIVE_INFINITY : now + UNKNOWN_TTL_MS })
  return isKnown
}
