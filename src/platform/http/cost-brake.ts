import { waitUntil } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { type CallKind, CostCount, endCall, type Spent } from '../limits/cost-count.ts'
import { networkOf } from '../limits/network.ts'
import { rowsReadFor, type Tally } from '../log/tally.ts'
import { refuse } from './errors.ts'
import { secondsUntil } from './rate-answers.ts'

/** How long a call waits while as many run as may run at a time. */
const PATIENCE_MS = 2_000
/** Another request's promise cannot be awaited, so it looks again after this long. */
const LOOK_MS = 20

const costs = new CostCount()

/** The call that each request runs, and how many rows it had read before. */
const running = new WeakMap<Tally, { readonly spent: Spent; readonly before: number }>()

/**
 * Begins a call without a key. Throws if the calls of its network have read too many rows in this minute. It asks nobody: the
 * isolate knows its own count, and was notified if all isolates together are over the limit.
 */
export async function beginCost(env: Env, ipAddress: string | null, kind: CallKind): Promise<void> {
  endCost(env)
  const { tally } = env
  if (!tally) return
  const network = networkOf(ipAddress)
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const now = Date.now()
    const begun = costs.begin(network, kind, now)
    if (!('waitMs' in begun)) {
      running.set(tally, { spent: begun, before: rowsReadFor(tally) })
      return
    }
    if (begun.waitMs > 0 || now >= until) {
      const retryAfter = secondsUntil(now + begun.waitMs, now)
      throw refuse('cost_per_network', { limit: 'cost', retry_after: retryAfter })
    }
    await new Promise((go) => setTimeout(go, LOOK_MS))
  }
}

/** Counts what the request has read since it began its call. */
export function endCost(env: Env): void {
  const { tally } = env
  const call = tally && running.get(tally)
  if (!call) return
  running.delete(tally)
  const { spent, before } = call
  const units = endCall(spent, rowsReadFor(tally) - before)
  if (units > 0) waitUntil(report(env, spent, units))
}

async function report({ COST_LIMIT }: Env, spent: Spent, units: number): Promise<void> {
  for (let reported = 0; reported < units && !spent.isOver; reported++) {
    const { success } = await COST_LIMIT.limit({ key: spent.network })
    if (!success) spent.isOver = true
  }
}
