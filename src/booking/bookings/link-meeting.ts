import type { Verb } from '../../engine/turn/verb.ts'
import { guardUnhandledEvents } from '../../outbox/events/statements.ts'
import { withinDay } from '../../outbox/mail/caused-emails.ts'
import { enqueueMailing } from '../../outbox/mail/enqueue-email.ts'
import { countCaused } from '../../outbox/mail/statements.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { BookingNews } from './booking-news.ts'
import type { LinkMeeting } from './commands.ts'
import { attendeesToEmail } from './email-recipients.ts'
import { presentBooking } from './present.ts'
import { selectUnlinked } from './queries.ts'
import { guardRevisions, linkBookings } from './statements.ts'

/**
 * Gives the bookings of one holder the link that was made for them. Attendees who were emailed before the link existed get
 * another email.
 */
export function linkMeeting(command: LinkMeeting): Verb<readonly [ReturnType<typeof selectUnlinked>], null> {
  const { eventTypeId, url, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) => [selectUnlinked(db, command, realNow())] as const,
    decide: async ({ env, db }, { rows }) => {
      const [unlinked] = rows!
      if (unlinked.length === 0) return { unchanged: null }
      const told = unlinked.filter(({ untold }) => untold === null)
      const postings = await Promise.all(
        told.map(async ({ booking: before, about, people, causedToday, isQuiet }) => {
          const revision = before.revision + 1
          const booking = presentBooking({ ...before, conferencingUrl: url })
          const news: BookingNews = {
            kind: 'booking.linked',
            booking,
            isKeyless: before.isKeyless,
            previous: null,
            revision,
            addressVersion: before.addressVersion,
            happenedAt: now,
            about,
            people,
          }
          const all = isQuiet || !about.emailsInvitees ? [] : attendeesToEmail(booking)
          const { to } = withinDay(all, causedToday)
          const counts = causedToday !== null && to.length > 0
          const caused = counts ? { bookingId: before.id, before: causedToday, emails: to.length } : null
          const posting = await enqueueMailing(env, db, before, {
            kind: 'link',
            subjectId: before.id,
            onceKey: `${before.id}/link/${revision}`,
            to,
            history: { bookingIds: [before.id], about: 'link', at: now },
            write: async (id) => {
              const { bookingEmail } = await import('./booking-emails.ts')
              return bookingEmail(env, news, all.find((attendee) => attendee.id === id)!)
            },
          })
          return { ...posting, counts: countCaused(db, before, caused, realNow()) }
        }),
      )
      const ids = unlinked.map(({ booking }) => booking.id)
      return {
        status: 200,
        body: null,
        statements: [
          guardRevisions(
            db,
            told.map(({ booking }) => booking),
          ),
          guardUnhandledEvents(
            db,
            unlinked.flatMap(({ untold }) => untold ?? []),
          ),
          ...postings.flatMap(({ counts, statements }) => [...counts, ...statements]),
          ...linkBookings(db, ids, url, now),
        ],
        messages: postings.flatMap(({ messages }) => messages),
        apply: (known) => known,
      }
    },
  }
}
