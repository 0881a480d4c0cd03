import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Json } from './caller.ts'
import type { World } from './kinds.ts'
import type { Ledger } from './ledger.ts'
import type { startCounter } from './receiver.ts'

const MINUTE_MS = 60_000
const PAUSE_MS = 2_000
/** What failed once is tried again after minutes of the cron's time. */
const MOST_ROUNDS = 150
const STEP_MINUTES = 2

/** Lets the cron run until everything that was committed is told, as operators see it. */
export async function untilTold(caller: Caller, ledger: Ledger): Promise<void> {
  let backlog: Json = {}
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const time = Date.now() + round * STEP_MINUTES * MINUTE_MS
    await (await fetch(new URL(`/cdn-cgi/local/scheduled?time=${time}`, caller.url))).text()
    const asked = { method: 'GET', path: '/v1/operator/health', isOperator: true }
    backlog = (await caller.must(asked)).backlog
    if (Object.values(backlog).every((left) => left === 0)) return
    await sleep(PAUSE_MS)
  }
  ledger.find('never told', backlog)
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
