import { addressOf } from '../../booking/images/address.ts'
import { keepImage, sweepBucket } from '../../booking/images/keep-image.ts'
import { readImage, type SentImage } from '../../booking/images/read-image.ts'
import { deleteImageRow, putImageRow } from '../../booking/images/statements.ts'
import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import type { ImageRow } from '../../platform/db/schema/images.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { runChange } from '../../platform/http/run-change.ts'
import { assertOwnProfile } from './own-profile.ts'
import { presentMember } from './present.ts'
import { findMemberInOrg, updateMemberAsRead } from './queries.ts'
import type { Member } from './schema.ts'

/** Shows the image that was sent as the portrait of a member. */
export async function putAvatar(ctx: Context<TenantCaller>, id: string): Promise<Member> {
  const { env, caller } = ctx
  const { organizationId } = caller
  await findChangeable(openDb(env, 'decide'), caller, id)
  const image = await readImage(env, ctx.request)
  return show(ctx, id, await keepImage(env, { organizationId, use: id }, image, Date.now()), image)
}

/** Shows no portrait any more. */
export async function deleteAvatar(ctx: Context<TenantCaller>, id: string): Promise<void> {
  await show(ctx, id, null, null)
}

async function show(
  ctx: Context<TenantCaller>,
  id: string,
  row: ImageRow | null,
  sent: SentImage | null,
): Promise<Member> {
  const { env, caller } = ctx
  const { organizationId } = caller
  const use = { organizationId, use: id }
  const url = row && addressOf(env, organizationId, row)
  return runChange(ctx, async (db) => {
    const read = await findChangeable(db, caller, id)
    const isSame = read.avatarUrl === url
    // Both modes share the members, so their rows know no sandbox clock.
    const updatedAt = isSame ? read.updatedAt : laterThan(read.updatedAt, Date.now())
    const changes = { avatarUrl: url, updatedAt }
    const activity = recordActivity(db, organizationWide(caller), originOf(ctx), {
      action: 'member.updated',
      resourceType: 'member',
      resourceId: id,
      changes: { avatar_url: url },
    })
    const shown = row ? putImageRow(db, row) : deleteImageRow(db, use)
    return {
      body: presentMember({ ...read, ...changes }),
      statements: [...updateMemberAsRead(db, read, changes), shown, ...(isSame ? [] : [activity])],
      announce: () => sweepBucket(env, use, read.avatarUrl, sent),
    }
  })
}

async function findChangeable(db: Db, caller: TenantCaller, id: string) {
  const read = await findMemberInOrg(db, caller, id)
  if (!read) throw notFound('member')
  assertOwnProfile(caller, read)
  return read
}
