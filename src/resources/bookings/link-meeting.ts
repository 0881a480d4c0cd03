import { commitBatch, openDb } from '../../db/client.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { postMailing } from '../mail/post-letter.ts'
import { type BookingNews, bookingLetter, toldOf } from './booking-letters.ts'
import type { LinkMeeting } from './commands.ts'
import { presentBooking } from './present.ts'
import { linkBookings, selectUnlinked } from './queries.ts'

/**
 * Gives the bookings of one holder the link that was made for them. Runs in the event type's object, since it
 * changes bookings. Whoever had their letter before the link was there is sent another one.
 */
export async function linkMeeting({ env }: Workplace, command: LinkMeeting): Promise<void> {
  const { holderId, url, now } = command
  const db = openDb(env, 'decide')
  const unlinked = await selectUnlinked(db, holderId, url)
  if (unlinked.length === 0) return

  const told = unlinked.filter(({ isTold }) => isTold)
  const postings = await Promise.all(
    told.map(({ booking: before, title, organizationName }) => {
      const revision = before.revision + 1
      const booking = presentBooking({ ...before, conferencingUrl: url })
      const { isKeyless } = before
      const news: BookingNews = {
        kind: 'booking.linked',
        booking,
        isKeyless,
        previous: null,
        revision,
        title,
        organizationName,
        happenedAt: now,
      }
      const to = toldOf(booking)
      return postMailing(env, db, before, {
        kind: 'link',
        subjectId: before.id,
        onceKey: `${before.id}/link/${revision}`,
        to,
        write: (id) => bookingLetter(env, news, to.find((attendee) => attendee.id === id)!),
      })
    }),
  )
  await commitBatch(db, [
    ...postings.flatMap(({ statements }) => statements),
    linkBookings(
      db,
      unlinked.map(({ booking }) => booking.id),
      url,
      now,
    ),
  ])
  await Promise.all(postings.map(({ announce }) => announce()))
}
