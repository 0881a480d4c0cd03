import { CalendarError, type Fetch } from '../calendar/calendar-client.ts'
import { plainAddress } from '../icalendar/event-part.ts'
import { chooseCalendar, type FoundResource, readFound } from './choose-calendar.ts'
import { type PropertyName, propfind } from './dav-reports.ts'
import { type DavAccount, resolveUrl } from './dav-request.ts'
import { childrenOf, has, textAt, type XmlNode } from './multistatus.ts'

export type DiscoverOptions = {
  readonly fetch: Fetch
  /** The server, or any address on it that the owner knows: of the principal, the home, a calendar. */
  readonly serverUrl: string
  readonly username: string
  readonly password: string
  /** The calendar that is wanted, where the owner says. */
  readonly calendarUrl?: string | null | undefined
  /** Judges each address before a request goes to it, also those that the server sends. */
  readonly mayReach: (url: string) => boolean
}

export type DiscoveredCalendar = {
  readonly calendarUrl: string
  readonly displayName: string | null
  /** The owner's address, or the user name where the server knows none. */
  readonly accountEmail: string
  /** Lower case: all by which invitations may name the owner. */
  readonly ownerAddresses: readonly string[]
  /** IANA; null when the calendar says none. */
  readonly timezone: string | null
  readonly principalUrl: string | null
}

type Principal = {
  readonly url: string
  readonly homes: readonly string[]
  readonly addresses: readonly string[]
  readonly inbox: string | null
}

const RESOURCE: readonly PropertyName[] = [
  'D:resourcetype',
  'D:displayname',
  'D:current-user-principal',
  'D:current-user-privilege-set',
  'C:calendar-home-set',
  'C:supported-calendar-component-set',
  'C:calendar-timezone',
]

/**
 * Finds the calendar that bookings are written to (RFC 6764, section 6; RFC 4791, section 6.2; RFC 6638, section
 * 9.2): the wanted one, else the default, else the first that may be written to. Throws CalendarErrors.
 */
export async function discoverCalendar(options: DiscoverOptions): Promise<DiscoveredCalendar> {
  const { fetch, username, password, mayReach } = options
  const account: DavAccount = {
    fetch,
    username,
    password,
    mayReach,
    url: options.calendarUrl || options.serverUrl,
  }
  const entry = await findEntry(account, options)
  const principal = await findPrincipal(account, entry)
  const found = entry.isCalendar ? entry : await findCalendar(account, principal, entry)
  const named = username.includes('@') ? [plainAddress(username)] : []
  return {
    calendarUrl: found.url,
    displayName: found.displayName,
    accountEmail: principal?.addresses[0] ?? username,
    ownerAddresses: [...new Set([...(principal?.addresses ?? []), ...named])],
    timezone: found.timezone,
    principalUrl: principal?.url ?? null,
  }
}

/** The first address that answers as a CalDAV server does. */
async function findEntry(account: DavAccount, options: DiscoverOptions): Promise<FoundResource> {
  if (options.calendarUrl) {
    const calendar = await ask(account, options.calendarUrl)
    if (!calendar.isCalendar)
      throw new CalendarError('absent', 'There is no calendar for events at this URL.')
    return calendar
  }
  const { serverUrl } = options
  const wellKnown = new URL('/.well-known/caldav', serverUrl).href
  const root = new URL('/', serverUrl).href
  const candidates = new Set(
    new URL(serverUrl).pathname === '/' ? [wellKnown, root] : [serverUrl, wellKnown, root],
  )
  let failure: CalendarError | null = null
  for (const url of candidates) {
    try {
      const found = await ask(account, url)
      if (found.isForStranger) {
        throw new CalendarError('refused', 'The server refuses the user name or password.')
      }
      if (found.isCalendar || found.principal !== null || found.homes.length > 0) return found
    } catch (error) {
      if (!(error instanceof CalendarError) || error.failure !== 'unusable') throw error
      failure ??= error
    }
  }
  throw failure ?? new CalendarError('unusable', 'The server sent nothing about calendars.')
}

async function findPrincipal(account: DavAccount, entry: FoundResource): Promise<Principal | null> {
  if (entry.principal === null) {
    const homes = entry.homes.map((href) => resolveUrl(account, href, entry.url))
    return homes.length === 0 ? null : { url: entry.url, homes, addresses: [], inbox: null }
  }
  const url = resolveUrl(account, entry.principal, entry.url)
  const { resources, url: base } = await propfind(account, url, 0, [
    'C:calendar-home-set',
    'C:calendar-user-address-set',
    'C:schedule-inbox-URL',
  ])
  const props = resources[0]?.props
  return {
    url,
    homes: hrefsOf(props, 'calendar-home-set').map((href) => resolveUrl(account, href, base)),
    addresses: hrefsOf(props, 'calendar-user-address-set')
      .filter((href) => /^mailto:.+@/i.test(href))
      .map(plainAddress),
    inbox: textAt(props, 'schedule-inbox-URL', 'href'),
  }
}

async function findCalendar(
  account: DavAccount,
  principal: Principal | null,
  entry: FoundResource,
): Promise<FoundResource> {
  const calendars: FoundResource[] = []
  for (const home of principal?.homes.length ? principal.homes : [entry.url]) {
    const { resources, url: base } = await propfind(account, home, 1, RESOURCE)
    const found = resources.map(({ href, props }) => readFound(resolveUrl(account, href, base), props))
    calendars.push(...found.filter(({ isCalendar }) => isCalendar))
  }
  const chosen = chooseCalendar(calendars, await findDefault(account, principal))
  if (chosen === null) {
    throw new CalendarError('absent', 'The account has no calendar that events can be written to.')
  }
  return chosen
}

async function findDefault(account: DavAccount, principal: Principal | null): Promise<string | null> {
  if (!principal?.inbox) return null
  try {
    const inbox = resolveUrl(account, principal.inbox, principal.url)
    const { resources, url } = await propfind(account, inbox, 0, ['C:schedule-default-calendar-URL'])
    const href = textAt(resources[0]?.props, 'schedule-default-calendar-URL', 'href')
    return href === null ? null : resolveUrl(account, href, url)
  } catch (error) {
    // Many servers list an inbox that they do not have.
    if (error instanceof CalendarError && error.failure !== 'unavailable') return null
    throw error
  }
}

async function ask(account: DavAccount, url: string): Promise<FoundResource> {
  const { resources, url: base } = await propfind(account, url, 0, RESOURCE)
  return readFound(base, resources[0]?.props ?? '')
}

function hrefsOf(props: XmlNode | undefined, name: string): string[] {
  return childrenOf(props, name)
    .flatMap((set) => (has(set, 'href') ? childrenOf(set, 'href') : []))
    .map((href) => textAt({ href }, 'href'))
    .filter((href) => href !== null)
}
