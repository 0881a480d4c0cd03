import { type Interval, mergeIntervals } from '../../core/interval.ts'
import { readEvents } from '../../platform/icalendar/read-events.ts'
import type { StepBudget } from '../../platform/icalendar/step-budget.ts'
import type { Unclear } from '../../platform/icalendar/unclear-events.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import type { DavAccount } from './dav-request.ts'
import { plainUid } from './retry-uid.ts'

/** One calendar of an account. */
export type CaldavCalendar = DavAccount & {
  /** The calendar's own URL. */
  readonly url: string
  /** The owner's addresses: an invitation that one of these declined does not block. */
  readonly ownerAddresses: readonly string[]
  /** The IANA zone of dates and floating times. */
  readonly timeZone: string
  /** Whether events that are marked free block time, too. */
  readonly countsFree?: boolean
  /** How the server spells the paths of its resources, by id, where that is otherwise. */
  readonly spellings: Map<string, string>
}

/** A calendar resource as it was read; `event` is null where it holds no event that could be understood. */
type ReadResource = {
  readonly event: ExternalEvent | null
  readonly unclear: Unclear
  /** Whether it holds one that is missing here. */
  readonly isCut: boolean
}

/** The event of a resource: one UID with all that belongs to it (RFC 4791, section 4.1). Throws TooMuchWork. */
export async function readResource(
  { timeZone, ownerAddresses, countsFree = false }: CaldavCalendar,
  id: string,
  etag: string | null,
  data: string,
  window: Interval,
  budget: StepBudget,
): Promise<ReadResource> {
  await budget.nextEvent()
  const { events, ...told } = readEvents(data, {
    window,
    timeZone,
    ownerAddresses,
    countsFree,
    budget,
  })
  const [event] = events
  if (event === undefined) return { event: null, ...told }
  const busy = events.length === 1 ? event.busy : mergeIntervals(events.flatMap((each) => each.busy))
  return { event: { id, etag, uid: plainUid(event.uid), time: event.time, busy }, ...told }
}

/** The path of a resource in one spelling: servers write `/ada/cal/1%40x.ics` or `/ada/cal/1@x.ics`. Null if it is not a URL. */
export function idOf(href: string, base: string): string | null {
  const path = URL.parse(href, base)?.pathname
  if (path === undefined) return null
  try {
    return path
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/')
  } catch {
    return path
  }
}

/** The id of a resource that the server lists. Forward Email's server finds one only as it lists it: `1@x.ics`. */
export function listedId({ url, spellings }: CaldavCalendar, href: string): string | null {
  const id = idOf(href, url)
  if (id !== null && id !== href) spellings.set(id, href)
  return id
}

/** Whether an id is the calendar's own: some servers list it with its events, SOGo without its last slash. */
export function isItself({ url }: CaldavCalendar, id: string): boolean {
  return id.replace(/\/$/, '') === idOf(url, url)?.replace(/\/$/, '')
}

export function urlOf({ url }: CaldavCalendar, id: string): string {
  return new URL(id, url).href
}
