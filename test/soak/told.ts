import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Json } from './caller.ts'
import type { World } from './kinds.ts'
import type { Ledger } from './ledger.ts'
import type { startCounter } from './receiver.ts'

const MINUTE_MS = 60_000
const LOOK_MS = 1_000
/** The queue has nothing left to do where nothing changes for so many looks. */
const STILL_LOOKS = 8
/** What failed is tried again after minutes; the cron's time goes on where nothing else does. */
const STEP_MINUTES = 2
const MOST_STEPS = 60

/**
 * Lets the cron run until everything that was committed is told, as operators see it. Each run tells the queue of all that is
 * overdue once more, so that the next one waits for what that has begun.
 */
export async function untilTold(caller: Caller, ledger: Ledger): Promise<void> {
  const look = async (): Promise<Json> => {
    const { backlog } = await caller.must({ method: 'GET', path: '/v1/operator/health', isOperator: true })
    return { ...backlog, all: Object.values<number>(backlog).reduce((sum, left) => sum + left, 0) }
  }
  let backlog = await look()
  for (let steps = 1; steps <= MOST_STEPS && backlog.all > 0; ) {
    const before = backlog.all
    const time = Date.now() + steps * STEP_MINUTES * MINUTE_MS
    await (await fetch(new URL(`/cdn-cgi/local/scheduled?time=${time}`, caller.url))).text()
    for (let still = 0; still < STILL_LOOKS && backlog.all > 0; ) {
      await sleep(LOOK_MS)
      const now = await look()
      still = now.all === backlog.all ? still + 1 : 0
      backlog = now
    }
    if (backlog.all >= before) steps += 1
  }
  if (backlog.all > 0) ledger.find('never told', backlog)
}

type Counter = Pick<Awaited<ReturnType<typeof startCounter>>, 'heardAt'>

/** Each event is in the feed once, in its order, and came to the receiver at least once, and nothing else did. */
export async function auditTold(
  caller: Pick<Caller, 'must'>,
  { organizations }: World,
  ledger: Ledger,
  receiver: Counter,
) {
  let [told, deliveries] = [0, 0]
  for (const { id, hook } of organizations) {
    const heard = receiver.heardAt(hook)
    const seen = new Set<string>()
    let last = 0
    for (;;) {
      const path = `/v1/events?limit=100&after=${last}`
      const { data, has_more } = await caller.must({ method: 'GET', path, as: id })
      for (const event of data) {
        if (event.sequence !== last + 1) ledger.find('a gap in the feed', id, last, event.sequence)
        if (seen.has(event.id)) ledger.find('twice in the feed', event)
        if (!heard.has(event.id)) ledger.find('never delivered', event)
        seen.add(event.id)
        last = event.sequence
      }
      if (!has_more) break
    }
    for (const [event, times] of heard) {
      if (!seen.has(event)) ledger.find('delivered, and not in the feed', id, event)
      deliveries += times
    }
    told += seen.size
  }
  return { told, deliveries }
}
