import type { Env } from '../../env.ts'
import { enqueueMailing } from '../../outbox/mail/enqueue-email.ts'
import type { Enqueued } from '../../outbox/mail/enqueued.ts'
import type { Db } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { addressed } from './email-recipients.ts'
import { presentBooking } from './present.ts'
import { selectAboutBooking } from './queries.ts'

/** The email that says that a request was approved, and until when to pay. */
export function postPayable(
  env: Env,
  db: Db,
  row: BookingRow,
  payBy: number,
  now: RealMs,
): Promise<Enqueued> {
  const booking = presentBooking(row)
  const to = booking.attendees.map(addressed).filter(({ is_primary, email }) => is_primary && email !== '')
  return enqueueMailing(env, db, row, {
    kind: 'payable',
    subjectId: row.id,
    occasion: payBy,
    onceKey: `${row.id}/payable`,
    to,
    history: { bookingIds: [row.id], about: 'payable', at: now },
    write: async () => {
      const { bookingEmail } = await import('./booking-emails.ts')
      const [facts] = await selectAboutBooking(db, row.id, 'confirmation')
      if (!facts!.about.emailsInvitees) return null
      const { isKeyless, revision, addressVersion } = row
      const when = { revision, addressVersion, happenedAt: now, payBy }
      const told = { booking, isKeyless, previous: null, ...when, ...facts! }
      return bookingEmail(env, { ...told, kind: 'booking.payable' }, to[0]!)
    },
  })
}
