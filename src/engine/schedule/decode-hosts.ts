import { NEVER_OPEN, type OpenHours } from '../../core/open-hours.ts'
import { listIn } from './decode-hours.ts'
import type { RawSchedule } from './queries.ts'
import type { Host, HostLimits, TimeOff } from './schedule.ts'

export type Ahead = readonly [host: string, bookings: number, next: number]

type TimeOffValues = readonly [hostId: string, id: string, start: number, end: number]
type HostValues = readonly [
  id: string,
  resourceId: string,
  priority: number,
  weight: number,
  totalBookings: number,
  lastAssignment: number,
  userId: string,
  email: string,
  scheduleId: string | null,
  timeZone: string | null,
  maxPerDay: number | null,
  maxPerWeek: number | null,
]

/** The hosts in the order of the query (age among equals), with their hours, time off and limits. */
export function decodeHosts(
  raw: RawSchedule,
  schedules: ReadonlyMap<string, OpenHours>,
  ahead: ReadonlyMap<string, Ahead>,
): Host[] {
  const off = Map.groupBy(listIn<TimeOffValues>(raw.time_off), ([hostId]) => hostId)
  return listIn<HostValues>(raw.hosts).map((values, addedAt) => {
    const [id, resourceId, priority, weight, totalBookings, lastAssignment, userId, email] = values
    const scheduleId = values[8]
    return {
      id,
      resourceId,
      priority,
      weight,
      totalBookings,
      lastAssignment,
      addedAt,
      userId,
      email,
      activeBookings: ahead.get(id)?.[1] ?? 0,
      scheduleId,
      hours: scheduleId === null ? null : (schedules.get(scheduleId) ?? NEVER_OPEN),
      timeOff: off.get(id)?.map(timeOffOf) ?? [],
      limits: limitsOf(values, raw.organization_timezone),
    }
  })
}

function timeOffOf([, id, start, end]: TimeOffValues): TimeOff {
  return { id, start, end }
}

/** A member without a zone has the organization's. */
function limitsOf(values: HostValues, organizationZone: string): HostLimits | null {
  const [timeZone, perDay, perWeek] = values.slice(9) as [string | null, number | null, number | null]
  if (perDay === null && perWeek === null) return null
  return { timeZone: timeZone ?? organizationZone, perDay, perWeek }
}
