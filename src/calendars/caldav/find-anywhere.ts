import type { Interval } from '../../core/interval.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { StepBudget } from '../../platform/icalendar/step-budget.ts'
import type { AccountClient, FoundEvent, ListedCalendar } from '../client/account-client.ts'
import type { CalendarClient, ExternalEvent } from '../client/calendar-client.ts'
import { type CaldavCalendar, idOf, readResource } from './calendar-resource.ts'
import { queryCalendar, withUid } from './dav-reports.ts'
import { textAt } from './multistatus.ts'

/** A calendar of the account, to be asked in its own ways. */
type OpenedCalendar = {
  readonly calendarId: string
  readonly client: CalendarClient
  readonly calendar: CaldavCalendar
}

type Known = Parameters<AccountClient['findAnywhere']>[0]

/**
 * An event of ours in any calendar of its account: where it was, else by its UID. Null when all of them answered and it is
 * in none; the calendar where it was must answer too, also when the account no longer lists it. Throws CalendarErrors.
 */
export async function findAnywhere(
  { calendarId, eventId, uid, around, except = [] }: Known,
  list: () => Promise<readonly ListedCalendar[]>,
  open: (calendarId: string, timezone: string | null) => OpenedCalendar,
): Promise<FoundEvent | null> {
  const known = open(calendarId, null)
  const there = await known.client.findEvent(eventId)
  if (there && there.time !== null) return { calendarId, event: there }
  const left = [calendarId, ...except]
  const others = (await list()).filter(({ externalId }) => !left.includes(externalId))
  const all = [known, ...others.map(({ externalId, timezone }) => open(externalId, timezone))]
  for (const { calendarId: id, calendar } of all) {
    const event = await findByUid(calendar, uid, around)
    if (event) return { calendarId: id, event }
  }
  // Not every server finds by UID what it has (python-caldav's compatibility hints), and this cancels bookings.
  for (const { calendarId: id, client } of all) {
    const event = (await client.listEvents(around)).find((each) => isOurs(each, uid))
    if (event) return { calendarId: id, event }
  }
  return null
}

/** The event with that UID in one calendar; null also where the server cannot search so. */
export async function findByUid(
  calendar: CaldavCalendar,
  uid: string,
  around: Interval = { start: 0, end: 0 },
): Promise<ExternalEvent | null> {
  // What stands before the domain is in the UID of one that was written again, too.
  const filter = withUid(uid.replace(/@.*$/s, ''))
  const answer = await queryCalendar(calendar, calendar.url, filter, ['D:getetag', 'C:calendar-data']).catch(
    (error) => {
      if (error instanceof CalendarError && ['unusable', 'refused'].includes(error.failure)) return null
      throw error
    },
  )
  const budget = new StepBudget()
  for (const { href, props } of answer?.resources ?? []) {
    const [id, data] = [idOf(href, calendar.url), textAt(props, 'calendar-data')]
    if (id === null || data === null) continue
    const { event } = await readResource(calendar, id, textAt(props, 'getetag'), data, around, budget)
    if (event && isOurs(event, uid)) return event
  }
  return null
}

function isOurs(event: ExternalEvent, uid: string): boolean {
  return event.uid === uid && event.time !== null
}
