import { createClient } from './client.ts'
import { HoldfastError, paginate } from './paginate.ts'
import { pauseFor } from './retry.ts'
import type { Event } from './types.ts'
import { signWebhook } from './webhooks.ts'

export type ListenOptions = {
  /** Where deliveries go, such as `http://localhost:4000/hooks`. */
  url: string
  baseUrl: string
  key: string
  secret: string
  /** The sequence after which to begin; null is what happens from now on. */
  after: number | null
  /** Called once an event was taken: whoever begins after it the next time misses nothing. */
  remember: (sequence: number) => void
  say: (line: string) => void
  signal: AbortSignal
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const PAUSE_MS = 1_000
/** Each question counts in what the key may call a day. */
const LONGEST_PAUSE_MS = 15_000

/**
 * Reads the feed of events and posts each one, signed, until `signal` ends it. An event that the receiver does not take
 * is posted again before the next one; a feed that does not answer is asked again, and the less often the longer nothing
 * happens.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { baseUrl, key, signal, say, wait = pauseFor } = options
  const client = createClient({ baseUrl, key, retries: 0 })
  let after = options.after
  let pauseMs = PAUSE_MS
  // Whoever is ended before the first event is taken goes on from here too.
  if (after !== null) options.remember(after)
  while (!signal.aborted) {
    try {
      after ??= await findEnd()
      for await (const event of feedAfter(after)) {
        pauseMs = PAUSE_MS
        await deliver(options, event)
        if (signal.aborted) return
        after = event.sequence
        options.remember(after)
      }
    } catch (error) {
      if (signal.aborted) return
      const response = error instanceof HoldfastError ? error.response : null
      if (response && response.status < 429) throw error
      pauseMs = Math.max(pauseMs, (Number(response?.headers.get('Retry-After')) || 0) * 1_000)
      const again = `trying again in ${Math.ceil(pauseMs / 1_000)} s`
      say(`Could not read the feed (${(error as Error).message}); ${again}.`)
    }
    await wait(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
  }

  function feedAfter(sequence: number) {
    return paginate(client, '/v1/events', { params: { query: { after: sequence, limit: 100 } }, signal })
  }
  async function findEnd(): Promise<number> {
    let end = 0
    for await (const { sequence } of feedAfter(0)) end = sequence
    options.remember(end)
    return end
  }
}

async function deliver({ url, secret, say, signal, wait = pauseFor }: ListenOptions, event: Event) {
  const body = JSON.stringify(event)
  while (!signal.aborted) {
    const timestampSeconds = Math.floor(Date.now() / 1000)
    const signed = await signWebhook(body, { id: event.id, timestampSeconds, secret })
    const headers = { 'Content-Type': 'application/json', ...signed }
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => null)
    await response?.body?.cancel()
    say(`${event.sequence} ${event.event} → ${response?.status ?? 'no answer'}`)
    if (response?.ok) return
    await wait(PAUSE_MS, signal)
  }
}
