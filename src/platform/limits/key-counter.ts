import type { Env } from '../../env.ts'
import type { CallNote, CallQuery } from './call-note.ts'
import type { PresentMs, RealMs } from './clock.ts'
import type { KeyRecord } from './key-record.ts'
import type { RateDecision } from './window.ts'

export type Admission = {
  readonly key: KeyRecord
  readonly rate: RateDecision
  /** The present for the key's mode: a sandbox may have a clock of its own. */
  readonly now: PresentMs
}

/** What the object of an API key answers to; `src/worker/objects` has the class. */
export type KeyCounter = {
  /**
   * `shard` is where the key's record is: the first where nothing is said. `answered` are earlier calls of the key, which
   * are kept on this occasion.
   */
  admit(
    hash: string,
    realNow: RealMs,
    counted: boolean,
    shard?: number,
    answered?: readonly CallNote[],
  ): Promise<Admission | null>
  /** Keeps calls that were answered, of what is or was a key. */
  keep(hash: string, shard: number, answered: readonly CallNote[]): Promise<void>
  listCalls(query: CallQuery): Promise<CallNote[]>
  findCall(requestId: string): Promise<CallNote | null>
  callsBetween(from: number, to: number): Promise<number>
  forget(): Promise<void>
  /** Its key is about to be deleted: nothing of it is kept. */
  erase(): Promise<void>
}

/** The object that counts the calls of the key with this hash. */
export function keyCounterOf(env: Env, hash: string): KeyCounter {
  return env.RATE_LIMITS.getByName(hash) as unknown as KeyCounter
}
