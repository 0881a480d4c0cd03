import type { Reason } from '../../../engine/schedule/reason-codes.ts'
import { PLANS } from '../../../platform/limits/plans.ts'
import { CLOSED, monthUsedUp } from '../../bookable/sentences.ts'
import type { Known } from './explain.ts'

/** A reason in words. */
export function sentenceOf(
  { schedule, wanted }: Known,
  { code, calendar, scheduleId, resourceId }: Reason,
): string {
  const { eventType, organization } = schedule
  const { durationMinutes, seats } = wanted
  switch (code) {
    case 'inactive':
      return CLOSED.inactive
    case 'suspended':
      return CLOSED.suspended
    case 'plan_limit':
      return monthUsedUp(PLANS[organization.tier])
    case 'payment_unavailable':
      return organization.paymentAccountId === null && !eventType.isTest
        ? CLOSED.unpayable
        : 'This many seats cost more than one payment can be.'
    case 'duration_not_offered': {
      const offered = (eventType.durationOptions ?? [eventType.durationMinutes]).join(', ')
      return `A duration of ${durationMinutes} minutes is not offered; these are: ${offered}.`
    }
    case 'in_past':
      return 'This time has passed.'
    case 'too_soon':
      return `Bookings need ${eventType.minimumNoticeMinutes} minutes of notice.`
    case 'too_far':
      return `Bookings are taken at most ${eventType.bookingWindowDays} days ahead.`
    case 'outside_window':
      return `Bookings are taken for ${datesOf(eventType.bookableFrom, eventType.bookableUntil)} only.`
    case 'outside_hours':
      return scheduleId === undefined
        ? 'The meeting would not lie within the hours of the event type.'
        : "The meeting would not lie within the hours of the event type's schedule."
    case 'date_closed':
      return 'An override closes this date.'
    case 'off_grid': {
      const minutes = eventType.slotIntervalMinutes ?? durationMinutes
      return `Starts lie ${minutes} minutes apart from the beginning of the hours; this is not one of them.`
    }
    case 'outside_host_hours':
      return scheduleId === undefined
        ? 'The host has no schedule, and so no hours.'
        : "The meeting would not lie within the host's hours."
    case 'time_off':
      return 'The host has time off.'
    case 'booked':
      return 'A booking has this time, with its buffers.'
    case 'held':
      return 'Somebody holds this time for a while, with its buffers.'
    case 'busy_calendar': {
      const { lostAt } = calendar?.connection ?? { lostAt: null }
      return lostAt !== null && eventType.calendarOutage === 'closed'
        ? CLOSED.calendarLost
        : 'A calendar says that this time is busy.'
    }
    case 'session_full':
      return seats > eventType.maxAttendees
        ? `At most ${eventType.maxAttendees} may come, and ${seats} seats are wanted.`
        : `Fewer than ${seats} of the ${eventType.maxAttendees} seats are left.`
    case 'cap_reached':
      return `The cap of ${eventType.bookingCap} bookings (${eventType.bookingCapPeriod ?? 'total'}) is reached.`
    case 'host_limit':
      return 'The host has as many meetings on this day or in this week as they take.'
    case 'no_hosts':
      return CLOSED.noHosts
    case 'no_hours':
      return CLOSED.noHours
    case 'calendar_lost':
      return CLOSED.calendarLost
    case 'resource_busy':
      return `Too few units of “${nameOf(schedule, resourceId)}” are free.`
    case 'resource_closed':
      return `“${nameOf(schedule, resourceId)}” is closed.`
    case 'no_resources':
      return CLOSED.noResources
    case 'owed_to_waitlist':
      return 'This time was given up and goes to those who wait for it.'
  }
}

function nameOf({ rooms }: Known['schedule'], resourceId: string | undefined): string {
  return rooms.find(({ id }) => id === resourceId)?.name ?? ''
}

function datesOf(from: string | null, until: string | null): string {
  if (from === null) return `dates until ${until}`
  return until === null ? `dates from ${from} on` : `dates from ${from} to ${until}`
}
