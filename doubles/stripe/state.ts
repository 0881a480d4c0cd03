import type { Frame, Json } from '../world.ts'
import { makeId } from './make-ids.ts'
import type { Refusal } from './refuse.ts'

/** What a test sets with `PUT /control`. */
export type Settings = {
  /** How long an answer waits after its work is done, in milliseconds; the same key gets 409 until then. */
  takesMs: number
  /** What becomes of a refund at once; `waiting`: for the account's balance. */
  refunds: 'succeeded' | 'pending' | 'waiting' | 'failed'
  /** Events are kept back until `POST /control/events/deliver`. */
  holdEvents: boolean
  /** New platforms make accounts by v2 and have to switch v1 on; older ones the other way round. */
  accountsV2: 'on' | 'off'
  /** `inactive`: not used for long, until somebody confirms it in the dashboard. */
  accountsV1: 'on' | 'off' | 'inactive'
}

/** An endpoint for events, set with `PUT /control/endpoints`. */
export type Endpoint = {
  readonly url: string
  /** Of the accounts that are connected; otherwise of the platform itself. */
  readonly connect: boolean
  /** Several while one is rolled. */
  readonly secrets: readonly string[]
  readonly api_version: string
  /** The payload style: thin events have no version and only refer to their object. */
  readonly event_payload: 'snapshot' | 'thin'
  /** `*` for all. */
  readonly enabled_events: readonly string[]
}

export type KeptAnswer = {
  readonly request: string
  readonly path: string
  readonly parameters: string
  readonly at: number
  answer: { readonly json: unknown; readonly status: number } | Refusal | null
}

export type Stripe = {
  readonly frame: Frame
  readonly settings: Settings
  readonly platform: string
  /** By the account they belong to, then by id, as old as they are. */
  readonly objects: Map<string, Map<string, Json>>
  readonly deauthorized: Set<string>
  readonly keys: Map<string, KeptAnswer>
  endpoints: Endpoint[]
  readonly undelivered: Json[]
  /** What is known of an object and never returned, by its id. */
  readonly secrets: Map<string, Json>
}

/** The account and the request of a call. */
export type Caller = {
  readonly stripe: Stripe
  readonly account: string
  /** In seconds. */
  readonly now: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
}

export const API_VERSION = '2026-10-28.endive'

export function holdStripe(frame: Frame): Stripe {
  const platform = makeId('acct')
  return {
    frame,
    platform,
    settings: {
      takesMs: 0,
      refunds: 'succeeded',
      holdEvents: false,
      accountsV2: 'on',
      accountsV1: 'on',
    },
    objects: new Map([[platform, new Map()]]),
    deauthorized: new Set(),
    keys: new Map(),
    endpoints: [],
    undelivered: [],
    secrets: new Map(),
  }
}

export function objectsOf(stripe: Stripe, account: string): Map<string, Json> {
  const known = stripe.objects.get(account) ?? new Map<string, Json>()
  stripe.objects.set(account, known)
  return known
}

export function keep<T extends Json>(stripe: Stripe, account: string, object: T): T {
  objectsOf(stripe, account).set(object.id, object)
  return object
}

/** Wherever it is. */
export function seek(stripe: Stripe, id: string): { object: Json; account: string } | null {
  for (const [account, objects] of stripe.objects) {
    const object = objects.get(id)
    if (object) return { object, account }
  }
  return null
}

/** One of the provider's own doings: a caller without a request. */
export function byProvider(stripe: Stripe, account: string): Caller {
  const now = Math.floor(stripe.frame.now() / 1000)
  return { stripe, account, now, request: { id: null, idempotency_key: null } }
}
