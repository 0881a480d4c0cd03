import * as z from 'zod'
import type { Interval } from '../../core/interval.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarClient } from '../client/calendar-client.ts'
import { openFreeBusy } from '../client/free-busy.ts'
import type { Api, ApiAnswer } from '../oauth/api.ts'
import { rangeQuery } from './range-query.ts'

/** https://developers.google.com/workspace/calendar/api/v3/reference/freebusy/query */
const Answer = z.object({
  calendars: z.record(
    z.string(),
    z.object({
      busy: z.array(z.object({ start: z.string(), end: z.string() })).default([]),
      errors: z.array(z.object({ reason: z.string().optional() })).optional(),
    }),
  ),
})

/** A calendar that is shared as free/busy only: its events cannot be listed, and it has no push. */
export function openGoogleFreeBusy(api: Api, calendarId: string): CalendarClient {
  return openFreeBusy(async (range, signal) => {
    const body = { ...rangeQuery(range), items: [{ id: calendarId }] }
    const answer = await api({ method: 'POST', path: '/freeBusy', body, signal }).catch((error) => {
      throw error instanceof CalendarError && error.failure === 'refused' ? notPermitted() : error
    })
    return busyIn(answer, calendarId)
  })
}

function busyIn({ json }: ApiAnswer, calendarId: string): Interval[] {
  const found = Answer.safeParse(json).data?.calendars[calendarId]
  if (!found) throw new CalendarError('unusable', 'Google Calendar sent no free and busy times.')
  const [error] = found.errors ?? []
  if (error?.reason === 'notFound')
    throw new CalendarError('absent', 'The Google account has no such calendar any more.')
  if (error) throw new CalendarError('unavailable', 'Google Calendar could not read the free and busy times.')
  return found.busy.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) }))
}

/** The scope is asked for only when somebody wants such a calendar, so that earlier permissions stay as they are. */
function notPermitted(): CalendarError {
  return new CalendarError(
    'refused',
    'Google Calendar was not permitted to show free and busy times: connect the account again with free_busy=true.',
  )
}
