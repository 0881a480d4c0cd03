import type { Caller } from './caller.ts'
import type { World } from './kinds.ts'
import type { Ledger } from './ledger.ts'
import type { startCounter } from './receiver.ts'

type Counter = Pick<Awaited<ReturnType<typeof startCounter>>, 'heardAt'>

/** Each event is in the feed once, in its order, and was taken by the receiver at least once, and nothing else was. */
export async function auditSent(
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
