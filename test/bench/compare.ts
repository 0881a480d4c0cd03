import type { Request } from './http.ts'
import { type Measured, measure, median, percentile } from './load.ts'

const CONCURRENCY = 8

export type Runner = {
  readonly name: string
  readonly next: () => Request
  /** Before each round, and not timed. */
  readonly prepare?: () => Promise<void>
  /** After each round, and not timed. */
  readonly settle?: () => Promise<void>
  readonly seconds: number
  /** The most requests of a round. */
  readonly most?: number
  /** How many clients there are, if not eight. */
  readonly concurrency?: number
  /** The CPU time so far of what is measured, in milliseconds. */
  readonly cpu?: () => number
}

export type Compared = {
  readonly name: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Its rate divided by that of each other runner, round by round: the quartiles. */
  readonly ratios: Readonly<Record<string, readonly [number, number, number]>>
  readonly failures: string
  /** The CPU time of a request. */
  readonly cpuMs: number
}

/**
 * Lets all take turns in short rounds, so that whatever else the machine does meets all of them, and compares them
 * round by round. The first round only warms up.
 */
export async function compare(runners: readonly Runner[], rounds: number): Promise<Compared[]> {
  const measured: Measured[][] = []
  const cpuMs = runners.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    const row: Measured[] = []
    for (const [at, { next, prepare, settle, cpu, ...load }] of runners.entries()) {
      await prepare?.()
      const before = cpu?.() ?? Number.NaN
      const own = await measure(next, { concurrency: CONCURRENCY, most: Number.POSITIVE_INFINITY, ...load })
      await settle?.()
      row.push(own)
      if (round > 0) cpuMs[at]!.push(((cpu?.() ?? Number.NaN) - before) / own.requests)
    }
    if (round > 0) measured.push(row)
  }
  return runners.map(({ name }, at) => {
    const own = measured.map((row) => row[at]!)
    return {
      name,
      perSecond: median(own.map(rateOf)),
      p50: median(own.map((each) => percentile(each, 0.5))),
      p99: median(own.map((each) => percentile(each, 0.99))),
      ratios: Object.fromEntries(
        runners.map((other, otherAt) => [
          other.name,
          quartiles(measured.map((row) => rateOf(row[at]!) / rateOf(row[otherAt]!))),
        ]),
      ),
      failures: failuresOf(own),
      cpuMs: median(cpuMs[at]!),
    }
  })
}

function rateOf({ requests, totalMs }: Measured): number {
  return (requests / totalMs) * 1_000
}

function quartiles(values: readonly number[]): readonly [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return [at(0.25), at(0.5), at(0.75)]
}

/** Such as `3 × 409`; nothing where all went well. */
function failuresOf(rounds: readonly Measured[]): string {
  const counts = new Map<number, number>()
  for (const { statuses } of rounds) {
    for (const [status, count] of statuses) {
      if (status >= 300) counts.set(status, (counts.get(status) ?? 0) + count)
    }
  }
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}
