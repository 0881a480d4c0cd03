import type { Json } from '../world.ts'
import { readDate } from './local-time.ts'
import { refuse } from './refuse.ts'
import type { Account, Calendar } from './state.ts'

const wrong = (reason: string, message: string) => refuse(400, reason, message, { domain: 'calendar' })

/**
 * What an app may make of events that are not plain ones:
 * developers.google.com/workspace/calendar/api/guides/calendar-status and …/guides/event-types. They are only for main
 * calendars, and status events only for accounts of organizations.
 */
export function checkEventType(fields: Json, calendar: Calendar, account: Account): void {
  const { eventType } = fields
  if (eventType === 'default') return
  if (eventType === 'fromGmail') {
    throw wrong('eventTypeRestriction', 'Events of this type cannot be created.')
  }
  const isFor = calendar.kind === 'primary' && (account.isWorkspace || eventType === 'birthday')
  const allDay = Boolean(fields.start.date)
  const days = allDay ? (readDate(fields.end.date)! - readDate(fields.start.date)!) / 86_400_000 : 0
  switch (eventType) {
    case 'focusTime':
      if (!isFor || allDay || fields.transparency === 'transparent') {
        throw wrong(
          'malformedFocusTimeEvent',
          'A focus time event must be a timed event that blocks time on the primary calendar.',
        )
      }
      return
    case 'outOfOffice':
      if (!isFor || allDay || fields.transparency === 'transparent') {
        throw wrong(
          'malformedOutOfOfficeEvent',
          'An out of office event must be a timed event that blocks time on the primary calendar.',
        )
      }
      return
    case 'workingLocation':
      if (!isFor || !fields.workingLocationProperties?.type || fields.visibility !== 'public') {
        throw wrong(
          'malformedWorkingLocationEvent',
          'A working location event must be public and have properties.',
        )
      }
      if (fields.transparency !== 'transparent') {
        throw wrong('malformedWorkingLocationEvent', 'A working location event must be transparent.')
      }
      if (allDay && days !== 1) {
        throw wrong(
          'malformedWorkingLocationEvent',
          'An all-day working location event must be exactly one day long.',
        )
      }
      return
    default: {
      const isYearly = fields.recurrence?.length === 1 && /FREQ=YEARLY/.test(fields.recurrence[0])
      const isBare = !fields.attendees?.length && !fields.location && !fields.description
      if (!isFor || !allDay || days !== 1 || !isYearly || !isBare || fields.visibility !== 'private') {
        throw wrong(
          'eventTypeRestriction',
          'A birthday event must be a private all-day event that recurs annually.',
        )
      }
    }
  }
}
