import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { Refused } from '../../platform/http/errors.ts'
import { findStored } from '../../platform/http/idempotency.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { removeMember } from './remove-member.ts'
import type { RemovedMember } from './schema.ts'

/** Removes a member and answers; the same `Idempotency-Key` gets that answer again, though the member is gone. */
export async function removeOnce(
  ctx: Context<TenantCaller>,
  id: string,
  handsOver: boolean,
): Promise<RemovedMember | WholeAnswer> {
  const stored = ctx.claim && (await findStored(ctx.env, ctx.claim))
  if (stored && 'refusal' in stored) throw new Refused(stored.refusal)
  if (stored) {
    const { status, body } = stored.replay
    return new WholeAnswer({ status, body: status === 204 ? undefined : body }, true)
  }
  const removed = await removeMember(ctx, id, { handsOver })
  return handsOver ? removed : new WholeAnswer({ status: 204, body: undefined }, false)
}
