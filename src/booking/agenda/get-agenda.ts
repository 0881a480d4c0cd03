import { LAST_INSTANT } from '../../core/last-instant.ts'
import { resourceIdOf } from '../../core/resource-id.ts'
import { SECOND_MS } from '../../core/time-units.ts'
import { unitIdOf } from '../../engine/schedule/resources/rooms.ts'
import { MOST_UNITS } from '../../engine/schedule/resources/unit-numbers.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { CLOCKS_DIFFER_MS } from '../../platform/db/leases.ts'
import type { Context } from '../../platform/http/context.ts'
import { LONGEST_SECONDS } from '../holds/schema.ts'
import { datesIn, openTimes, schedulesIn, withOwnRules } from './open-times.ts'
import { presentAgenda } from './present.ts'
import {
  selectBookings,
  selectBookingsOfEventType,
  selectBusy,
  selectHeldBookings,
  selectHeldSessions,
  selectHeldSlotHolds,
  selectOwnHours,
  selectSchedules,
  selectSessions,
  selectSlotHolds,
  selectTimeOff,
} from './queries.ts'
import type { Agenda, AgendaQuery } from './schema.ts'
import { loadScope, type Scope } from './scope.ts'

/** A live hold expires by then. The clock of a sandbox may be set back, so that its holds last for longer. */
const LONGEST_HOLD_MS = LONGEST_SECONDS * SECOND_MS + CLOCKS_DIFFER_MS

/** Two round trips, however much there is. */
export async function getAgenda(ctx: Context<TenantCaller>, query: AgendaQuery): Promise<Agenda> {
  const db = openDb(ctx.env, 'decide')
  const { organizationId, isTest } = ctx.caller
  const scope = await loadScope(db, ctx.caller, query)
  const { range, memberIds, roomIds, closers } = scope
  const { start, end } = range
  const { first, last } = datesIn(range)
  const owners = closers?.ownerId ? [closers.ownerId] : []
  const [bookings, sessions, holds, timeOff, busy, schedules, ownHours] = await db.batch([
    ...askTaken(db, ctx, scope, query),
    selectTimeOff(
      db,
      start,
      end,
      JSON.stringify([...memberIds, ...roomIds, ...(closers ? [organizationId] : [])]),
      Number(isTest),
    ),
    selectBusy(
      db,
      start,
      end,
      organizationId,
      Number(isTest),
      JSON.stringify([...memberIds, ...owners]),
      JSON.stringify(roomIds),
      closers?.connectionId ?? null,
    ),
    selectSchedules(db, JSON.stringify(schedulesIn(scope))),
    selectOwnHours(db, JSON.stringify(withOwnRules(scope)), first, last),
  ])
  return presentAgenda(organizationId, {
    bookings,
    sessions,
    holds,
    timeOff,
    busy,
    openTimes: openTimes(scope, schedules, ownHours),
  })
}

/** Bookings, sessions and holds, along what a member or a room holds if that is asked for. */
function askTaken(
  db: Db,
  { caller: { organizationId, isTest }, now }: Context<TenantCaller>,
  { range: { start, end }, eventTypes }: Scope,
  { member_id: memberId, event_type_id: eventTypeId, resource_id: roomId }: AgendaQuery,
) {
  const ofMember = memberId === undefined ? null : JSON.stringify([resourceIdOf(memberId, isTest)])
  const ofRoom = roomId === undefined ? null : JSON.stringify(unitsOf(roomId))
  const held = ofMember ?? ofRoom
  if (held !== null) {
    const also = ofMember === null ? null : ofRoom
    const asked = [start, end, now, held, also, eventTypeId ?? null] as const
    return [
      selectHeldBookings(db, ...asked),
      selectHeldSessions(db, ...asked),
      selectHeldSlotHolds(db, ...asked),
    ] as const
  }
  const ids = JSON.stringify(eventTypes.map(({ id }) => id))
  return [
    eventTypeId === undefined
      ? selectBookings(db, start, end, now, `${organizationId}/${Number(isTest)}`)
      : selectBookingsOfEventType(db, start, end, now, eventTypeId),
    selectSessions(db, start, end, now, ids),
    selectSlotHolds(db, start, end, now, ids, isTest ? LAST_INSTANT : now + LONGEST_HOLD_MS),
  ] as const
}

function unitsOf(roomId: string): string[] {
  return Array.from({ length: MOST_UNITS }, (_, at) => unitIdOf(roomId, at + 1))
}
