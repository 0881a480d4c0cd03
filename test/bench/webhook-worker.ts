import type { Env } from '../../src/env.ts'
import worker from '../../src/index.ts'
import { answerBench, countedEnv } from './counted-worker.ts'

export {
  AccountObject,
  EventTypeObject,
  ImportObject,
  RateLimiter,
} from '../../src/index.ts'

/** What an attempt adds to its time while it runs; whatever else waits is only waiting. */
const CLAIM_MS = 30_000

/** The production Worker, whose deliveries count their D1 round trips and need not wait for their third attempt. */
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    if (pathname === '/bench/state') return Response.json(await stateOf(env))
    if (pathname !== '/bench/hurry') return (await answerBench(request, env)) ?? worker.fetch(request, env)
    const now = Date.now()
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET next_retry_at = ?1 - 60000
       WHERE status = 'pending' AND attempts >= 2 AND next_retry_at - last_attempt_at <> ?2`,
    )
      .bind(now, CLAIM_MS)
      .run()
    await worker.scheduled({ scheduledTime: now } as ScheduledController, env)
    return Response.json(null)
  },
  queue: (batch, env, ctx) =>
    worker.queue(batch, batch.queue === 'holdfast-webhooks' ? countedEnv(env) : env, ctx),
} satisfies ExportedHandler<Env, never>

function stateOf(env: Env) {
  return env.DB.prepare(
    `SELECT count(*) AS deliveries, sum(attempts) AS attempts, max(attempts) AS most,
       count(*) FILTER (WHERE status = 'success') AS delivered,
       count(*) FILTER (WHERE status = 'failed') AS failed,
       count(*) FILTER (WHERE status = 'pending' AND attempts < 2) AS early FROM webhook_deliveries`,
  ).first()
}
