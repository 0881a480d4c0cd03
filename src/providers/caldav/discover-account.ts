import type { ListedCalendar } from '../calendar/account-client.ts'
import { CalendarError } from '../calendar/calendar-client.ts'
import { plainAddress } from '../icalendar/event-part.ts'
import type { Fetch } from '../transport/fetch.ts'
import { chooseCalendar, type FoundResource, isSameAddress, readFound } from './choose-calendar.ts'
import { propfind } from './dav-reports.ts'
import { type DavAccount, resolveUrl } from './dav-request.ts'
import { findEntry, findNamed, RESOURCE } from './find-entry.ts'
import { findDefault, findPrincipal, type Principal } from './find-principal.ts'

export type DiscoverOptions = {
  readonly fetch: Fetch
  /** The server, or any address on it that the owner knows: of a page of it, the principal, the home, a calendar. */
  readonly serverUrl: string
  readonly username: string
  readonly password: string
  /** The calendar that is wanted, where the owner says. */
  readonly calendarUrl?: string | null | undefined
  /** Judges each address before a request goes to it, also those that the server sends. */
  readonly mayReach: (url: string) => boolean
}

type DiscoveredAccount = {
  /** The owner's address, or the user name where the server knows none. */
  readonly email: string
  /** Lower case: all by which invitations may name the owner. */
  readonly ownerAddresses: readonly string[]
  /** Every calendar for events in every home, but no subscriptions. */
  readonly calendars: readonly ListedCalendar[]
  /** The wanted one, else the default, else the first that may be written to. */
  readonly main: ListedCalendar
}

/**
 * An account with its calendars (RFC 6764, section 6; RFC 4791, section 6.2; RFC 6638, section 9.2). Throws CalendarErrors:
 * `absent` where there is no calendar.
 */
export async function discoverAccount(options: DiscoverOptions): Promise<DiscoveredAccount> {
  const { fetch, serverUrl, username, password, mayReach, calendarUrl } = options
  const account: DavAccount = { fetch, username, password, mayReach, url: calendarUrl || serverUrl }
  const entry = calendarUrl ? await findNamed(account, calendarUrl) : await findEntry(account, serverUrl)
  const principal = await findPrincipal(account, entry)
  const listed = await listFound(account, principal, entry)
  const named = entry.isCalendar ? listed.find(({ url }) => isSameAddress(url, entry.url)) : null
  const calendars = named === undefined ? [...listed, entry] : listed
  const byDefault = chooseCalendar(calendars, await findDefault(account, principal))
  // A server that is known by one of its calendars is known for that one.
  const primary = (calendarUrl ? null : named) ?? byDefault
  if (primary === null) throw new CalendarError('absent', 'The account has no calendar.')
  const show = (found: FoundResource) => listedAs(found, found === primary)
  const own = username.includes('@') ? [plainAddress(username)] : []
  return {
    email: principal?.addresses[0] ?? username,
    ownerAddresses: [...new Set([...(principal?.addresses ?? []), ...own])],
    calendars: calendars.map(show),
    main: show(entry.isCalendar ? (named ?? entry) : primary),
  }
}

async function listFound(
  account: DavAccount,
  principal: Principal | null,
  entry: FoundResource,
): Promise<FoundResource[]> {
  // A calendar by itself is what is meant where its server tells of nothing else.
  const homes = principal?.homes.length ? principal.homes : entry.isCalendar ? [] : [entry.url]
  const found = new Map<string, FoundResource>()
  for (const home of homes) {
    const { resources, url: base } = await propfind(account, home, 1, RESOURCE)
    for (const { href, props } of resources) {
      const url = resolveUrl(account, href, base)
      found.set(url, readFound(url, props))
    }
  }
  return [...found.values()].filter(({ isCalendar }) => isCalendar)
}

function listedAs(
  { url, displayName, isWritable, timezone }: FoundResource,
  isPrimary: boolean,
): ListedCalendar {
  return {
    externalId: url,
    name: displayName ?? lastPartOf(url),
    isPrimary,
    canWrite: isWritable !== false,
    timezone,
  }
}

function lastPartOf(url: string): string {
  const part = new URL(url).pathname.split('/').findLast((each) => each !== '') ?? ''
  try {
    return decodeURIComponent(part) || url
  } catch {
    return part
  }
}
