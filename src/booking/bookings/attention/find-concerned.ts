import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { type AgendaBooking, bookingsById } from '../list/agenda.ts'
import { type Concern, selectConcerned } from './queries.ts'

export type ConcernedBooking = { readonly booking: AgendaBooking; readonly concern: Concern }

type Range = { readonly from: number; readonly until: number; readonly limit: number }

/** The first bookings that somebody has to do something about: it has no host, its calendar says another time, or its host is off. */
export async function findConcerned(
  env: Env,
  tenant: Tenant,
  { from, until, limit }: Range,
): Promise<readonly ConcernedBooking[]> {
  const { organizationId, isTest } = tenant
  const found = await selectConcerned(
    openDb(env, 'decide'),
    `${organizationId}/${Number(isTest)}`,
    from,
    until,
    limit,
  )
  const concerns = new Map(found.map(({ id, concern }) => [id, concern]))
  const bookings = await bookingsById(env, tenant, [...concerns.keys()])
  return bookings.map((booking) => ({ booking, concern: concerns.get(booking.id)! }))
}
