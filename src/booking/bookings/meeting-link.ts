import type { EventTypeRow } from '../../engine/schedule/schedule.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'

/** The link that a booking has from the start. A meeting that is created for it comes later. */
export function givenLink({
  conferencingProvider,
  customMeetingUrl,
}: Pick<EventTypeRow, 'conferencingProvider' | 'customMeetingUrl'>): string | null {
  return conferencingProvider === 'custom' ? customMeetingUrl : null
}

/**
 * The event and the link of a rescheduled booking. Both belong to the holder and the calendar that they were made for; if
 * one of these changes, the booking gets what a new one gets. `calendarLink` is the link that its calendar made with the
 * event, which ends with the event.
 */
export function linkAfterMove(
  read: BookingRow,
  eventType: EventTypeRow,
  placed: Pick<BookingRow, 'sessionId' | 'calendarConnectionId'>,
  calendarLink: string | null,
): Pick<BookingRow, 'calendarEventId' | 'conferencingUrl'> {
  const isSameHolder = placed.sessionId === read.sessionId
  const isSameCalendar = isSameHolder && placed.calendarConnectionId === read.calendarConnectionId
  const isOfHolder = eventType.conferencingProvider === 'video_a' && read.conferencingUrl !== calendarLink
  const isSameMeeting = isOfHolder ? isSameHolder : isSameCalendar
  return {
    calendarEventId: isSameCalendar ? read.calendarEventId : null,
    conferencingUrl:
      read.ownMeetingUrl !== null || isSameMeeting ? read.conferencingUrl : givenLink(eventType),
  }
}
