import { catalogue } from './catalogue.ts'

/** Sessions: the bookings of a group event type at one start. */
export const sessionTexts = catalogue(
  {
    title: 'Sessions',
    lead: 'A session is all bookings of a group event type at one start.',
    show: 'Show',
    nothing: 'No sessions in the 31 days from this date.',
    noTypes: 'No event type has more than one seat.',
    seats: '{taken} of {seats} seats taken',
    waiting: '{n} waiting',
    whole: 'Whole session',
    roster: 'Who comes',
    rosterText: 'Tick everybody who did not come.',
    nobody: 'Nobody has booked it. Its seats are only held.',
    move: 'Reschedule session',
    moveText: 'All its bookings are rescheduled, or none. Waitlist entries for the former start end.',
    moved: 'The session was rescheduled.',
    cancel: 'Cancel session',
    cancelText:
      'All its bookings are cancelled, and waitlist entries for its start end. Payments are refunded only if you refund them.',
    wasCancelled: 'The session was cancelled.',
    attended: 'Attendance was recorded.',
  },
  {
    title: 'Gruppentermine',
    lead: 'Ein Gruppentermin sind alle Buchungen einer Terminart mit mehreren Plätzen zu einer Startzeit.',
    show: 'Anzeigen',
    nothing: 'Keine Gruppentermine in den 31 Tagen ab diesem Datum.',
    noTypes: 'Keine Terminart hat mehr als einen Platz.',
    seats: '{taken} von {seats} Plätzen belegt',
    waiting: '{n} auf der Warteliste',
    whole: 'Ganzer Gruppentermin',
    roster: 'Wer kommt',
    rosterText: 'Kreuzen Sie alle an, die nicht gekommen sind.',
    nobody: 'Niemand hat ihn gebucht. Seine Plätze sind nur reserviert.',
    move: 'Gruppentermin verschieben',
    moveText: 'Alle Buchungen werden verschoben, oder keine. Wartelisteneinträge für den alten Start enden.',
    moved: 'Der Gruppentermin wurde verschoben.',
    cancel: 'Gruppentermin absagen',
    cancelText:
      'Alle Buchungen werden abgesagt, und Wartelisteneinträge für den Start enden. Zahlungen werden nur erstattet, wenn Sie sie erstatten.',
    wasCancelled: 'Der Gruppentermin wurde abgesagt.',
    attended: 'Die Teilnahme wurde erfasst.',
  },
)
