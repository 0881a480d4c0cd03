import type { Tier } from '../limits/plans.ts'
import type { RateDecision } from '../limits/window.ts'
import { type Answer, refusalAnswer } from './answer.ts'
import { because, type Refusal } from './errors.ts'

type KeyRate = RateDecision & { readonly tier: Tier }

export function rateHeaders(rate: KeyRate, headers: Headers): void {
  headers.set('X-RateLimit-Limit', String(rate.limit))
  headers.set('X-RateLimit-Remaining', String(rate.remaining))
  headers.set('X-RateLimit-Reset', String(rate.resetAt / 1000))
}

export function secondsUntil(instant: number, now: number): number {
  return Math.max(1, Math.ceil((instant - now) / 1000))
}

export function keyBrake(rate: KeyRate, now: number, headers: Headers): Answer {
  const { window, limit, resetAt } = rate.refusedBy!
  const retryAfter = secondsUntil(resetAt, now)
  headers.set('Retry-After', String(retryAfter))
  const told = {
    limit,
    window,
    reset_at: new Date(resetAt).toISOString(),
    retry_after: retryAfter,
    tier: rate.tier,
  }
  return refusalAnswer(because('calls_per_key', { most: limit, window }, told), told)
}

/** A refusal as an answer. If it says when to try again, the headers say so too, where clients look for it. */
export function brakeAnswer(refusal: Refusal, headers: Headers): Answer {
  const retryAfter = refusal.code === 'rate_limit_exceeded' ? refusal.details?.retry_after : undefined
  if (typeof retryAfter !== 'number') return refusalAnswer(refusal)
  headers.set('Retry-After', String(retryAfter))
  return refusalAnswer(refusal, { retry_after: retryAfter })
}
