import { withBooking } from '../schedule/apply-booking.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Found } from './load.ts'
import type { PromotionPreview } from './promotions.ts'
import type { Queries, Turn, Verb } from './verb.ts'

/** What a dry turn decides on where those who wait come first: the schedule as it were once they were served. */
export async function previewPromotions<Q extends Queries, Body>(
  { db, waitlist }: Turn,
  { eventTypeId, now, invitee }: Verb<Q, Body>,
  found: Found<Q>,
): Promise<Found<Q>> {
  if (!found.schedule) return found
  const preview = await waitlist.preview(db, eventTypeId, now)
  const schedule = withPromotions(found.schedule, preview)
  const email = invitee && 'email' in invitee ? invitee.email.toLowerCase() : null
  const theirs = preview.given.filter(({ row }) => row.inviteeEmail.toLowerCase() === email).length
  return { ...found, schedule: { ...schedule, inviteeBookings: schedule.inviteeBookings + theirs } }
}

/** The schedule once those who wait have got what is owed to them. */
export function withPromotions(schedule: Schedule, { given, isWhole }: PromotionPreview): Schedule {
  const booked = given.reduce((known, { row, placement }) => withBooking(known, row, placement), schedule)
  return isWhole ? { ...booked, freed: [], wanted: [] } : booked
}
