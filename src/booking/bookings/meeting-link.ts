import type { EventTypeRow } from '../../engine/schedule/schedule.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'

/** The link that a booking has from the start: one that is made comes later. */
export function givenLink({
  conferencingProvider,
  customMeetingUrl,
}: Pick<EventTypeRow, 'conferencingProvider' | 'customMeetingUrl'>): string | null {
  return conferencingProvider === 'custom' ? customMeetingUrl : null
}

/**
 * What a moved booking keeps of its event and its link: both belong to the holder and the calendar that they were
 * made for. Where one of these is another, it has of the event type what a new booking has, whatever made the earlier link.
 * `calendarLink` is what its calendar made with the event, which goes with that.
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
    conferencingUrl: isSameMeeting ? read.conferencingUrl : givenLink(eventType),
  }
}
