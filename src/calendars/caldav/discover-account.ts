import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { ListedCalendar } from '../client/account-client.ts'
import { idOf } from './calendar-resource.ts'
import { chooseCalendar, type FoundResource, isSameAddress } from './choose-calendar.ts'
import type { DavServer } from './dav-request.ts'
import { listedAs, type Survey, surveyAccount } from './survey-account.ts'

export type DiscoverOptions = DavServer & {
  /** The server, or any address on it that the owner knows: of a page of it, the principal, the home, a calendar. */
  readonly serverUrl: string
  /** The calendar that is wanted, where the owner says. */
  readonly calendarUrl?: string | null | undefined
}

type DiscoveredAccount = Pick<Survey, 'email' | 'ownerAddresses'> & {
  readonly calendars: readonly ListedCalendar[]
  /** The wanted one, else the default, else the first that may be written to. */
  readonly main: ListedCalendar
}

/**
 * An account with its calendars, to connect one of them. Throws CalendarErrors: `absent` where there is no calendar, or none
 * at the address that was named. Another one never takes its place.
 */
export async function discoverAccount(options: DiscoverOptions): Promise<DiscoveredAccount> {
  const { serverUrl, calendarUrl } = options
  const survey = await surveyAccount(options, calendarUrl || serverUrl)
  const { email, ownerAddresses, calendars, defaultUrl } = survey
  const named = calendarUrl || (namesCalendar(serverUrl, survey) ? serverUrl : null)
  const wanted = named === null ? null : calendarAt(named, survey)
  if (named !== null && wanted === null) {
    throw new CalendarError('absent', `The account has no calendar for events at ${named}.`)
  }
  const byDefault = chooseCalendar(calendars, defaultUrl)
  // A server that is known by one of its calendars is known for that one.
  const primary = calendarUrl ? byDefault : (wanted ?? byDefault)
  const main = wanted ?? primary
  if (main === null) throw new CalendarError('absent', 'The account has no calendar.')
  return {
    email,
    ownerAddresses,
    calendars: calendars.map((each) => listedAs(each, each === primary)),
    main: listedAs(main, main === primary),
  }
}

/** The calendars of an account that is connected, whatever has become of the one that it is known by. */
export async function listCalendars(
  options: DavServer,
  serverUrl: string,
): Promise<readonly ListedCalendar[]> {
  const survey = await surveyAccount(options, serverUrl)
  const { calendars, defaultUrl } = survey
  const primary = calendarAt(serverUrl, survey) ?? chooseCalendar(calendars, defaultUrl)
  return calendars.map((each) => listedAs(each, each === primary))
}

/** Whether an address of a server is one of a calendar rather than of the server, the account, or a page. */
export function namesCalendar(address: string, { entry, principal }: Survey): boolean {
  if (entry.isGiven && entry.isCalendar) return true
  const path = partsOf(address)
  const owner = new Set(principal === null ? [] : partsOf(principal.url))
  return (principal?.homes ?? []).map(partsOf).some((home) => {
    if (path.length <= home.length) return false
    const differing = home.flatMap((part, at) => (part === path[at] ? [] : [at]))
    // Somebody else's home has their name where this one has its owner's, which is in the principal's address, too.
    const named = home.findLastIndex((part) => owner.has(part))
    return differing.length === 0 || (differing.length === 1 && differing[0] === named)
  })
}

/** The calendar at an address, also one that the server leads to from there; null where the account has none. */
function calendarAt(address: string, { entry, calendars }: Survey): FoundResource | null {
  const urls = entry.isGiven ? [address, entry.url] : [address]
  return calendars.find(({ url }) => urls.some((each) => isSameAddress(url, each))) ?? null
}

function partsOf(url: string): string[] {
  return (idOf(url, url) ?? '').split('/').filter((part) => part !== '')
}
