import { listClosed, type OpenTimes } from '../../booking/hours/schedules/list-closed.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { instantsIn } from '../../booking/hours/time-off/period.ts'
import { timeOffRoutes } from '../../booking/hours/time-off/routes.ts'
import { listBookingsIn } from '../../booking/resources/list-bookings-in.ts'
import { resourceRoutes } from '../../booking/resources/routes.ts'
import type { Resource } from '../../booking/resources/schema.ts'
import type { BodyOf } from '../../platform/http/route-input.ts'
import { need, sharedEnv, wrongIn } from '../ask.ts'
import { type Closing, closingOf } from '../hours/closing.tsx'
import { isAdmin } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'

/** Bookings of a room in times that saving would close, if that is valid. */
export async function closingByRoom(
  request: MemberRequest,
  id: string,
  body: BodyOf<typeof resourceRoutes.updateResource>,
): Promise<Closing | null> {
  if (!isAdmin(request) || wrongIn(resourceRoutes.updateResource, body)) return null
  const [room, schedules] = await Promise.all([
    need(request, resourceRoutes.getResource, { params: { id } }),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  const after = { ...room, ...body } as Resource
  if (after.active === room.active && after.schedule_id === room.schedule_id) return null
  const change = {
    of: { resourceId: id },
    before: openTimes(room, schedules),
    after: openTimes(after, schedules),
    now: request.now,
  }
  return closingOf(request, await listClosed(sharedEnv(request), request, [change]))
}

function openTimes({ active, schedule_id }: Resource, schedules: readonly Schedule[]): OpenTimes {
  if (!active) return []
  return schedule_id === null ? 'always' : schedules.filter(({ id }) => id === schedule_id)
}

/** Bookings of a room in time off, if that is valid. */
export async function closingByTimeOff(
  request: MemberRequest,
  id: string,
  body: BodyOf<typeof timeOffRoutes.createTimeOff>,
): Promise<Closing | null> {
  const { success, data } = timeOffRoutes.createTimeOff.request.body.safeParse(body)
  if (!isAdmin(request) || !success) return null
  const room = await need(request, resourceRoutes.getResource, { params: { id } })
  const period = instantsIn(request.member.timezone, data)
  return closingOf(request, await listBookingsIn(sharedEnv(request), [room.id], [period]))
}
