import { urlAt } from '../../env.ts'
import { isLimited, overPlan } from '../../money/plan-limits/refusals.ts'
import { guardFeeds } from '../../money/plan-limits/statements.ts'
import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import { makerOf } from '../../outbox/makers/maker-of.ts'
import { guardAdmin } from '../../outbox/makers/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { randomSecret, sha256 } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { guardMember } from '../../platform/db/guard-member.ts'
import { newId, shardOf } from '../../platform/db/ids.ts'
import { shardDigit } from '../../platform/db/shard-digit.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { presentFeed } from './present.ts'
import { type FeedRow, hasMember, insertFeed } from './queries.ts'
import type { CreateCalendarFeedInput, CreatedCalendarFeed } from './schema.ts'

export function createFeed(
  ctx: Context<TenantCaller>,
  input: CreateCalendarFeedInput,
): Promise<CreatedCalendarFeed> {
  return runChange(ctx, (db) => decide(ctx, db, input), {
    refusesOn: { PLAN_LIMIT: overPlan('calendar_feeds') },
  })
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  input: CreateCalendarFeedInput,
): Promise<Change<CreatedCalendarFeed>> {
  const { env, caller, now } = ctx
  const { organizationId } = caller
  const memberId = input.member_id ?? null
  if (memberId !== null && !(await hasMember(db, organizationId, memberId))) throw notFound('member')
  const maker = await makerOf(db, caller)
  // Lower case only: addresses that are retyped lose the difference.
  const token = (await sha256(randomSecret())) + shardDigit(shardOf(organizationId))
  const row: FeedRow = {
    id: newId(organizationId),
    organizationId,
    memberId,
    tokenHash: await sha256(token),
    createdByType: maker.type,
    createdById: maker.id,
    createdAt: now,
  }
  const url = urlAt(env, `/calendar-feeds/${token}.ics`)
  const created = { ...presentFeed({ ...row, makerName: maker.name }), url }
  const statements = [
    ...(memberId === null ? [] : [guardMember(db, memberId)]),
    ...(maker.type === 'member' ? [guardAdmin(db, maker.id!)] : []),
    ...(isLimited(caller) ? [guardFeeds(db, organizationId)] : []),
    insertFeed(db, row),
    recordActivity(db, organizationWide(caller), originOf(ctx), {
      action: 'calendar_feed.created',
      resourceType: 'calendar_feed',
      resourceId: row.id,
      changes: { member_id: memberId },
    }),
  ]
  return { status: 201, body: created, statements }
}
