import { notificationsOf } from '../../outbox/mail/notifications.ts'
import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { InvitationRow } from './invitations/queries.ts'
import type { MemberWithSchedule } from './queries.ts'
import type { Invitation, Member } from './schema.ts'

export function presentMember(row: MemberWithSchedule): Member {
  return {
    id: row.id,
    organization_id: row.organizationId,
    user_id: row.userId,
    user_email: row.userEmail,
    role: row.role,
    invited_by: row.invitedBy,
    name: row.name,
    avatar_url: row.avatarUrl,
    timezone: row.timezone,
    locale: row.locale,
    default_schedule_id: row.defaultScheduleId,
    max_bookings_per_day: row.maxBookingsPerDay,
    max_bookings_per_week: row.maxBookingsPerWeek,
    notifications: notificationsOf(row.notifications),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

export function presentInvitation(row: InvitationRow, now: AskedMs): Invitation {
  return {
    id: row.id,
    organization_id: row.organizationId,
    email: row.email,
    role: row.role,
    status: statusOf(row, now),
    invited_by: row.invitedBy,
    expires_at: formatInstant(row.expiresAt),
    accepted_at: formatNullable(row.acceptedAt),
    created_at: formatInstant(row.createdAt),
  }
}

/** An expired invitation that was cleared away for the next one stays expired. */
export function statusOf(row: InvitationRow, now: AskedMs): Invitation['status'] {
  if (row.acceptedAt !== null) return 'accepted'
  if (row.expiresAt <= (row.revokedAt ?? now)) return 'expired'
  return row.revokedAt === null ? 'pending' : 'revoked'
}
