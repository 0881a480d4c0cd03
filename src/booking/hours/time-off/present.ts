import type { TimeOffRow } from '../../../platform/db/schema/hours.ts'
import { formatDateOrInstant } from '../../../platform/http/fields.ts'
import { periodOf } from './period.ts'
import type { TimeOff } from './schema.ts'

/** Time off of everybody names the organization in place of a member. */
export function isOfAll({
  memberId,
  organizationId,
}: Pick<TimeOffRow, 'memberId' | 'organizationId'>): boolean {
  return memberId === organizationId
}

export function presentTimeOff(row: TimeOffRow): TimeOff {
  const { start, end } = periodOf(row)
  return {
    id: row.id,
    member_id: isOfAll(row) || row.resourceId !== null ? null : row.memberId,
    resource_id: row.resourceId,
    start: formatDateOrInstant(start),
    end: formatDateOrInstant(end),
    reason: row.reason,
    external_id: row.externalId,
  }
}
