import type { BookingRow } from '../../db/schema/bookings.ts'
import type { EventTypeRow } from '../../schedule/schedule.ts'

const MADE: ReadonlySet<string | null> = new Set(['video_a', 'calendar_a_meet', 'calendar_b_meet'])

/**
 * What a moved booking keeps of its event and its link: both belong to the holder and the calendar that they were
 * made for, and new ones are made where one of these is another.
 */
export function keptAfterMove(
  read: BookingRow,
  eventType: EventTypeRow,
  placed: Pick<BookingRow, 'sessionId' | 'calendarConnectionId'>,
): Pick<BookingRow, 'calendarEventId' | 'conferencingUrl'> {
  const isSameHolder = placed.sessionId === read.sessionId
  const isSameCalendar = isSameHolder && placed.calendarConnectionId === read.calendarConnectionId
  const isMade = MADE.has(eventType.conferencingProvider)
  const isSameMeeting = eventType.conferencingProvider === 'video_a' ? isSameHolder : isSameCalendar
  return {
    calendarEventId: isSameCalendar ? read.calendarEventId : null,
    conferencingUrl: isMade && !isSameMeeting ? null : read.conferencingUrl,
  }
}
