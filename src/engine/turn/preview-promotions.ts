import { withBooking } from '../schedule/apply-booking.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Found } from './load.ts'
import type { PromotionPreview } from './promotions.ts'
import type { Queries, Turn, Verb } from './verb.ts'

/** What a dry turn decides on if the waitlist comes first: the schedule as if it had been served. */
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

/** The schedule after the waitlist got the time reserved for it. */
export function withPromotions(schedule: Schedule, { given, isWhole }: PromotionPreview): Schedule {
  const booked = given.reduce((known, { row, placement }) => withBooking(known, row, placement), schedule)
  return isWhole ? { ...booked, freed: [], wanted: [] } : booked
}
