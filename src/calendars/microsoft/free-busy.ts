import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarClient } from '../client/calendar-client.ts'
import { openFreeBusy } from '../client/free-busy.ts'
import type { Api } from '../oauth/api.ts'

/** https://learn.microsoft.com/graph/api/calendar-getschedule */
const Moment = z.object({ dateTime: z.string() })
const Answer = z.object({
  value: z
    .array(
      z.object({
        scheduleItems: z.array(z.object({ status: z.string(), start: Moment, end: Moment })).nullish(),
        error: z.object({ responseCode: z.string().nullish() }).nullish(),
      }),
    )
    .min(1),
})

const IDLE = ['free', 'workingElsewhere']

/** The free and busy times of a calendar whose events its owner does not show: those of the owner's whole mailbox. */
export function openGraphFreeBusy(api: Api, owner: string): CalendarClient {
  return openFreeBusy(async ({ start, end }, signal) => {
    const { json } = await api({
      method: 'POST',
      path: '/me/calendar/getSchedule',
      headers: { Prefer: 'outlook.timezone="UTC"' },
      body: {
        schedules: [owner],
        startTime: { dateTime: wall(start), timeZone: 'UTC' },
        endTime: { dateTime: wall(end), timeZone: 'UTC' },
        availabilityViewInterval: 60,
      },
      signal,
    })
    const schedule = Answer.safeParse(json).data?.value[0]
    if (!schedule) throw new CalendarError('unusable', 'Microsoft 365 sent no free and busy times.')
    if (schedule.error)
      throw new CalendarError('refused', 'Microsoft 365 does not show the free and busy times of the owner.')
    return (schedule.scheduleItems ?? [])
      .filter(({ status }) => !IDLE.includes(status))
      .map(({ start: from, end: to }) => ({ start: instant(from.dateTime), end: instant(to.dateTime) }))
  })
}

/** Without a zone, which is named beside it. */
function wall(at: number): string {
  return new Date(at).toISOString().slice(0, 19)
}

/** Graph writes seven decimals and no zone. */
function instant(dateTime: string): number {
  return Date.parse(`${dateTime.slice(0, 19)}Z`)
}
