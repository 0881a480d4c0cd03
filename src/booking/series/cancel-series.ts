import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { isOver } from '../../engine/waits/wait-of.ts'
import type { Db } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, missing } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { refuseLate } from '../bookings/allowed-actions.ts'
import { presentTo } from '../bookings/present.ts'
import type { CancelSeries, DeclineSeries } from './commands.ts'
import { endBookings } from './end-bookings.ts'
import { presentSeries, seenBy } from './present.ts'
import {
  selectBookingsOfSeries,
  selectRequestsOfSeries,
  selectSeriesAndClock,
  selectTermsOfSeries,
} from './queries.ts'
import type { CancelledSeries, Series } from './schema.ts'

type Asked = ReturnType<typeof askedOf>
type AskedOfRequests = ReturnType<typeof askedOfRequests>

/** The reason if none was given. */
const DECLINED = 'The request was declined.'

function askedOf(db: Db, { eventTypeId, seriesId }: Pick<CancelSeries, 'eventTypeId' | 'seriesId'>) {
  const terms = selectTermsOfSeries(db, eventTypeId)
  return [selectSeriesAndClock(db, seriesId), selectBookingsOfSeries(db, seriesId), terms] as const
}

function askedOfRequests(db: Db, command: DeclineSeries) {
  return [...askedOf(db, command), selectRequestsOfSeries(db, command.seriesId)] as const
}

/** Cancels what has not begun, or what starts from an instant on: all of it or none. Cancelling again changes nothing. */
export function cancelSeries(command: CancelSeries): Verb<Asked, CancelledSeries> {
  const { eventTypeId, seriesId, claim, now, isDry, origin } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    releases: { seriesId },
    asks: ({ db }) => askedOf(db, command),
    decide: (turn, state) => decideCancel(turn, state, command),
    asItIs: ([, bookings]) => present(command, seenBy(origin, bookings), []),
  }
}

function present(
  { seriesId, origin }: CancelSeries,
  bookings: readonly BookingRow[],
  cancelled: readonly BookingRow[],
): CancelledSeries {
  const after = new Map(cancelled.map((row) => [row.id, row]))
  return {
    id: seriesId,
    bookings: bookings.map((row) => presentTo(origin, after.get(row.id) ?? row)),
    cancelled: cancelled.map(({ id }) => id),
  }
}

function decideCancel(
  { db }: Turn,
  { rows, now: present_ }: State<Asked>,
  command: CancelSeries,
): Decided<CancelledSeries> {
  const { origin, now, reason, from, isQuiet } = command
  const [[found], all, [terms]] = rows!
  if (!found) return { refusal: missing('series') }
  const bookings = seenBy(origin, all)
  const read = bookings.filter(
    ({ status, startTime }) =>
      status !== 'cancelled' && (from === null ? startTime > present_ : startTime >= from),
  )
  if (read.length === 0) return { unchanged: present(command, bookings, []) }
  const notice = terms?.cancelNoticeMinutes ?? 0
  const late = read.map((row) => refuseLate(row, notice, present_)).find((refusal) => refusal !== null)
  if (late && origin.actorType === 'invitee') return { refusal: late }
  const inviteeLimit = terms?.inviteeLimit ?? null
  const ended = endBookings(db, read, { origin, now, reason, isQuiet, acts: ['cancelled'], inviteeLimit })
  return {
    status: 200,
    body: present(command, bookings, ended.after),
    statements: ended.statements,
    messages: ended.eventIds.map((eventId) => ({ type: 'event', eventId })),
    freesSeveral: true,
  }
}

/** Declines all requests of a series that are pending. Declining again succeeds. */
export function declineSeries(command: DeclineSeries): Verb<AskedOfRequests, Series> {
  const { eventTypeId, seriesId, claim, now, isDry, origin } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    releases: { seriesId },
    asks: ({ db }) => askedOfRequests(db, command),
    decide: (turn, state) => decideDecline(turn, state, command),
    asItIs: ([[found], bookings]) => found && presentSeries(origin, found.series, bookings),
  }
}

function decideDecline(
  { db }: Turn,
  { rows, now: present_ }: State<AskedOfRequests>,
  { origin, now, reason }: DeclineSeries,
): Decided<Series> {
  const [[found], bookings, [terms], requests] = rows!
  if (!found) return { refusal: missing('series') }
  const read = pendingOf(bookings, requests, present_)
  if (read.length === 0) {
    const open = bookings.find(({ status }) => status !== 'cancelled')
    const isOverdue = open?.status === 'pending_approval'
    if (isOverdue) return { refusal: because('not_decided') }
    if (open) return { refusal: because('cannot_decline', { status: open.status }) }
    return { unchanged: presentSeries(origin, found.series, bookings) }
  }
  const ended = endBookings(db, read, {
    ...{ origin, now, reason: reason ?? DECLINED, isQuiet: false },
    acts: ['cancelled', 'declined'],
    inviteeLimit: terms?.inviteeLimit ?? null,
  })
  const after = new Map(ended.after.map((row) => [row.id, row]))
  return {
    status: 200,
    body: presentSeries(
      origin,
      found.series,
      bookings.map((row) => after.get(row.id) ?? row),
    ),
    statements: ended.statements,
    messages: ended.eventIds.map((eventId) => ({ type: 'event', eventId })),
    freesSeveral: true,
  }
}

type Request = Awaited<ReturnType<typeof selectRequestsOfSeries>>[number]

/** The requests that can still be decided. One that expired ends automatically. */
export function pendingOf(
  bookings: readonly BookingRow[],
  requests: readonly Request[],
  now: PresentMs,
): readonly BookingRow[] {
  const known = new Map(requests.map((request) => [request.id, request]))
  return bookings.filter(({ id, status }) => {
    const request = known.get(id)
    return status === 'pending_approval' && request !== undefined && !isOver(request, now)
  })
}
