import type { EventTypeRow } from '../../engine/schedule/schedule.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Place } from '../../platform/db/schema/event-types.ts'

type Meeting = Pick<EventTypeRow, 'conferencingProvider' | 'customMeetingUrl'>

/** How people meet: as the place says that was chosen, else as the event type does. */
export function providerOf(
  { conferencingProvider }: Pick<Meeting, 'conferencingProvider'>,
  place: Place | null,
): Place['kind'] | null {
  return place === null ? conferencingProvider : place.kind
}

/** The link that a booking has from the start. A meeting that is created for it comes later. */
export function givenLink(eventType: Meeting, place: Place | null): string | null {
  if (providerOf(eventType, place) !== 'custom') return null
  return place === null ? eventType.customMeetingUrl : place.value
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
  const isOfHolder = providerOf(eventType, read.place) === 'video_a' && read.conferencingUrl !== calendarLink
  const isSameMeeting = isOfHolder ? isSameHolder : isSameCalendar
  return {
    calendarEventId: isSameCalendar ? read.calendarEventId : null,
    conferencingUrl:
      read.ownMeetingUrl !== null || isSameMeeting ? read.conferencingUrl : givenLink(eventType, read.place),
  }
}
