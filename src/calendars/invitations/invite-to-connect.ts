import { recordActivity } from '../../outbox/activity/statements.ts'
import { assertWithinDay } from '../../outbox/mail/assert-within-day.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { invitationEmail } from './invitation-email.ts'
import { findInvited } from './queries.ts'
import type { CalendarInvitation, InviteToConnectInput } from './schema.ts'

/** Emails a member where they connect their own calendar. */
export async function inviteToConnect(
  ctx: Context<TenantCaller>,
  { member_id: memberId }: InviteToConnectInput,
): Promise<CalendarInvitation> {
  const { env, caller } = ctx
  const db = openDb(env, 'decide')
  const invited = await findInvited(db, caller.organizationId, memberId)
  if (!invited) throw notFound('member')
  const { person, role, suspendedAt } = invited
  if (suspendedAt !== null) throw refuse('invites_nobody')
  if (!isRolePermitted(role, 'book')) throw refuse('viewer_connects_nothing')
  if (person.email === '') throw refuse('member_without_address')
  await assertWithinDay(db, caller, person.email, realNow())

  const letter = {
    onceKey: `${newId(caller.organizationId)}/connect-calendar`,
    ...invitationEmail(env, invited),
  }
  const posting = await enqueueEmail(env, db, caller, letter)
  const entry = recordActivity(db, caller, originOf(ctx), {
    action: 'calendar.invited',
    resourceType: 'member',
    resourceId: memberId,
  })
  const body = { member_id: memberId, sent_to: person.email }
  await commit(ctx, db, [...posting.statements, entry], { status: 202, body })
  await posting.announce()
  return body
}
