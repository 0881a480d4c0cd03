import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { plainAddress } from '../../platform/icalendar/event-part.ts'
import type { FoundResource } from './choose-calendar.ts'
import { propfind } from './dav-reports.ts'
import { type DavAccount, resolveUrl } from './dav-request.ts'
import { childrenOf, has, textAt, type XmlNode } from './multistatus.ts'

/** The owner of an account. */
export type Principal = {
  readonly url: string
  /** The folders that hold its calendars (RFC 4791, section 6.2.1). */
  readonly homes: readonly string[]
  /** Lower case: all by which invitations may name the owner. */
  readonly addresses: readonly string[]
  readonly inbox: string | null
  /** The calendar that invitations go to, if the server says so here rather than at the inbox. */
  readonly defaultUrl: string | null
}

/** Null where the server names none and no homes either. Throws CalendarErrors. */
export async function findPrincipal(account: DavAccount, entry: FoundResource): Promise<Principal | null> {
  if (entry.principal === null) {
    const homes = entry.homes.map((href) => resolveUrl(account, href, entry.url))
    return homes.length === 0 ? null : { url: entry.url, homes, addresses: [], inbox: null, defaultUrl: null }
  }
  const url = resolveUrl(account, entry.principal, entry.url)
  const { resources, url: base } = await propfind(account, url, 0, [
    'C:calendar-home-set',
    'C:calendar-user-address-set',
    'C:schedule-inbox-URL',
    'C:schedule-default-calendar-URL',
  ])
  const props = resources[0]?.props
  return {
    url,
    homes: hrefsOf(props, 'calendar-home-set').map((href) => resolveUrl(account, href, base)),
    addresses: hrefsOf(props, 'calendar-user-address-set')
      .filter((href) => /^mailto:.+@/i.test(href))
      .map(plainAddress),
    inbox: textAt(props, 'schedule-inbox-URL', 'href'),
    defaultUrl: defaultIn(account, props, base),
  }
}

/**
 * The address of the calendar that invitations go to; null where the server names none. RFC 6638, section 9.2, has it on the
 * inbox; SabreDAV and Nextcloud name it at the principal.
 */
export async function findDefault(account: DavAccount, principal: Principal | null): Promise<string | null> {
  if (!principal || principal.defaultUrl !== null) return principal?.defaultUrl ?? null
  if (principal.inbox === null) return null
  try {
    const inbox = resolveUrl(account, principal.inbox, principal.url)
    const { resources, url } = await propfind(account, inbox, 0, ['C:schedule-default-calendar-URL'])
    return defaultIn(account, resources[0]?.props, url)
  } catch (error) {
    // Many servers list an inbox that they do not have.
    if (error instanceof CalendarError && error.failure !== 'unavailable') return null
    throw error
  }
}

function defaultIn(account: DavAccount, props: XmlNode | undefined, base: string): string | null {
  const href = textAt(props, 'schedule-default-calendar-URL', 'href')
  return href === null ? null : resolveUrl(account, href, base)
}

function hrefsOf(props: XmlNode | undefined, name: string): string[] {
  return childrenOf(props, name)
    .flatMap((set) => (has(set, 'href') ? childrenOf(set, 'href') : []))
    .map((href) => textAt({ href }, 'href'))
    .filter((href) => href !== null)
}
