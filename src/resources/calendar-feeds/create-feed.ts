import type { TenantCaller } from '../../auth/caller.ts'
import { randomSecret, sha256 } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import { guardMember } from '../../db/guard-member.ts'
import { newId, shardOf } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { urlAt } from '../../env.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { organizationWide, recordActivity } from '../activity/statements.ts'
import { shardDigit } from './feed-token.ts'
import { presentFeed } from './present.ts'
import { type FeedRow, hasMember, insertFeed } from './queries.ts'
import type { CreateCalendarFeedInput, CreatedCalendarFeed } from './schema.ts'

export async function createFeed(
  ctx: Context<TenantCaller>,
  input: CreateCalendarFeedInput,
): Promise<CreatedCalendarFeed> {
  const { env, caller, now } = ctx
  const memberId = input.member_id ?? null
  const db = openDb(env, 'decide')
  if (memberId !== null && !(await hasMember(db, caller.organizationId, memberId))) throw notFound('member')
  // Lower case only: addresses that are retyped lose the difference.
  const token = (await sha256(randomSecret())) + shardDigit(shardOf(caller.organizationId))
  const row: FeedRow = {
    id: newId(caller.organizationId),
    organizationId: caller.organizationId,
    memberId,
    tokenHash: await sha256(token),
    createdAt: now,
  }
  const url = urlAt(env, `/calendar-feeds/${token}.ics`)
  const created = { ...presentFeed(row), url }
  const statements = [
    ...(memberId === null ? [] : [guardMember(db, memberId)]),
    insertFeed(db, row),
    recordActivity(db, organizationWide(caller), originOf(ctx), {
      action: 'calendar_feed.created',
      resourceType: 'calendar_feed',
      resourceId: row.id,
      changes: { member_id: memberId },
    }),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: created })
  } catch (error) {
    throw fenceOf(error) === 'STALE' ? notFound('member') : error
  }
  return created
}
