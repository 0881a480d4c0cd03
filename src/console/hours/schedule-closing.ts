import { type HoursChange, listClosed, type ZonedHours } from '../../booking/hours/schedules/list-closed.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { sharedEnv } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { type Closing, closingOf } from './closing.tsx'
import { mayWriteOf } from './people.ts'

type After = ZonedHours & Pick<Schedule, 'member_id' | 'is_default'>

/** Bookings in times that a valid schedule would close: by its hours, or as the default in place of another one or of none. */
export async function closingBySchedule(
  request: MemberRequest,
  saved: Schedule | null,
  after: After,
): Promise<Closing | null> {
  if (!mayWriteOf(request, after)) return null
  const replaced = after.is_default && !saved?.is_default ? await otherDefault(request, after) : undefined
  const { now } = request
  const changes: readonly (HoursChange | false | null | undefined)[] = [
    saved && { of: { scheduleId: saved.id }, before: [saved], after: [after], now },
    replaced && {
      of: { scheduleId: replaced.id, asDefault: 'replaced' },
      before: [replaced],
      after: [after],
      now,
    },
    saved?.is_default &&
      !after.is_default && {
        of: { scheduleId: saved.id, asDefault: 'ends' },
        before: [saved],
        after: [],
        now,
      },
  ]
  const closed = await listClosed(
    sharedEnv(request),
    request,
    changes.flatMap((one) => one || []),
  )
  return closingOf(request, closed)
}

async function otherDefault(request: MemberRequest, after: After): Promise<Schedule | undefined> {
  const all = await listAll(request, scheduleRoutes.listSchedules)
  return all.find(({ is_default, member_id }) => is_default && member_id === after.member_id)
}
