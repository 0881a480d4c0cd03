import type { Interval } from '../../../core/interval.ts'
import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import { type KeptAnswer, openAnswers } from '../../questions/take-answers.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import { presentBooking, presentPhone } from '../present.ts'
import type { Booking } from '../schema.ts'
import { listBookings } from './list-bookings.ts'
import {
  type AgendaRange,
  type AgendaRow,
  type Booked,
  findBookedEventTypes,
  listAgenda,
  listBookingsById,
  listIdsIn,
  listRequests,
  selectSealed,
} from './queries.ts'

export type TitledBooking = Booking & { readonly event_title: string }

/** A booking with its event type's title, for screens. */
export type AgendaBooking = TitledBooking & {
  readonly event_color: string
  /** Whether it was recorded who came; left out of lists that do not show it. */
  readonly has_attendance?: boolean
}

/** Which page of an agenda: the first one, unless it says after which booking. */
export type AgendaPage = Partial<Pick<AgendaRange, 'limit' | 'after'>>

/** Bookings by their start: a page of them, and where the next page begins. */
export async function agendaOf(
  env: Env,
  tenant: Tenant,
  range: AgendaRange,
): Promise<{ readonly data: readonly AgendaBooking[]; readonly next: AgendaRange['after'] }> {
  const rows = await listAgenda(openDb(env, 'decide'), tenant, range)
  const shown = rows.slice(0, range.limit)
  const last = shown.at(-1)
  const next = rows.length > shown.length && last ? { start: last.startTime, id: last.id } : null
  return { data: shown.map(present), next }
}

/** A page of the list as the endpoint sorts and filters it, which may be larger, and the id after which the next one begins. */
export async function filteredOf(
  env: Env,
  tenant: Tenant,
  query: BookingQuery,
): Promise<{ readonly data: readonly TitledBooking[]; readonly next: string | null }> {
  const db = openDb(env, 'decide')
  const rows = await listBookings(env, db, tenant, query)
  const shown = rows.slice(0, query.limit)
  const eventTypes = await findBookedEventTypes(db, shown)
  const data = shown.map((row) => ({
    ...presentBooking(row),
    event_title: eventTypes.get(row.eventTypeId)?.title ?? '',
  }))
  return { data, next: rows.length > shown.length ? shown.at(-1)!.id : null }
}

/** A booking that awaits approval. */
export type RequestedBooking = AgendaBooking & {
  /** In milliseconds: it is cancelled automatically then. */
  readonly decideBy: number
}

/** Bookings that await approval, the oldest request first, after the id `after`. */
export async function requestsOf(
  env: Env,
  tenant: Tenant,
  part: { readonly now: AskedMs; readonly after: string | null; readonly limit: number },
): Promise<{ readonly data: readonly RequestedBooking[]; readonly hasMore: boolean }> {
  const rows = await listRequests(openDb(env, 'decide'), tenant, part)
  const data = rows.slice(0, part.limit).map((row) => ({ ...present(row), decideBy: row.decideBy }))
  return { data, hasMore: rows.length > part.limit }
}

/** Those of these ids that belong to the tenant, by their start. */
export async function bookingsById(
  env: Env,
  tenant: Tenant,
  ids: readonly string[],
): Promise<readonly AgendaBooking[]> {
  if (ids.length === 0) return []
  return (await listBookingsById(openDb(env, 'decide'), tenant, ids)).map(present)
}

/** The active bookings of these event types, or of hosts of them, that overlap any of the periods, soonest first. */
export async function bookingIdsIn(
  env: Env,
  tenant: Tenant,
  booked: readonly Booked[],
  periods: readonly Interval[],
): Promise<readonly string[]> {
  if (booked.length === 0 || periods.length === 0) return []
  return (await listIdsIn(openDb(env, 'decide'), tenant, booked, periods)).map(({ id }) => id)
}

export type SealedTexts = { readonly phone: string | null; readonly answers: readonly KeptAnswer[] }

/** The phone numbers and answers of bookings, by id. */
export async function sealedTextsOf(
  env: Env,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SealedTexts>> {
  const rows = await selectSealed(openDb(env, 'decide'), tenant, ids)
  const opened = rows.map(async (row) => {
    const [phone, answers] = await Promise.all([presentPhone(env, row), openAnswers(env, row.answers)])
    return [row.id, { phone, answers }] as const
  })
  return new Map(await Promise.all(opened))
}

function present(row: AgendaRow): AgendaBooking {
  return {
    ...presentBooking(row),
    event_title: row.eventTitle,
    event_color: row.eventColor,
    has_attendance: row.attendanceAt !== null,
  }
}
