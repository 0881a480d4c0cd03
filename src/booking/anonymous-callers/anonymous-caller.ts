import { HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { mailboxOf } from '../../outbox/mail/mailbox.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import { markOf } from '../../platform/auth/secret.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { networkOf } from '../../platform/limits/network.ts'
import { windowStart } from '../../platform/limits/window.ts'

/** A caller without a key, as limits count them: by marks that do not reveal who or where they are. */
export type AnonymousCaller = {
  readonly networkMark: string
  readonly addressMark: string
  /** The end of the hour of the call, in real time. */
  readonly hourEndsAt: number
}

type Call = {
  /** Null for a call without a key. */
  readonly tenant: Tenant | null
  readonly origin: Origin
  readonly input: { readonly invitee_email: string }
  readonly now: AskedMs
  readonly isDry?: boolean | undefined
}

/**
 * Whether the address must not influence the answer: a dry run without a key leaves no trace, so it could probe any
 * address. It is answered as for a new invitee.
 */
export function isSilent({ tenant, isDry }: Pick<Call, 'tenant' | 'isDry'>): boolean {
  return tenant === null && isDry === true
}

/** Null for a call with a key: these limits do not apply to it. */
export async function anonymousCallerOf(env: Env, call: Call): Promise<AnonymousCaller | null> {
  const { tenant, origin, input, now } = call
  if (tenant !== null) return null
  const email = isSilent(call) ? '' : input.invitee_email
  return markCaller(env, { ipAddress: origin.ipAddress, email, now })
}

/** The same, worked out once, although a verb may be decided again. */
export function anonymousCallerOnce(call: Call): (env: Env) => Promise<AnonymousCaller | null> {
  let known: Promise<AnonymousCaller | null> | undefined
  return (env) => (known ??= anonymousCallerOf(env, call))
}

/** The mark of an address. */
export function mailboxMark({ ENCRYPTION_KEY }: Env, email: string): Promise<string> {
  return markOf(ENCRYPTION_KEY, `address/${mailboxOf(email)}`)
}

type Trace = { readonly ipAddress: string | null; readonly email: string; readonly now: AskedMs }

/** `now` is the real time. */
export async function markCaller(env: Env, { ipAddress, email, now }: Trace): Promise<AnonymousCaller> {
  const [networkMark, addressMark] = await Promise.all([
    markOf(env.ENCRYPTION_KEY, `network/${networkOf(ipAddress)}`),
    mailboxMark(env, email),
  ])
  return { networkMark, addressMark, hourEndsAt: windowStart(now, HOUR_MS) + HOUR_MS }
}
