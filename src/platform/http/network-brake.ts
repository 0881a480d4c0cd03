import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { noteBraked } from '../limits/braked-networks.ts'
import { FirstCalls } from '../limits/first-calls.ts'
import { networkOf } from '../limits/network.ts'
import { windowStart } from '../limits/window.ts'
import { type Answer, refusalAnswer } from './answer.ts'
import { because } from './errors.ts'
import { secondsUntil } from './rate-answers.ts'

const REASONS = { PUBLIC_LIMIT: 'calls_per_network', FAILED_LIMIT: 'failures_per_network' } as const

/** With what `PUBLIC_LIMIT` lets through after them (see wrangler.toml), a network has 600 calls a minute. */
const FIRST_CALLS = 10
const MAX_NETWORKS = 10_000
const firstCalls = new FirstCalls(FIRST_CALLS, MAX_NETWORKS)

/**
 * Counts one call of a network. Null while it has calls left in this minute, else the refusal. A proof that failed is
 * never among those that only this isolate counts.
 */
export async function brakeNetwork(
  env: Env,
  brake: keyof typeof REASONS,
  ipAddress: string | null,
  headers: Headers,
): Promise<Answer | null> {
  const now = Date.now()
  const network = networkOf(ipAddress)
  if (brake === 'PUBLIC_LIMIT' && firstCalls.take(network, now)) return null
  const { success } = await env[brake].limit({ key: network })
  if (success) return null
  if (brake === 'FAILED_LIMIT') noteBraked(network, now)
  const retryAfter = secondsUntil(windowStart(now, MINUTE_MS) + MINUTE_MS, now)
  headers.set('Retry-After', String(retryAfter))
  return refusalAnswer(because(REASONS[brake]), { retry_after: retryAfter })
}
