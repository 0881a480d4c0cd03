import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { loadSchedule } from '../../schedule/load-schedule.ts'
import { nowIn } from '../../schedule/schedule.ts'
import { isOffered, slotRequest, withoutTaken } from '../../schedule/slot-request.ts'

type Start = { readonly eventTypeId: string; readonly duration: number; readonly start: number }

/** Whether the hours offer a start, were nobody else there: what is not open although they do was taken. */
export async function isStartOffered({ env, now }: Context, asked: Start): Promise<boolean> {
  const { eventTypeId, duration: durationMinutes, start } = asked
  const range = { start, end: start + 1 }
  const { schedule } = await loadSchedule(openDb(env, 'read'), eventTypeId, { range, seatsAt: null }, now)
  if (!schedule) return false
  const request = slotRequest(schedule, { range, durationMinutes, now: nowIn(schedule, now) })
  return isOffered(withoutTaken(request), start)
}
