import { sql } from 'drizzle-orm'
import { bookings } from './schema/bookings.ts'

/** How the booking `b` of the event type `e` meets: its place says so, if one was chosen. */
export const MEETS_BY = "iif(b.place IS NULL, e.conferencing_provider, b.place ->> 'kind')"

/** Whether a booking may have a link of a meeting account, or of a calendar; its event type decides if no place was chosen. */
export const MEETS_AT = {
  account: sql`(${bookings.place} IS NULL OR ${bookings.place} ->> 'kind' = 'video_a')`,
  calendar: sql`(${bookings.place} IS NULL OR ${bookings.place} ->> 'kind' IN ('calendar_a_meet', 'calendar_b_meet'))`,
}
