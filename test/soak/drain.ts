import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask } from '../support/storm/sound.ts'
import type { Json } from './caller.ts'
import type { Ledger } from './ledger.ts'

const MINUTE_MS = 60_000
const LOOK_MS = 500
/** The queue has nothing left to do where nothing changes for so many looks. */
const STILL_LOOKS = 8
/** What was lost is told again after ever longer pauses; the cron's time goes on where nothing else does. */
const minutesAhead = (steps: number) => Math.min(2 ** steps, 120)
const MOST_STEPS = 12
/** So often a delivery is attempted before it is given up. */
const MOST_ATTEMPTS = 8

/** The service of a soak. */
type Driven = {
  /** Asks its database while it runs. */
  readonly look: Ask
  /** Runs the cron as if it was that late. */
  readonly sweep: (time: number) => Promise<void>
  /** Changes the database while the service does not run. */
  readonly pause: (work: (ask: Ask) => Promise<void>) => Promise<void>
  /** Between two looks. */
  readonly lookMs?: number
}

type Left = {
  readonly due: number
  readonly waiting: number
  /** When the first of those is due that wait. */
  readonly next: number
  readonly of: readonly unknown[]
}

const LEFT = `SELECT 'events' AS what, count(*) AS due, 0 AS waiting, NULL AS next FROM events WHERE handled_at IS NULL
  UNION ALL SELECT 'letters', count(*) FILTER (WHERE next_attempt_at <= ?1), count(*) FILTER (WHERE next_attempt_at > ?1),
    min(next_attempt_at) FILTER (WHERE next_attempt_at > ?1) FROM emails WHERE status = 'pending'
  UNION ALL SELECT 'deliveries', count(*) FILTER (WHERE next_retry_at <= ?1), count(*) FILTER (WHERE next_retry_at > ?1),
    min(next_retry_at) FILTER (WHERE next_retry_at > ?1) FROM webhook_deliveries WHERE status = 'pending'
  UNION ALL SELECT 'refunds', count(*) FILTER (WHERE next_attempt_at <= ?1), count(*) FILTER (WHERE next_attempt_at > ?1),
    min(next_attempt_at) FILTER (WHERE next_attempt_at > ?1) FROM refunds WHERE status = 'requested'
  UNION ALL SELECT 'payments', count(*) FILTER (WHERE next_attempt_at <= ?1), count(*) FILTER (WHERE next_attempt_at > ?1),
    min(next_attempt_at) FILTER (WHERE next_attempt_at > ?1) FROM payments
    WHERE status IN ('pending', 'cancelled') AND next_attempt_at IS NOT NULL
  UNION ALL SELECT 'texts', count(*) FILTER (WHERE next_attempt_at <= ?1), count(*) FILTER (WHERE next_attempt_at > ?1),
    min(next_attempt_at) FILTER (WHERE next_attempt_at > ?1) FROM text_messages WHERE kind = 'cancelled' AND status = 'pending'
  UNION ALL SELECT 'calendar events', count(*) FILTER (WHERE due <= ?1), count(*) FILTER (WHERE due > ?1),
    min(due) FILTER (WHERE due > ?1)
    FROM (SELECT max(next_attempt_at, coalesce(claimed_until, 0)) AS due FROM calendar_writes WHERE next_attempt_at IS NOT NULL)`

/** As if everything that waits for its next attempt had waited long enough. */
const WAITED = [
  "UPDATE emails SET next_attempt_at = ?1 WHERE status = 'pending' AND next_attempt_at > ?1",
  "UPDATE webhook_deliveries SET next_retry_at = ?1, tell_again_at = NULL WHERE status = 'pending' AND next_retry_at > ?1",
  "UPDATE refunds SET next_attempt_at = ?1 WHERE status = 'requested' AND next_attempt_at > ?1",
  "UPDATE payments SET next_attempt_at = ?1 WHERE status IN ('pending', 'cancelled') AND next_attempt_at > ?1",
  "UPDATE text_messages SET next_attempt_at = ?1 WHERE kind = 'cancelled' AND status = 'pending' AND next_attempt_at > ?1",
  'UPDATE calendar_writes SET cancel_at = ?1 WHERE cancel_at > ?1',
  'UPDATE calendar_writes SET next_attempt_at = ?1 WHERE next_attempt_at > ?1',
  // A process that was killed has it no more.
  'UPDATE calendar_writes SET claimed_until = NULL WHERE claimed_until > ?1',
]

