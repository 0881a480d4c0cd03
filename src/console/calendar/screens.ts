import type { Screen } from '../screen.ts'
import { blockFromConsole, showFreeTime } from './free-time.tsx'
import { showCalendar } from './show-calendar.tsx'

export const calendarViewScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/calendar', show: showCalendar },
  { method: 'GET', path: '/console/calendar/time', show: showFreeTime },
  { method: 'POST', path: '/console/calendar/time', show: blockFromConsole },
]
