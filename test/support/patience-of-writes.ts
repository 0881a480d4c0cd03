import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { soon } from './connected.ts'

const MINUTE_MS = 60_000

/** Once an event was found nowhere, and nothing was done for it in ten minutes: those are over, and the sweep looks again. */
export async function afterPatience(holderId: string): Promise<void> {
  await soon(async () => {
    const row = await env.DB.prepare(
      `SELECT b.status, w.claimed_until, w.next_attempt_at, w.cancel_at - unixepoch('subsec') * 1000 AS left
       FROM calendar_writes w JOIN bookings b ON ?1 IN (b.id, b.session_id) WHERE w.holder_id = ?1`,
    )
      .bind(holderId)
      .first<any>()
    expect(['confirmed', 'rescheduled']).toContain(row.status)
    expect(row.claimed_until).toBeNull()
    expect(row.left).toBeGreaterThan(9 * MINUTE_MS)
    expect(row.left).toBeLessThanOrEqual(10 * MINUTE_MS)
  })
  await env.DB.prepare(
    `UPDATE calendar_writes SET cancel_at = cancel_at - ?2, next_attempt_at = next_attempt_at - ?2 WHERE holder_id = ?1`,
  )
    .bind(holderId, 10 * MINUTE_MS)
    .run()
  await sweep(env, Date.now())
}
