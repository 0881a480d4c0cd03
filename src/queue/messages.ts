import type { Env } from '../env.ts'

/** What travels through the queue: ids only; whoever reads one asks the database what is true now. */
export type Message =
  | { readonly type: 'event'; readonly eventId: string }
  | { readonly type: 'letter'; readonly letterId: string }

const MAX_BATCH = 100

/** Tells the queue what was committed. It never fails: the sweep finds what the queue was not told. */
export async function tellQueue(env: Env, ...messages: readonly Message[]): Promise<void> {
  try {
    for (let at = 0; at < messages.length; at += MAX_BATCH) {
      await env.EVENTS.sendBatch(messages.slice(at, at + MAX_BATCH).map((body) => ({ body })))
    }
  } catch (error) {
    console.error(
      JSON.stringify({ queue: 'EVENTS', cause: error instanceof Error ? error.message : 'unknown' }),
    )
  }
}
