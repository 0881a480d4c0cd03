import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import type { Caller, OperatorCaller, Tenant } from '../../platform/auth/caller.ts'
import { isId } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { scopedTo } from '../../platform/http/idempotency-claim.ts'

type AnyCaller = Exclude<Caller, OperatorCaller>

/** The fields that every command to an event type takes from its call. */
export function commandOf(ctx: Context<Caller>, eventTypeId: string) {
  const { now, isDry } = ctx
  return { origin: originOf(ctx), claim: scopedTo(ctx.claim, eventTypeId), now, isDry, eventTypeId }
}

/**
 * The same for a call that names the event type in its body and needs no key: then `tenant` is null, and every event type
 * is allowed.
 */
export function namedCommandOf(ctx: Context<AnyCaller>, eventTypeId: string) {
  if (!isId(eventTypeId)) throw notFound('event type')
  return { ...commandOf(ctx, eventTypeId), tenant: tenantOf(ctx.caller) }
}

/** Whether a call with `notify: false` emails nobody; only callers with a key may do that. */
export function quietOf({ caller }: Context<Caller>, { notify }: { readonly notify?: boolean | undefined }) {
  if (notify === false && caller.kind === 'public') throw refuse('quiet_needs_key')
  return { isQuiet: notify === false }
}

/** The rules that a call sets aside; only callers with a key may do that. */
export function overrideOf(
  { caller }: Context<Caller>,
  { override = [] }: { readonly override?: readonly RuleToSetAside[] | undefined },
): { readonly setAside: readonly RuleToSetAside[] } {
  if (override.length > 0 && caller.kind === 'public') throw refuse('override_needs_key')
  return { setAside: [...new Set(override)] }
}

/** The tenant whose data the call may use; null for an anonymous caller. */
export function tenantOf(caller: AnyCaller): Tenant | null {
  if (caller.kind === 'public') return null
  return { organizationId: caller.organizationId, isTest: caller.isTest }
}
