import { type TenantCaller, userIdOf } from '../../auth/caller.ts'
import { isPermitted } from '../../auth/policy.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { laterThan } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { definedOnly } from '../../http/defined-only.ts'
import { invalid, notFound, Refused } from '../../http/errors.ts'
import { refusePublicUrl } from '../../http/public-url.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { organizationWide, recordActivity } from '../activity/statements.ts'
import { forgetKeysOfMembers } from '../api-keys/forget-keys.ts'
import { nextAgendaAt } from './next-agenda.ts'
import { notificationsOf } from './notifications.ts'
import { presentMember } from './present.ts'
import { findMemberAndZone, type MemberRow, updateMemberAsRead } from './queries.ts'
import type { Member, UpdateMemberInput } from './schema.ts'

/** Changes a member: the role as an admin, the rest as an admin or as the member. */
export function updateMember(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateMemberInput,
): Promise<Member> {
  return retryWhenStale(() => attempt(ctx, id, input))
}

async function attempt(ctx: Context<TenantCaller>, id: string, input: UpdateMemberInput): Promise<Member> {
  const db = openDb(ctx.env, 'decide')
  const found = await findMemberAndZone(db, ctx.caller.organizationId, id)
  if (!found) throw notFound('member')
  const { member: read, zone } = found
  assertMayChange(ctx.caller, read, input)
  const wrong = input.avatar_url && refusePublicUrl(input.avatar_url, ctx.env.ALLOW_PRIVATE_HOSTS === 'true')
  if (wrong) throw invalid({ avatar_url: wrong })

  const changed = changesOf(read, input)
  if (Object.keys(changed).length === 0) return presentMember(read)
  // Both modes share the members, so their rows know no sandbox clock.
  const now = Date.now()
  const after = { ...read, ...changed, updatedAt: laterThan(read.updatedAt, now) }
  const isAgendaMoved = changed.notifications !== undefined || changed.timezone !== undefined
  const wantsAgenda = notificationsOf(after.notifications).daily_agenda
  const agenda = isAgendaMoved
    ? { nextAgendaAt: wantsAgenda ? nextAgendaAt(after.timezone ?? zone, now) : null }
    : {}
  await commitBatch(db, [
    ...updateMemberAsRead(db, read, { ...changed, ...agenda, updatedAt: after.updatedAt }),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'member.updated',
      resourceType: 'member',
      resourceId: id,
      changes: { ...definedOnly(input), ...(changed.role && { role: [read.role, changed.role] }) },
    }),
  ])
  if (changed.role) await forgetKeysOfMembers(ctx.env, db, [id])
  return presentMember(after)
}

function assertMayChange(caller: TenantCaller, read: MemberRow, { role }: UpdateMemberInput) {
  if (!isPermitted(caller, 'administer')) {
    const isTheirs = userIdOf(caller) === read.userId && role === undefined
    if (!isTheirs)
      throw forbidden('Only owners and admins may do this; members may change their own profile.')
  }
  if (role !== undefined && read.role === 'owner') {
    throw forbidden("The owner's role can only change through transfer-ownership.")
  }
}

function forbidden(message: string): Refused {
  return new Refused({ code: 'forbidden', message })
}

function changesOf(read: MemberRow, input: UpdateMemberInput): Partial<MemberRow> {
  const notifications = input.notifications && { ...read.notifications, ...definedOnly(input.notifications) }
  const wanted: Partial<MemberRow> = definedOnly({
    role: input.role,
    name: input.name,
    avatarUrl: input.avatar_url,
    timezone: input.timezone,
    locale: input.locale,
    notifications,
  })
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(read[name as keyof MemberRow]) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed)
}
