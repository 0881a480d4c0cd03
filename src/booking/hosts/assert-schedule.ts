import { invalid, notFound } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'

/** Throws if a host cannot use the schedule: it does not exist, or it is another member's. */
export function assertSchedule(
  id: string | null | undefined,
  found: { readonly memberId: string | null } | undefined,
  memberId: string,
): void {
  if (id == null) return
  if (!found) throw notFound('schedule')
  if (found.memberId === null || found.memberId === memberId) return
  throw invalid({ schedule_id: problem('foreign_schedule') })
}
