import { replaceDefault, selectScheduleOfMember } from '../../booking/hours/schedules/statements.ts'
import { listDated, moveDated } from '../../booking/hours/time-off/statements.ts'
import { isUploaded } from '../../booking/images/address.ts'
import { sweepBucket } from '../../booking/images/keep-image.ts'
import { deleteImageRow } from '../../booking/images/statements.ts'
import { endFeedsOfAdmin } from '../../calendars/feeds/statements.ts'
import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import { notificationsOf } from '../../outbox/mail/notifications.ts'
import type { Role, TenantCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOfMembers } from '../../platform/auth/forget-keys.ts'
import { isPermitted, isRolePermitted } from '../../platform/auth/policy.ts'
import { type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { invalid, notFound, refuse } from '../../platform/http/errors.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { lowerKeysOf } from '../api-keys/statements.ts'
import { guardCaller } from './guard-caller.ts'
import { endInvitationsBy } from './invitations/end-invitations.ts'
import { nextAgendaAt } from './next-agenda.ts'
import { assertOwnProfile } from './own-profile.ts'
import { presentMember } from './present.ts'
import { findMemberAndZone, type MemberRow, updateMemberAsRead } from './queries.ts'
import type { Member, UpdateMemberInput } from './schema.ts'

/** What decides when the member can be booked. */
const OF_HOURS = ['timezone', 'default_schedule_id', 'max_bookings_per_day', 'max_bookings_per_week'] as const

/** Changes a member: the role and the limits as an admin, the rest as an admin or as the member. */
export async function updateMember(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateMemberInput,
): Promise<Member> {
  const member = await runChange(ctx, (db) => decide(ctx, db, id, input))
  if (OF_HOURS.some((field) => input[field] !== undefined)) {
    await offerFreedOf(ctx.env, openDb(ctx.env, 'decide'), ctx.caller.organizationId)
  }
  return member
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  id: string,
  input: UpdateMemberInput,
): Promise<Change<Member>> {
  const { caller } = ctx
  const found = await findMemberAndZone(db, caller, id)
  if (!found) throw notFound('member')
  const { member: read, zone, defaultScheduleId, hoursVersion } = found
  assertMayChange(caller, read, input)
  const { avatar_url: url } = input
  const wrong = url == null ? null : refusePublicUrl(url, ctx.env.ALLOW_PRIVATE_HOSTS === 'true')
  if (wrong !== null) throw invalid({ avatar_url: wrong })
  const { default_schedule_id: wantedDefault = defaultScheduleId } = input
  const isDefaultMoved = wantedDefault !== defaultScheduleId
  if (isDefaultMoved && wantedDefault !== null) {
    const [theirs] = await selectScheduleOfMember(db, caller, id, wantedDefault)
    if (!theirs) throw notFound('schedule of this member')
  }

  const changed = changesOf(read, input)
  if (Object.keys(changed).length === 0 && !isDefaultMoved)
    return { body: presentMember({ ...read, defaultScheduleId }), statements: [] }
  // Both modes share the members, so their rows know no sandbox clock.
  const now = Date.now()
  const after = { ...read, ...changed, updatedAt: laterThan(read.updatedAt, now) }
  const lived = read.timezone ?? zone
  const lives = after.timezone ?? zone
  const dated = lives === lived ? [] : await listDated(db, { memberId: id })
  const isAgendaMoved = changed.notifications !== undefined || changed.timezone !== undefined
  const wantsAgenda = notificationsOf(after.notifications).daily_agenda
  const agenda = isAgendaMoved ? { nextAgendaAt: wantsAgenda ? nextAgendaAt(lives, now) : null } : {}
  const whose = { memberId: id, isTest: caller.isTest }
  const guards = changed.role ? await guardCaller(db, caller) : []
  const portrait = { organizationId: read.organizationId, use: id }
  const isDropped = changed.avatarUrl !== undefined && isUploaded(ctx.env, read.avatarUrl)
  const statements = [
    ...guards,
    ...(lives === lived ? [] : moveDated(db, read.organizationId, hoursVersion, lives, dated)),
    ...updateMemberAsRead(db, read, { ...changed, ...agenda, updatedAt: after.updatedAt }),
    ...(changed.role ? await endWithRole(ctx, db, read, changed.role) : []),
    ...(isDefaultMoved ? replaceDefault(db, whose, wantedDefault, now) : []),
    ...(isDropped ? [deleteImageRow(db, portrait)] : []),
    recordActivity(db, organizationWide(caller), originOf(ctx), {
      action: 'member.updated',
      resourceType: 'member',
      resourceId: id,
      changes: { ...definedOnly(input), ...(changed.role && { role: [read.role, changed.role] }) },
    }),
  ]
  return {
    body: presentMember({ ...after, defaultScheduleId: wantedDefault }),
    statements,
    announce: async () => {
      if (changed.role) await forgetKeysOfMembers(ctx.env, db, [id])
      if (isDropped) await sweepBucket(ctx.env, portrait, read.avatarUrl)
    },
  }
}

/** What a role allowed ends with it, and stays ended when the role is raised again. */
async function endWithRole(
  ctx: Context<TenantCaller>,
  db: Db,
  member: MemberRow,
  role: Role,
): Promise<Statement[]> {
  const isAdmin = isRolePermitted(role, 'administer')
  return [
    lowerKeysOf(db, member.id, role),
    ...(isAdmin ? [] : await endFeedsOfAdmin(db, member, originOf(ctx))),
    ...(isAdmin ? [] : await endInvitationsBy(db, member, realNow(), originOf(ctx))),
  ]
}

function assertMayChange(caller: TenantCaller, read: MemberRow, input: UpdateMemberInput) {
  const { role, max_bookings_per_day: perDay, max_bookings_per_week: perWeek } = input
  const isOfAdmins = role !== undefined || perDay !== undefined || perWeek !== undefined
  if (isOfAdmins && !isPermitted(caller, 'administer')) throw refuse('profile_of_others')
  assertOwnProfile(caller, read)
  if (role !== undefined && read.role === 'owner') throw refuse('owner_keeps_role')
}

function changesOf(read: MemberRow, input: UpdateMemberInput): Partial<MemberRow> {
  const notifications = input.notifications && { ...read.notifications, ...definedOnly(input.notifications) }
  const wanted: Partial<MemberRow> = definedOnly({
    role: input.role,
    name: input.name,
    avatarUrl: input.avatar_url,
    timezone: input.timezone,
    locale: input.locale,
    maxBookingsPerDay: input.max_bookings_per_day,
    maxBookingsPerWeek: input.max_bookings_per_week,
    notifications,
  })
  return changedOnly(read, wanted)
}
