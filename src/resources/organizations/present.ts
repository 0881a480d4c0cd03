import { formatInstant, formatNullable } from '../../http/fields.ts'
import type { Organization, OrganizationSummary } from './schema.ts'
import type { MembershipRow, OrganizationRow } from './store.ts'

export function presentOrganization(row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    owner_user_id: row.ownerUserId,
    default_calendar_connection_id: row.defaultCalendarConnectionId,
    onboarding_completed_at: formatNullable(row.onboardingCompletedAt),
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
