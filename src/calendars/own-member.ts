import { type TenantCaller, userIdOf } from '../platform/auth/caller.ts'
import { isPermitted } from '../platform/auth/policy.ts'
import { selectMember } from '../platform/auth/select-member.ts'
import type { Db } from '../platform/db/client.ts'
import { refuse } from '../platform/http/errors.ts'

/** Members connect accounts of their own; others', and what closes everybody's times, are for admins. */
const ofOthers = () => refuse('calendars_of_others')

/** The member that a call is about: below admin the caller; else whom it names, null for the owner. */
export async function memberMeant(
  db: Db,
  caller: TenantCaller,
  named: string | null,
): Promise<string | null> {
  if (isPermitted(caller, 'administer')) return named
  const own = await ownMemberOf(db, caller)
  if (own === null || (named !== null && named !== own)) throw ofOthers()
  return own
}

/** Null is nobody's own. */
export async function assertMayChange(db: Db, caller: TenantCaller, memberId: string | null): Promise<void> {
  if (isPermitted(caller, 'administer')) return
  if (memberId === null || (await ownMemberOf(db, caller)) !== memberId) throw ofOthers()
}

export function assertAdmin(caller: TenantCaller): void {
  if (!isPermitted(caller, 'administer')) throw ofOthers()
}

async function ownMemberOf(db: Db, caller: TenantCaller): Promise<string | null> {
  if (caller.kind === 'service' && caller.onBehalfOf) return caller.onBehalfOf.memberId
  const userId = userIdOf(caller)
  if (userId === null) return null
  const [member] = await selectMember(db, caller.organizationId, userId)
  return member?.memberId ?? null
}
