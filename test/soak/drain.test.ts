import { expect, it } from 'vitest'
import { untilTold } from './drain.ts'
import { Ledger } from './ledger.ts'

const HOUR_MS = 3_600_000

/** Deliveries that are due at these instants; `take` says what becomes of those that are due when the cron runs. */
function driven(dueAt: number[], take: (due: number[]) => number[]) {
  let left = dueAt
  const split = () => {
    const now = Date.now()
    return [left.filter((at) => at <= now), left.filter((at) => at > now)] as const
  }
  return {
    lookMs: 0,
    look: async (query: string) => {
      const [due, waiting] = split()
      const [next = null] = waiting
      return query.includes('UNION') ? [{ due: due.length, waiting: waiting.length, next }] : []
    },
    sweep: async () => {
      const [due, waiting] = split()
      left = [...take(due), ...waiting]
    },
    pause: async (work: (ask: () => Promise<never[]>) => Promise<void>) => {
      await work(async () => [])
      left = left.map(() => Date.now())
    },
  }
}

it('waits for no attempt that lies in the future, and says of how many', async () => {
  const ledger = new Ledger()
  const now = Date.now()
  const moved = await untilTold(
    driven([now, now + HOUR_MS, now + HOUR_MS], () => []),
    ledger,
  )
  expect([moved, ledger.findings]).toEqual([2, []])
})

it('finds what is lost, and does not move it on', async () => {
  const ledger = new Ledger()
  const now = Date.now()
  const moved = await untilTold(
    driven([now, now + HOUR_MS], (due) => due),
    ledger,
  )
  expect(moved).toBe(0)
  expect(ledger.findings).toHaveLength(1)
  expect(ledger.findings[0]).toMatch(/^never told/)
})

it('finds what is attempted again and again and never arrives', async () => {
  const ledger = new Ledger()
  await untilTold(
    driven([Date.now()], (due) => due.map((at) => at + HOUR_MS)),
    ledger,
  )
  expect(ledger.findings[0]).toMatch(/^never told/)
})
