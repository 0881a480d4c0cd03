import type { Origin, Tenant } from '../../auth/caller.ts'
import { markOf } from '../../auth/secret.ts'
import type { Env } from '../../env.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { networkOf } from '../../limits/network.ts'
import { windowStart } from '../../limits/window.ts'
import { HOUR_MS } from '../../scheduling/time-units.ts'
import { mailboxOf } from '../mail/mailbox.ts'

/** A caller without a key, as limits count them: by marks that do not reveal who or where they are. */
export type Stranger = {
  readonly networkMark: string
  readonly addressMark: string
  /** The end of the hour in which they call, by the real clock. */
  readonly hourEndsAt: number
}

type Call = {
  /** Null for the public. */
  readonly tenant: Tenant | null
  readonly origin: Origin
  readonly input: { readonly invitee_email: string }
  readonly now: AskedMs
}

/** Null for a call with a key, which none of these limits is about. */
export async function callingStranger(
  env: Env,
  { tenant, origin, input, now }: Call,
): Promise<Stranger | null> {
  if (tenant !== null) return null
  return strangerOf(env, { ipAddress: origin.ipAddress, email: input.invitee_email, now })
}

type Trace = { readonly ipAddress: string | null; readonly email: string; readonly now: AskedMs }

/** `now` is of the real clock. */
export async function strangerOf(env: Env, { ipAddress, email, now }: Trace): Promise<Stranger> {
  const [networkMark, addressMark] = await Promise.all([
    markOf(env.ENCRYPTION_KEY, `network/${networkOf(ipAddress)}`),
    markOf(env.ENCRYPTION_KEY, `address/${mailboxOf(email)}`),
  ])
  return { networkMark, addressMark, hourEndsAt: windowStart(now, HOUR_MS) + HOUR_MS }
}
