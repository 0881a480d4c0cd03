import type { Screen } from '../screen.ts'
import { cancelFromConsole } from './cancel-booking.ts'
import { createFromConsole, showNewBooking } from './create-booking.tsx'
import { downloadBookings } from './download.ts'
import { leaveFromConsole } from './leave-waitlist.ts'
import { showBookings } from './list.tsx'
import { moveFromConsole, showMove } from './move-booking.tsx'
import { refundFromConsole } from './refund-booking.ts'
import { showBooking } from './show-booking.tsx'

export const bookingScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/bookings', show: showBookings },
  { method: 'GET', path: '/console/bookings/new', show: showNewBooking },
  { method: 'POST', path: '/console/bookings/new', show: createFromConsole },
  { method: 'GET', path: '/console/bookings/download', show: downloadBookings },
  { method: 'POST', path: '/console/bookings/waitlist/:id/leave', show: leaveFromConsole },
  { method: 'GET', path: '/console/bookings/:id', show: showBooking },
  { method: 'POST', path: '/console/bookings/:id/cancel', show: cancelFromConsole },
  { method: 'GET', path: '/console/bookings/:id/move', show: showMove },
  { method: 'POST', path: '/console/bookings/:id/move', show: moveFromConsole },
  { method: 'POST', path: '/console/bookings/:id/refund', show: refundFromConsole },
]
