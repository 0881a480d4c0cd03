import type { Json, Reply } from '../world.ts'
import { type Cal, listed, type Stored, shown } from './state.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const success = (data: unknown): Reply => ({ status: 200, json: { status: 'success', data } })

/** cal.com/docs/api-reference/v2/schedules/get-all-schedules: days by their names, times by the clock on the wall. */
export function listSchedules(cal: Cal, userIds: readonly number[]): Reply {
  return success(
    listed(cal, 'schedules')
      .filter(({ ownerId }) => userIds.includes(ownerId))
      .map(shown),
  )
}

/** The form of 2024-04-15: days by their numbers, times on the first day of 1970, and dates among them. */
export function listOldSchedules(cal: Cal, user: Stored): Reply {
  const at = (time: string) => `1970-01-01T${time}:00.000Z`
  const mine = listed(cal, 'schedules').filter(({ ownerId }) => ownerId === user.id)
  return success(
    mine.map(({ id, name, timeZone, availability, overrides }) => ({
      id,
      userId: user.id,
      name,
      timeZone,
      availability: [
        ...(availability as Json[]).map((one) => ({
          days: (one.days as string[]).map((day) => DAYS.indexOf(day)),
          startTime: at(one.startTime),
          endTime: at(one.endTime),
          date: null,
        })),
        ...(overrides as Json[]).map((one) => ({
          days: [],
          startTime: at(one.startTime),
          endTime: at(one.endTime),
          date: `${one.date}T00:00:00.000Z`,
        })),
      ],
    })),
  )
}
