import { type GivenUp, listGivenUp, passOnBookings } from '../../booking/hosts/of-member/statements.ts'
import { dropHostsOf } from '../../booking/hosts/statements.ts'
import { dropSchedulesOf } from '../../booking/hours/schedules/statements.ts'
import { dropTimeOffOf } from '../../booking/hours/time-off/statements.ts'
import { isUploaded } from '../../booking/images/address.ts'
import { sweepBucket } from '../../booking/images/keep-image.ts'
import { deleteImageRow } from '../../booking/images/statements.ts'
import { endFeedsOfLeaving } from '../../calendars/feeds/statements.ts'
import { prepareToLeave } from '../../calendars/leave-accounts.ts'
import { prepareToDisconnect } from '../../calendars/meetings/disconnect-member.ts'
import { passOnFeeds } from '../../calendars/pass-on-feeds.ts'
import { dropConnectionsOf } from '../../calendars/statements.ts'
import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import { namedActorOf, type TenantCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOfMembers } from '../../platform/auth/forget-keys.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { keepStatements } from '../../platform/http/idempotency.ts'
import { runChange } from '../../platform/http/run-change.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { endKeysOf } from '../api-keys/end-keys.ts'
import { forgetWaysIn } from '../sign-in/ways-in/forget-ways-in.ts'
import { guardCaller } from './guard-caller.ts'
import { handOverBookings } from './hand-over-bookings.ts'
import { endInvitationsBy } from './invitations/end-invitations.ts'
import { deleteMemberAsRead, findMemberInOrg, type MemberRow } from './queries.ts'
import type { RemovedMember } from './schema.ts'
import { tellOfLeaving } from './tell-of-leaving.ts'

/**
 * Removes a member. With `handsOver`, each of their upcoming bookings goes to another free host before; returns what became of
 * them. What is booked with them in between needs a host too.
 */
export async function removeMember(
  ctx: Context<TenantCaller>,
  id: string,
  { handsOver = false } = {},
): Promise<RemovedMember> {
  const db = openDb(ctx.env, 'decide')
  const leaving = await findLeaving(db, ctx.caller, id)
  const before = handsOver || ctx.isDry ? await listGivenUp(db, leaving, realNow()) : []
  const reassigned = handsOver ? await handOverBookings(ctx, id, before) : []
  if (ctx.isDry) return { reassigned, unassigned: unassignedOf(before, reassigned) }
  const { leave, giveBack, email, announce, given } = await runChange(ctx, async (db) => {
    const read = await findLeaving(db, ctx.caller, id)
    const guards = await guardCaller(db, ctx.caller)
    const leave = await prepareToLeave(ctx.env, db, { memberId: read.id })
    const meetings = await prepareToDisconnect(ctx.env, db, read)
    const given = await listGivenUp(db, read, realNow())
    const telling = await tellOfLeaving(ctx.env, db, namedActorOf(ctx.caller), read, given)
    const statements = [
      ...guards,
      ...passOnBookings(db, read, given, realNow()),
      ...deleteMemberAsRead(db, read),
      // Both modes share the member, so what the caller's side has for the present says nothing here.
      ...(await endKeysOf(db, read.id, realNow(), originOf(ctx))),
      ...dropHostsOf(db, read, realNow()),
      ...dropSchedulesOf(db, read.id),
      dropTimeOffOf(db, read.id),
      ...(isUploaded(ctx.env, read.avatarUrl) ? [deleteImageRow(db, portraitOf(read))] : []),
      ...(await passOnFeeds(db, read, originOf(ctx))),
      ...dropConnectionsOf(db, read.id),
      ...(await endFeedsOfLeaving(db, read, originOf(ctx))),
      ...(await endInvitationsBy(db, read, realNow(), originOf(ctx))),
      ...meetings.statements,
      recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
        action: 'member.removed',
        resourceType: 'member',
        resourceId: id,
        changes: { user_id: read.userId, role: read.role },
      }),
      ...telling.statements,
    ]
    const answer = handsOver
      ? { status: 200, body: { reassigned, unassigned: unassignedOf(given, []) } }
      : { status: 204, body: null }
    const stored = await keepStatements(ctx.env, db, ctx.claim, answer)
    return {
      body: { leave, giveBack: meetings.giveBack, email: read.userEmail, announce: telling.announce, given },
      statements: [...stored, ...statements],
    }
  })
  await forgetKeysOfMembers(ctx.env, db, [id])
  await forgetWaysIn(ctx.env, { memberIds: [id], emails: [email] })
  await announce()
  await offerFreedOf(ctx.env, db, ctx.caller.organizationId)
  await sweepBucket(ctx.env, portraitOf(leaving), leaving.avatarUrl)
  // Providers answer when they like.
  await leave()
  await giveBack()
  return { reassigned, unassigned: unassignedOf(given, []) }
}

function portraitOf({ id, organizationId }: Pick<MemberRow, 'id' | 'organizationId'>) {
  return { organizationId, use: id }
}

async function findLeaving(db: Db, caller: TenantCaller, id: string) {
  const read = await findMemberInOrg(db, caller, id)
  if (!read) throw notFound('member')
  if (read.role === 'owner') throw refuse('owner_stays')
  return read
}

/** The bookings that nobody hosts. */
function unassignedOf(given: readonly GivenUp[], reassigned: readonly string[]): string[] {
  const left = given.filter(({ is_assigned, heir }) => is_assigned && heir === null)
  return left.filter(({ id }) => !reassigned.includes(id)).map(({ id }) => id)
}
