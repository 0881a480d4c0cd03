import { type Answer, ConnectionLost, type Request, send } from './http.ts'

export type Measured = {
  readonly requests: number
  readonly totalMs: number
  /** Of each request, ascending. */
  readonly latenciesMs: readonly number[]
  readonly statuses: ReadonlyMap<number, number>
}

type Clients = {
  readonly concurrency: number
  /** The load ends when either is reached. */
  readonly seconds: number
  readonly most: number
}

/**
 * Each client sends its next request when its last one is answered. One whose connection is lost does not count: it may have
 * been done, so another one takes its place.
 */
export async function measure(
  next: () => Request,
  { concurrency, seconds, most }: Clients,
): Promise<Measured> {
  const latenciesMs: number[] = []
  const statuses = new Map<number, number>()
  const began = performance.now()
  let sent = 0
  const client = async () => {
    while (sent < most && performance.now() - began < seconds * 1_000) {
      sent += 1
      const message = next()
      const sentAt = performance.now()
      const answer = await send(message).catch(nothingWhenLost)
      if (!answer) {
        sent -= 1
        continue
      }
      const { status } = answer
      latenciesMs.push(performance.now() - sentAt)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, client))
  const totalMs = performance.now() - began
  return { requests: sent, totalMs, latenciesMs: latenciesMs.sort((a, b) => a - b), statuses }
}

function nothingWhenLost(error: unknown): Answer | null {
  if (error instanceof ConnectionLost) return null
  throw error
}

/** The latency that `share` of the requests did not exceed. */
export function percentile({ latenciesMs }: Measured, share: number): number {
  return latenciesMs[Math.max(0, Math.ceil(latenciesMs.length * share) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
