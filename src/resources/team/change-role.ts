import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound, Refused } from '../../http/errors.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { organizationWide, recordActivity } from '../activity/statements.ts'
import { forgetKeysOfMembers } from '../api-keys/forget-keys.ts'
import { presentMember } from './present.ts'
import { findMemberInOrg, updateMemberAsRead } from './queries.ts'
import type { Member, UpdateMemberInput } from './schema.ts'

export function changeRole(
  ctx: Context<TenantCaller>,
  id: string,
  { role }: UpdateMemberInput,
): Promise<Member> {
  return retryWhenStale(async () => {
    const db = openDb(ctx.env, 'decide')
    const read = await findMemberInOrg(db, ctx.caller.organizationId, id)

    if (!read) throw notFound('member')
    if (read.role === 'owner') {
      throw new Refused({
        code: 'forbidden',
        message: "The owner's role can only change through transfer-ownership.",
      })
    }
    if (read.role === role) return presentMember(read)

    // Both modes share the members, so their rows know no sandbox clock.
    const changes = { role, updatedAt: Date.now() }
    await commitBatch(db, [
      ...updateMemberAsRead(db, read, changes),
      recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
        action: 'member.updated',
        resourceType: 'member',
        resourceId: id,
        changes: { role: [read.role, role] },
      }),
    ])
    await forgetKeysOfMembers(ctx.env, db, [id])
    return presentMember({ ...read, ...changes })
  })
}
