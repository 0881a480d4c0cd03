import type { Verb } from '../../engine/turn/verb.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import { selectHeldBookings } from '../../platform/db/held-bookings.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { NoteDrag } from './commands.ts'
import { presentBooking } from './present.ts'
import { guardRevisions, showDrag } from './statements.ts'

/**
 * Notes that somebody moved the event of a booking or a session in a calendar, or moved it back. A new time is announced
 * once.
 */
export function noteDrag(command: NoteDrag): Verb<readonly [ReturnType<typeof selectHeldBookings>], null> {
  const { eventTypeId, holderId, start, stands, syncError, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) => [selectHeldBookings(db, holderId)] as const,
    decide: async ({ db }, { rows }) => {
      // One that moved since then has its event written anew.
      const there = rows![0].map(({ booking }) => booking).filter(({ startTime }) => startTime === start)
      const news = there.filter(({ outOfSync }) => !isSame(outOfSync, stands))
      if (news.length === 0) return { unchanged: null }
      const events =
        stands === null
          ? []
          : news.map((read, at) =>
              recordEvent(db, read, {
                kind: 'booking.out_of_sync',
                data: presentBooking({ ...read, outOfSync: stands, syncError }),
                revision: read.revision,
                beside: {
                  event_start: formatInstant(stands.startTime),
                  event_end: formatInstant(stands.endTime),
                },
                // Members get one email about a session.
                ...(at > 0 && { session: { is_of_session: true } }),
              }),
            )
      return {
        status: 200,
        body: null,
        statements: [
          guardRevisions(db, news),
          showDrag(
            db,
            news.map(({ id }) => id),
            { outOfSync: stands, syncError },
          ),
          ...events.flatMap(({ statements }) => statements),
        ],
        messages: events.map(({ id }) => ({ type: 'event', eventId: id })),
        apply: (known) => known,
      }
    },
  }
}

function isSame(one: BookingRow['outOfSync'], other: BookingRow['outOfSync']): boolean {
  return one?.startTime === other?.startTime && one?.endTime === other?.endTime
}
