import type { Screen } from '../screen.ts'
import {
  createSchedule,
  deleteScheduleFromConsole,
  saveSchedule,
  showNewSchedule,
  showSchedule,
} from './schedule-form.tsx'
import { showHours } from './show-hours.tsx'
import { confirmWeek, saveTimeOff, showNewTimeOff, showTimeOff, takeTimeOff } from './time-off.tsx'
import { blockWeekly, showWeeklyBlock } from './weekly-block.tsx'

export const hoursScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/hours', show: showHours },
  { method: 'GET', path: '/console/hours/new', show: showNewSchedule },
  { method: 'POST', path: '/console/hours/new', show: createSchedule },
  { method: 'GET', path: '/console/hours/block', show: showWeeklyBlock },
  { method: 'POST', path: '/console/hours/block', show: blockWeekly },
  { method: 'GET', path: '/console/hours/week', show: async (request) => confirmWeek(request) },
  { method: 'GET', path: '/console/hours/time-off', show: showNewTimeOff },
  { method: 'POST', path: '/console/hours/time-off', show: takeTimeOff },
  { method: 'GET', path: '/console/hours/time-off/:id', show: showTimeOff },
  { method: 'POST', path: '/console/hours/time-off/:id', show: saveTimeOff },
  { method: 'GET', path: '/console/hours/:id', show: showSchedule },
  { method: 'POST', path: '/console/hours/:id', show: saveSchedule },
  { method: 'POST', path: '/console/hours/:id/delete', show: deleteScheduleFromConsole },
]
