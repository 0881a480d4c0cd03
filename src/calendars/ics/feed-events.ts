import type { Interval } from '../../core/interval.ts'
import { readManyEvents } from '../../platform/icalendar/read-events.ts'
import { StepBudget } from '../../platform/icalendar/step-budget.ts'
import type { Unclear } from '../../platform/icalendar/unclear-events.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'

type FeedEvents = {
  readonly events: readonly ExternalEvent[]
  readonly unclear: Unclear
}

/** Longer UIDs are replaced by their digest. */
const MAX_ID = 200

/**
 * The busy events of a feed in the window. Hosts send no etags, so these are digests of what the events mean, as are ids of
 * events without a UID. Throws `overlong` if reading takes too long.
 */
export async function readFeedEvents(
  text: string,
  window: Interval,
  timeZone: string,
  countsFree = false,
): Promise<FeedEvents> {
  const calendar = { window, timeZone, ownerAddresses: [], countsFree, budget: new StepBudget() }
  const { events, unclear } = await readManyEvents(text, calendar)
  const busy = events.filter((event) => event.busy.length > 0)
  const told = await Promise.all(
    busy.map(async (event) => {
      const etag = await digestOf(JSON.stringify([event.uid, event.time, event.busy]))
      const id = event.uid === '' ? etag : event.uid.length > MAX_ID ? await digestOf(event.uid) : event.uid
      return { ...event, id, etag }
    }),
  )
  return { events: told, unclear }
}

/** Of the text without when it was written: many hosts write that again each time (nextcloud/server#58193). */
export function printOf(text: string): Promise<string> {
  return digestOf(text.replace(/^DTSTAMP[;:].*$/gim, ''))
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest, 0, 16), (octet) => octet.toString(16).padStart(2, '0')).join('')
}