/**
 * Lets the cron run until everything that was committed is told, and nothing waits for a further attempt. What is due is never
 * touched: what is lost of it stays, and is a finding. Gives for how many attempts time was moved on that lay in the future.
 */
export async function untilTold(driven: Driven, ledger: Ledger): Promise<number> {
  let left = await lookAt(driven)
  let [moved, moves] = [0, 0]
  for (let steps = 1; steps <= MOST_STEPS && left.due + left.waiting > 0; ) {
    const before = left
    if (before.due === 0 && before.next > Date.now() + MINUTE_MS) {
      moved += before.waiting
      moves += 1
      if (moves > MOST_ATTEMPTS) break
      await driven.pause(async (ask) => {
        for (const statement of WAITED) await ask(statement, Date.now())
      })
    }
    await driven.sweep(Date.now() + minutesAhead(steps) * MINUTE_MS)
    left = await untilStill(driven)
    if (before.due > 0 && left.due >= before.due) steps += 1
  }
  if (left.due + left.waiting > 0) ledger.find('never told', ...left.of, ...(await driven.look(SOME)))
  return moved
}

/** Unpaid bookings end half an hour after they were made. */
const UNPAID_MINUTES = 35
const MOST_SWEEPS = 100

/** Lets the cron run as if the deadline of everything unpaid had passed. */
export async function giveUpUnpaid({ look, sweep, lookMs = LOOK_MS }: Driven, ledger: Ledger): Promise<void> {
  let left: Json[] = []
  for (let sweeps = 0; sweeps < MOST_SWEEPS; sweeps++) {
    left = await look(
      "SELECT booking_id, status, expires_at FROM payments WHERE status IN ('pending', 'failed') LIMIT 5",
    )
    if (left.length === 0) return
    await sweep(Date.now() + UNPAID_MINUTES * MINUTE_MS)
    await sleep(lookMs)
  }
  ledger.find('unpaid after the deadline', ...left)
}

const SOME = `SELECT id, attempts, last_attempt_at, response_status_code, next_retry_at, tell_again_at, created_at
  FROM webhook_deliveries WHERE status = 'pending' ORDER BY next_retry_at LIMIT 3`

async function untilStill(driven: Driven): Promise<Left> {
  let left = await lookAt(driven)
  for (let still = 0; still < STILL_LOOKS && left.due + left.waiting > 0; ) {
    await sleep(driven.lookMs ?? LOOK_MS)
    const now = await lookAt(driven)
    still = now.due === left.due && now.waiting === left.waiting ? still + 1 : 0
    left = now
  }
  return left
}

async function lookAt({ look }: Driven): Promise<Left> {
  const of = await look(LEFT, Date.now())
  return {
    due: of.reduce((sum, { due }) => sum + due, 0),
    waiting: of.reduce((sum, { waiting }) => sum + waiting, 0),
    next: Math.min(...of.map(({ next }) => next ?? Number.POSITIVE_INFINITY)),
    of,
  }
}

/** From then on the receiver took everything, so nothing was given up. */
export async function auditDeliveries(ask: Ask, ledger: Ledger): Promise<void> {
  const others = await ask(
    "SELECT status, attempts, count(*) AS deliveries FROM webhook_deliveries WHERE status <> 'success' GROUP BY 1, 2",
  )
  if (others.length > 0) ledger.find('deliveries that did not arrive', ...others)
}
