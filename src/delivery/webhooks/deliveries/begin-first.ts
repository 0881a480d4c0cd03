import type { Env } from '../../../env.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import { callReceiver, type Outcome, storeOutcome } from './attempt-delivery.ts'
import type { FirstAttempts } from './first-attempts.ts'
import type { DeliveryRow, Listener } from './queries.ts'
import { endFailures, insertAttempted } from './statements.ts'

/** What a claim of the first attempt sets. */
export function attempted(now: number) {
  return { attempts: 1, lastAttemptAt: now, nextRetryAt: now } as const
}

/** A first attempt that this process makes. */
export type FirstAttempt = {
  readonly row: DeliveryRow
  /** Null until the receiver has answered. */
  outcome: Outcome | null
  /** Whether the row that is inserted has the outcome. */
  isStored: boolean
  readonly isAnswered: Promise<void>
}

/** Begins it in the background. `hasRow` resolves when its row is inserted or never will be; null if it has one already. */
export function beginFirst(
  env: Env,
  attempts: FirstAttempts,
  delivery: DeliveryRow,
  listener: Listener,
  hasRow: Promise<void> | null,
): FirstAttempt {
  const row = { ...delivery, ...attempted(realNow()) }
  let answered = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve
  })
  const first: FirstAttempt = { row, outcome: null, isStored: false, isAnswered }
  attempts.begin(env, row.id, async (own) => {
    let outcome: Outcome
    try {
      outcome = await callReceiver(own, row, 1, listener)
      first.outcome = outcome
    } finally {
      attempts.giveBack()
      answered()
    }
    await hasRow
    if (!first.isStored) await storeOutcome(own, row, 1, outcome)
  })
  return first
}

/**
 * Waits a little for the receivers, and inserts the deliveries: those that arrived with their result, the others as claimed by
 * their attempts, which still run or have failed and store that themselves.
 */
export async function resultsOf(
  db: Db,
  begun: readonly FirstAttempt[],
  patienceMs: number,
): Promise<readonly Statement[]> {
  await within(patienceMs, Promise.all(begun.map(({ isAnswered }) => isAnswered)))
  return begun.flatMap((first) => {
    const { row, outcome } = first
    if (outcome?.result.status !== 'success') return [insertAttempted(db, row)]
    first.isStored = true
    return [insertAttempted(db, { ...row, ...outcome.result }), endFailures(db, row.endpointId)]
  })
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOver = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, isOver])
  clearTimeout(timer)
}
