import { loadSchedule } from '../../engine/schedule/load-schedule.ts'
import { ofHost } from '../../engine/schedule/of-host.ts'
import { nowIn } from '../../engine/schedule/schedule.ts'
import { isOffered, slotRequest, withoutTaken } from '../../engine/schedule/slot-request.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'

type Start = {
  readonly eventTypeId: string
  readonly duration: number
  readonly start: number
  /** The host who is asked for. */
  readonly memberId?: string | null
}

/** Whether the hours offer a start: if it is not open all the same, it was taken. */
export async function isStartOffered({ env, now }: Context, asked: Start): Promise<boolean> {
  const { eventTypeId, duration: durationMinutes, start, memberId = null } = asked
  const range = { start, end: start + 1 }
  const wanted = { range, seatsAt: null }
  const { schedule: whole } = await loadSchedule(openDb(env, 'read'), eventTypeId, wanted, now)
  if (!whole) return false
  const schedule = memberId === null ? whole : ofHost(whole, memberId)
  const request = slotRequest(schedule, { range, durationMinutes, now: nowIn(schedule, now) })
  return isOffered(withoutTaken(request), start)
}
