import type { Env } from '../../env.ts'
import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import { redirectHostsOf } from '../../platform/http/redirect-hosts.ts'
import { planLimitsOf } from '../../platform/limits/plan-limits.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { MembershipRow, OrganizationRow } from './queries.ts'
import type { Organization, OrganizationSummary } from './schema.ts'

export function presentOrganization(env: Env, row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    owner_user_id: row.ownerUserId,
    default_calendar_connection_id: row.defaultCalendarConnectionId,
    timezone: row.timezone,
    locale: row.locale,
    invitee_emails: row.inviteeEmails,
    calendar_moves: row.calendarMoves,
    public_limits: publicLimitsOf(row),
    plan_limits: planLimitsOf(row),
    region: row.region,
    onboarding_completed_at: formatNullable(row.onboardingCompletedAt),
    allowed_redirect_hosts: [...redirectHostsOf(env, row.allowedRedirectHosts)],
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

export function presentSummary({ organization, role }: MembershipRow): OrganizationSummary {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    role,
    default_calendar_connection_id: organization.defaultCalendarConnectionId,
    onboarding_completed_at: formatNullable(organization.onboardingCompletedAt),
    created_at: formatInstant(organization.createdAt),
  }
}
