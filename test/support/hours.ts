import { env } from 'cloudflare:workers'
import { looseId } from '../../src/platform/db/ids.ts'
import type { DateOverride, WeekRule } from '../../src/platform/db/schema/hours.ts'
import { ALL_DAY, type Organization } from './factories.ts'

type Mode = 'live' | 'test'

type GivenSchedule = {
  readonly memberId?: string | null
  readonly timezone?: string
  readonly rules?: readonly WeekRule[]
  readonly overrides?: readonly DateOverride[]
  readonly isDefault?: boolean
}

/** A schedule as the API would keep it: all day, every day, of the organization unless said otherwise. */
export async function insertSchedule(
  organization: Pick<Organization, 'id'>,
  mode: Mode,
  {
    memberId = null,
    timezone = 'UTC',
    rules = ALL_DAY,
    overrides = [],
    isDefault = memberId !== null,
  }: GivenSchedule = {},
): Promise<string> {
  const id = looseId()
  await env.DB.prepare(
    `INSERT INTO schedules (id, organization_id, is_test, member_id, name, timezone, rules, overrides, is_default,
       created_at, updated_at) VALUES (?, ?, ?, ?, 'Hours', ?, ?, ?, ?, 1, 1)`,
  )
    .bind(
      id,
      organization.id,
      Number(mode === 'test'),
      memberId,
      timezone,
      JSON.stringify(rules),
      JSON.stringify(overrides),
      Number(isDefault),
    )
    .run()
  return id
}

/** The same hours on every day of the week. */
export function daily(...windows: readonly (readonly [start_time: string, end_time: string])[]): WeekRule[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((day_of_week) =>
    windows.map(([start_time, end_time]) => ({ day_of_week, start_time, end_time })),
  )
}

/** Time off as the API would keep it, from one instant to another. */
export async function insertTimeOff(
  organization: Pick<Organization, 'id'>,
  mode: Mode,
  memberId: string,
  start: number,
  end: number,
): Promise<string> {
  const id = looseId()
  await env.DB.prepare(
    `INSERT INTO time_off (id, organization_id, is_test, member_id, starts_at, ends_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 1, 1)`,
  )
    .bind(id, organization.id, Number(mode === 'test'), memberId, start, end)
    .run()
  return id
}

/** How many meetings a member takes, and in which zone that is judged; what is left out is taken away. */
export async function setLimits(
  memberId: string,
  limits: { readonly perDay?: number | null; readonly perWeek?: number | null; readonly timezone?: string },
): Promise<void> {
  await env.DB.prepare(
    'UPDATE members SET max_bookings_per_day = ?, max_bookings_per_week = ?, timezone = ? WHERE id = ?',
  )
    .bind(limits.perDay ?? null, limits.perWeek ?? null, limits.timezone ?? null, memberId)
    .run()
}
