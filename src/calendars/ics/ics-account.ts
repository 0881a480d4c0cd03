import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { AccountClient, ListedCalendar } from '../client/account-client.ts'
import type { CalendarClient } from '../client/calendar-client.ts'
import { listFeedChanges } from './feed-changes.ts'
import { readFeedEvents } from './feed-events.ts'
import { readHead } from './feed-head.ts'
import { type Feed, fetchFeed } from './fetch-feed.ts'

type IcsAccount = Feed & {
  /** What its owner calls it; null for what its host does. */
  readonly name: string | null
  /** The IANA zone of dates and floating times where the calendar names none. */
  readonly fallbackZone: string
}

/** A feed as an account of one calendar, which is only read. Of its address only the host is shown: the rest is its password. */
export function openIcsAccount({ name, fallbackZone, ...feed }: IcsAccount): AccountClient {
  const { host } = new URL(feed.url)
  const open = (timezone: string | null, countsFree = false) =>
    openFeed(feed, timezone ?? fallbackZone, countsFree)
  return {
    identify: async () => ({ email: host }),
    listCalendars: async (): Promise<readonly ListedCalendar[]> => {
      const head = readHead((await fetchFeed(feed, null))!.text)
      const { timezone } = head
      return [
        { externalId: host, name: name ?? head.name ?? host, isPrimary: true, canWrite: false, timezone },
      ]
    },
    openCalendar: ({ timezone, blocks }) => open(timezone, blocks === 'all_events'),
    findAnywhere: async ({ calendarId, uid, around }) => {
      const event = (await open(null).listEvents(around)).find((each) => each.uid === uid)
      return event ? { calendarId, event } : null
    },
    push: null,
  }
}

function openFeed(feed: Feed, timeZone: string, countsFree: boolean): CalendarClient {
  const readOnly = async () => {
    throw new CalendarError('refused', 'This calendar is only read.')
  }
  return {
    listChanges: (window, since) => listFeedChanges(feed, timeZone, window, since, countsFree),
    listEvents: async (range, signal) => {
      const { text } = (await fetchFeed(feed, null, signal))!
      return (await readFeedEvents(text, range, timeZone, countsFree)).events
    },
    // Nothing is ever written to it, so nothing is looked for by its id.
    findEvent: readOnly,
    writeEvent: readOnly,
    removeEvent: readOnly,
  }
}
