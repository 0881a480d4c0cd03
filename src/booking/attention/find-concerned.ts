import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { type AgendaBooking, bookingsById } from '../bookings/list/agenda.ts'
import { listInTimeOff } from '../hours/time-off/list-in-time-off.ts'
import { selectMarked } from './queries.ts'

export type Concern = 'unassigned' | 'out_of_sync' | 'in_time_off'
export type ConcernedBooking = { readonly booking: AgendaBooking; readonly concern: Concern }

type Range = { readonly from: number; readonly until: number; readonly limit: number }

/** The first bookings that have no host, another time in their calendar, or a host who is off. */
export async function findConcerned(
  env: Env,
  tenant: Tenant,
  { from, until, limit }: Range,
): Promise<readonly ConcernedBooking[]> {
  const { organizationId, isTest } = tenant
  const [off, marked] = await Promise.all([
    listInTimeOff(env, tenant, { from, until, limit }),
    selectMarked(openDb(env, 'decide'), organizationId, Number(isTest), from, until, limit),
  ])
  const concerns = new Map<string, Concern>(off.map((id) => [id, 'in_time_off']))
  for (const { id, concern } of marked) concerns.set(id, concern)
  const bookings = await bookingsById(env, tenant, [...concerns.keys()])
  return bookings.map((booking) => ({ booking, concern: concerns.get(booking.id)! })).slice(0, limit)
}
