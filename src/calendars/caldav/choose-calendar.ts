import { zoneNameOf } from '../../platform/icalendar/event-clock.ts'
import { zoneOfEitherName } from '../../platform/icalendar/windows-zones.ts'
import { idOf } from './calendar-resource.ts'
import { childOf, childrenOf, has, textAt, type XmlNode } from './multistatus.ts'

/** What a server says about one of its resources. */
export type FoundResource = {
  readonly url: string
  readonly displayName: string | null
  /** Whether it is a calendar that holds events and may be read (RFC 4791, sections 4.2 and 5.2.3). */
  readonly isCalendar: boolean
  /** Null where the server does not say. */
  readonly isWritable: boolean | null
  readonly timezone: string | null
  readonly principal: string | null
  /** Whether the server did not recognize the account (RFC 5397, section 3). */
  readonly isForStranger: boolean
  readonly homes: readonly string[]
}

/** `write-properties` alone, which Nextcloud grants for calendars that are only read, lets nobody write events. */
const WRITES = ['all', 'write', 'write-content', 'bind']
const READS = [...WRITES, 'read']

/**
 * Collections that are calendars by type but not the owner's: subscriptions, Zimbra's inbox (RFC 6638, section 2.2), Nextcloud's
 * trash (nextcloud/server#26083). An outbox takes no events, so SOGo's main calendar, which is also one, counts.
 */
const NOT_CALENDARS = ['subscribed', 'schedule-inbox', 'deleted-calendar', 'trash-bin']

export function readFound(url: string, props: XmlNode): FoundResource {
  const components = childOf(props, 'supported-calendar-component-set')
  const names = childrenOf(components, 'comp').map((comp) => textAt(comp, '@name')?.toUpperCase())
  const privileges = childOf(props, 'current-user-privilege-set')
  const granted = childrenOf(privileges, 'privilege')
  const isGranted = (wanted: readonly string[]) =>
    granted.some((each) => wanted.some((name) => has(each, name)))
  const type = childOf(props, 'resourcetype')
  return {
    url,
    displayName: textAt(props, 'displayname'),
    isCalendar:
      has(type, 'calendar') &&
      !NOT_CALENDARS.some((name) => has(type, name)) &&
      (names.length === 0 || names.includes('VEVENT')) &&
      (granted.length === 0 || isGranted(READS)),
    isWritable: privileges === undefined ? null : isGranted(WRITES),
    timezone: zoneOf(props),
    principal: textAt(props, 'current-user-principal', 'href'),
    isForStranger: has(childOf(props, 'current-user-principal'), 'unauthenticated'),
    homes: childrenOf(childOf(props, 'calendar-home-set'), 'href')
      .map((href) => textAt({ href }, 'href'))
      .filter((href) => href !== null),
  }
}

/** As RFC 7809 names it, or as RFC 4791 describes it. */
function zoneOf(props: XmlNode): string | null {
  const [name, description] = [textAt(props, 'calendar-timezone-id'), textAt(props, 'calendar-timezone')]
  const named = name === null ? null : zoneOfEitherName(name)
  return named ?? (description === null ? null : zoneNameOf(description))
}

/** The default where it may be written to, else the first that may, else the default, else the first; null of none. */
export function chooseCalendar(
  calendars: readonly FoundResource[],
  defaultUrl: string | null,
): FoundResource | null {
  const writable = calendars.filter(({ isWritable }) => isWritable !== false)
  const candidates = writable.length > 0 ? writable : calendars
  const isDefault = ({ url }: FoundResource) => defaultUrl !== null && isSameAddress(url, defaultUrl)
  return candidates.find(isDefault) ?? candidates[0] ?? null
}

/** Whether two addresses on one server mean the same collection, however they are spelled. */
export function isSameAddress(url: string, other: string): boolean {
  const plain = (address: string) => idOf(address, address)?.replace(/\/+$/, '')
  return plain(url) === plain(other)
}
