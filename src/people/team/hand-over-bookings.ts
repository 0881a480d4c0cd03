import { REASSIGN_BOOKING } from '../../booking/bookings/commands.ts'
import type { GivenUp } from '../../booking/hosts/of-member/statements.ts'
import { SECOND_MS } from '../../core/time-units.ts'
import { askEventType } from '../../engine/turn/command.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { realNow } from '../../platform/limits/clock.ts'

/** How long a request goes on handing over: what is left then needs a host. */
const PATIENCE_MS = 6 * SECOND_MS
/** Event types whose bookings are handed over at the same time. */
const AT_ONCE = 6

/** Gives each booking of a member to another free host, a session as a whole. Returns the ids of those that others host now. */
export async function handOverBookings(
  ctx: Context<TenantCaller>,
  memberId: string,
  given: readonly GivenUp[],
): Promise<string[]> {
  const until = realNow() + PATIENCE_MS
  const queues = [...Map.groupBy(given, ({ event_type_id }) => event_type_id).values()]
  const reassigned: string[] = []
  const handOverNext = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const meeting of Map.groupBy(queue, ({ id, session_id }) => session_id ?? id).values()) {
        if (realNow() >= until) return
        if (await handOver(ctx, memberId, meeting[0]!)) reassigned.push(...meeting.map(({ id }) => id))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, handOverNext))
  const done = new Set(reassigned)
  return given.flatMap(({ id }) => (done.has(id) ? [id] : []))
}

async function handOver(
  ctx: Context<TenantCaller>,
  fromMemberId: string,
  { id: bookingId, event_type_id: eventTypeId, start_time: start, present: now }: GivenUp,
): Promise<boolean> {
  const outcome = await askEventType(ctx.env, eventTypeId, REASSIGN_BOOKING, {
    ...{ eventTypeId, bookingId, start, now, isDry: ctx.isDry },
    origin: originOf(ctx),
    claim: null,
    memberId: null,
    fromMemberId,
    reason: null,
    setAside: [],
  })
  return outcome.kind === 'done'
}
