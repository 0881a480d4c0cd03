import { DurableObject } from 'cloudflare:workers'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import { type Env, retentionDays } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { openDb } from '../../platform/db/client.ts'
import { inShard } from '../../platform/db/shards.ts'
import { CallLog } from '../../platform/limits/call-log.ts'
import { CALL_LOG_DAYS, type CallNote, type CallQuery } from '../../platform/limits/call-note.ts'
import { nowAsSeen, type RealMs } from '../../platform/limits/clock.ts'
import { countDay, type DayCalls, sumDays } from '../../platform/limits/daily-calls.ts'
import type { Admission, KeyCounter } from '../../platform/limits/key-counter.ts'
import { findKeyRecord, type KeyRecord, touchKey } from '../../platform/limits/key-record.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { type Counters, takeCall, windowStart } from '../../platform/limits/window.ts'

/** What the object stores: the key's count per window, and the days it was used on. */
type Calls = { readonly counters: Counters | null; readonly days: readonly DayCalls[] }

/** A record that was changed in the database by hand is noticed after this long. */
const RECORD_TTL_MS = MINUTE_MS

/**
 * One object per API key, found by the key's hash. It counts the key's calls exactly, stores the latest ones, and remembers the
 * key's record so that an authenticated request needs no database round trip of its own. Code that changes the record (revokes
 * the key, changes the plan) calls `forget` before it answers.
 */
export class RateLimiter extends DurableObject<Env> implements KeyCounter {
  #record: { readonly key: KeyRecord | null; readonly loadedAt: number } | null = null
  #generation = 0
  #calls: Calls | null = null
  #touchedAt = 0
  #touching: Promise<void> | null = null
  #log = this.#openLog()

  /** The key's record and this call's place in its windows; null when the key is not valid now. */
  async admit(
    hash: string,
    realNow: RealMs,
    counted: boolean,
    shard = 0,
    answered: readonly CallNote[] = [],
  ): Promise<Admission | null> {
    const home = inShard(this.env, shard)
    const key = await this.#load(home, hash)
    if (key) this.#log.keep(answered, realNow)
    if (!key || key.revokedAt !== null) return null
    const now = nowAsSeen(key.isTest, key.sandboxNow, realNow)
    // A sandbox clock may run ahead and expire a key; setting it back does not revive the key.
    if (key.expiresAt !== null && key.expiresAt <= Math.max(now, realNow)) return null

    const { counters: before, days } = this.#kept()
    const { counters, decision } = takeCall(before, PLANS[key.tier], realNow, counted)
    const isTaken = counted && !decision.refusedBy
    this.#calls = { counters, days: isTaken ? countDay(days, realNow) : days }
    if (isTaken) this.ctx.storage.kv.put('calls', this.#calls)
    await this.#touch(home, key, realNow)
    return { key, rate: decision, now }
  }

  /** How many calls were counted on the UTC days that began within `[from, to]`, at most a month back. */
  async callsBetween(from: number, to: number): Promise<number> {
    return sumDays(this.#kept().days, from, to)
  }

  async keep(hash: string, shard: number, answered: readonly CallNote[]): Promise<void> {
    // Invented keys leave nothing behind.
    if (await this.#load(inShard(this.env, shard), hash)) this.#log.keep(answered, Date.now())
  }

  async listCalls(query: CallQuery): Promise<CallNote[]> {
    return this.#log.list(query, Date.now())
  }

  async findCall(requestId: string): Promise<CallNote | null> {
    return this.#log.find(requestId, Date.now())
  }

  override async alarm(): Promise<void> {
    await this.#log.tidy(Date.now())
  }

  async forget(): Promise<void> {
    this.#record = null
    this.#generation += 1
  }

  async erase(): Promise<void> {
    // Until its row is gone, nobody reads it.
    this.#record = { key: null, loadedAt: Date.now() }
    this.#generation += 1
    this.#calls = null
    this.#log = this.#openLog()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  #openLog(): CallLog {
    return new CallLog(this.ctx.storage, Math.min(CALL_LOG_DAYS, retentionDays(this.env)))
  }

  async #load(home: Env, hash: string): Promise<KeyRecord | null> {
    if (this.#record && Date.now() - this.#record.loadedAt < RECORD_TTL_MS) return this.#record.key
    const generation = this.#generation
    const key = await findKeyRecord(openDb(home, 'decide'), hash).catch((error) => {
      // The runtime logs it too, and the parameter of a failed query is the key's hash.
      throw bareError(error)
    })
    // A record that was read before a change was announced may be from before the change.
    if (generation !== this.#generation) return this.#load(home, hash)
    // Remembers unknown keys too, so that repeating one asks the database once.
    this.#record = { key, loadedAt: Date.now() }
    return key
  }

  #kept(): Calls {
    this.#calls ??= this.ctx.storage.kv.get<Calls>('calls') ?? { counters: null, days: [] }
    return this.#calls
  }

  /**
   * Stores when the key was used. The first call of a UTC day waits for it, and so do the calls beside it: a later query for
   * the keys used that day finds this one.
   */
  async #touch(home: Env, key: KeyRecord, now: number): Promise<void> {
    const touchedAt = Math.max(key.lastUsedAt ?? 0, this.#touchedAt)
    const isFirstOfDay = windowStart(touchedAt, DAY_MS) < windowStart(now, DAY_MS)
    if (isFirstOfDay || now - touchedAt >= MINUTE_MS) {
      this.#touchedAt = now
      const touching = touchKey(openDb(home, 'decide'), key.id, now)
        .catch(() => {
          this.#touchedAt = 0
        })
        .finally(() => {
          if (this.#touching === touching) this.#touching = null
        })
      this.ctx.waitUntil(touching)
      if (isFirstOfDay) this.#touching = touching
    }
    await this.#touching
  }
}
