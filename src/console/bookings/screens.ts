import type { Screen } from '../screen.ts'
import { actOnChosen } from './act-on-chosen.ts'
import { cancelFromConsole } from './cancel-booking.ts'
import { createFromConsole, showNewBooking } from './create-booking.tsx'
import { approveFromConsole, declineFromConsole } from './decide-request.ts'
import { downloadBookings } from './download.ts'
import { editFromConsole, showEdit } from './edit-booking.tsx'
import { handOverFromConsole, showHandOver } from './hand-over.tsx'
import { confirmFromConsole, releaseFromConsole, showHold } from './hold.tsx'
import { leaveFromConsole } from './leave-waitlist.ts'
import { showBookings } from './list.tsx'
import { moveFromConsole, showMove } from './move-booking.tsx'
import { joinFromConsole, showNewEntry } from './new-waitlist-entry.tsx'
import { placeEventFromConsole } from './place-event.ts'
import { attendFromConsole } from './record-attendance.ts'
import { refundFromConsole } from './refund-booking.ts'
import { linkFromConsole, resendFromConsole } from './send-again.ts'
import {
  approveSeriesFromConsole,
  cancelSeriesFromConsole,
  declineSeriesFromConsole,
} from './series/change.ts'
import { showSeries } from './series/show.tsx'
import {
  attendSessionFromConsole,
  cancelSessionFromConsole,
  moveSessionFromConsole,
} from './sessions/change.ts'
import { showSessions } from './sessions/list.tsx'
import { showSession } from './sessions/show.tsx'
import { showBooking } from './show-booking.tsx'
import { showEntry } from './show-waitlist-entry.tsx'

export const bookingScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/bookings', show: showBookings },
  { method: 'GET', path: '/console/bookings/new', show: showNewBooking },
  { method: 'POST', path: '/console/bookings/new', show: createFromConsole },
  { method: 'GET', path: '/console/bookings/download', show: downloadBookings },
  { method: 'POST', path: '/console/bookings/chosen', show: actOnChosen },
  { method: 'GET', path: '/console/bookings/holds/:id', show: showHold },
  { method: 'POST', path: '/console/bookings/holds/:id/confirm', show: confirmFromConsole },
  { method: 'POST', path: '/console/bookings/holds/:id/release', show: releaseFromConsole },
  { method: 'GET', path: '/console/bookings/waitlist/new', show: showNewEntry },
  { method: 'POST', path: '/console/bookings/waitlist/new', show: joinFromConsole },
  { method: 'GET', path: '/console/bookings/waitlist/:id', show: showEntry },
  { method: 'POST', path: '/console/bookings/waitlist/:id/leave', show: leaveFromConsole },
  { method: 'GET', path: '/console/bookings/sessions', show: showSessions },
  { method: 'GET', path: '/console/bookings/sessions/:id', show: showSession },
  { method: 'POST', path: '/console/bookings/sessions/:id/attendance', show: attendSessionFromConsole },
  { method: 'POST', path: '/console/bookings/sessions/:id/cancel', show: cancelSessionFromConsole },
  { method: 'POST', path: '/console/bookings/sessions/:id/move', show: moveSessionFromConsole },
  { method: 'GET', path: '/console/bookings/series/:id', show: showSeries },
  { method: 'POST', path: '/console/bookings/series/:id/approve', show: approveSeriesFromConsole },
  { method: 'POST', path: '/console/bookings/series/:id/cancel', show: cancelSeriesFromConsole },
  { method: 'POST', path: '/console/bookings/series/:id/decline', show: declineSeriesFromConsole },
  { method: 'GET', path: '/console/bookings/:id', show: showBooking },
  { method: 'POST', path: '/console/bookings/:id/approve', show: approveFromConsole },
  { method: 'POST', path: '/console/bookings/:id/decline', show: declineFromConsole },
  { method: 'POST', path: '/console/bookings/:id/attendance', show: attendFromConsole },
  { method: 'POST', path: '/console/bookings/:id/cancel', show: cancelFromConsole },
  { method: 'GET', path: '/console/bookings/:id/edit', show: showEdit },
  { method: 'POST', path: '/console/bookings/:id/edit', show: editFromConsole },
  { method: 'POST', path: '/console/bookings/:id/event', show: placeEventFromConsole },
  { method: 'GET', path: '/console/bookings/:id/hand-over', show: showHandOver },
  { method: 'POST', path: '/console/bookings/:id/hand-over', show: handOverFromConsole },
  { method: 'POST', path: '/console/bookings/:id/link', show: linkFromConsole },
  { method: 'POST', path: '/console/bookings/:id/resend', show: resendFromConsole },
  { method: 'GET', path: '/console/bookings/:id/move', show: showMove },
  { method: 'POST', path: '/console/bookings/:id/move', show: moveFromConsole },
  { method: 'POST', path: '/console/bookings/:id/refund', show: refundFromConsole },
]
