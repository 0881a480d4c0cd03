import { DurableObject } from 'cloudflare:workers'
import { presentOf } from '../auth/clock.ts'
import { openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { findKeyRecord, type KeyRecord, touchKey } from './key-record.ts'
import { PLANS } from './plans.ts'
import { type Counters, MINUTE_MS, type RateDecision, takeCall } from './window.ts'

export type Admission = {
  readonly key: KeyRecord
  readonly rate: RateDecision
  /** The present as the key's side of its organization sees it. */
  readonly now: number
}

/** A record that was changed behind the service's back is noticed after this long. */
const RECORD_TTL_MS = 60_000

/**
 * One object per API key, found by the key's hash. It counts the key's calls exactly, and it remembers the
 * key's record so that an authenticated request needs no database round trip of its own. Whoever changes the
 * record (revokes the key, changes the plan) calls `forget` before saying so to anybody.
 */
export class RateLimiter extends DurableObject<Env> {
  #record: { readonly key: KeyRecord; readonly loadedAt: number } | null = null
  #generation = 0
  #counters: Counters | null = null
  #touchedAt = 0

  /** The key's record and this call's place in its windows; null when no such key may act now. */
  async admit(hash: string, realNow: number, counted: boolean): Promise<Admission | null> {
    const key = await this.#load(hash)
    if (!key || key.revokedAt !== null) return null
    const now = presentOf(key.isTest, key.sandboxNow, realNow)
    if (key.expiresAt !== null && key.expiresAt <= now) return null

    this.#counters ??= this.ctx.storage.kv.get<Counters>('counters') ?? null
    const { counters, decision } = takeCall(this.#counters, PLANS[key.tier], now, counted)
    this.#counters = counters
    if (counted && !decision.refusedBy) this.ctx.storage.kv.put('counters', counters)
    this.#touch(key, realNow)
    return { key, rate: decision, now }
  }

  forget(): void {
    this.#record = null
    this.#generation += 1
  }

  async #load(hash: string): Promise<KeyRecord | null> {
    if (this.#record && Date.now() - this.#record.loadedAt < RECORD_TTL_MS) return this.#record.key
    const generation = this.#generation
    const key = await findKeyRecord(openDb(this.env, 'decide'), hash)
    // What was read before a change was announced may be what was before the change.
    if (generation !== this.#generation) return this.#load(hash)
    this.#record = key && { key, loadedAt: Date.now() }
    return key
  }

  #touch(key: KeyRecord, now: number): void {
    if (now - Math.max(key.lastUsedAt ?? 0, this.#touchedAt) < MINUTE_MS) return
    this.#touchedAt = now
    this.ctx.waitUntil(touchKey(openDb(this.env, 'decide'), key.id, now))
  }
}

export function rateLimiterOf(env: Env, hash: string): DurableObjectStub<RateLimiter> {
  return env.RATE_LIMITS.getByName(hash)
}
