import { zoneNameOf } from '../icalendar/event-clock.ts'
import { childOf, childrenOf, has, textAt, type XmlNode } from './multistatus.ts'

/** What a server says about one of its resources. */
export type FoundResource = {
  readonly url: string
  readonly displayName: string | null
  /** Whether it is a calendar that holds events (RFC 4791, sections 4.2 and 5.2.3). */
  readonly isCalendar: boolean
  /** Null where the server does not say. */
  readonly isWritable: boolean | null
  readonly timezone: string | null
  readonly principal: string | null
  /** Whether the server did not recognize the account (RFC 5397, section 3). */
  readonly isForStranger: boolean
  readonly homes: readonly string[]
}

const WRITES = ['all', 'write', 'write-content', 'bind']

export function readFound(url: string, props: XmlNode): FoundResource {
  const components = childOf(props, 'supported-calendar-component-set')
  const names = childrenOf(components, 'comp').map((comp) => textAt(comp, '@name')?.toUpperCase())
  const privileges = childOf(props, 'current-user-privilege-set')
  const granted = childrenOf(privileges, 'privilege')
  const timezone = textAt(props, 'calendar-timezone')
  return {
    url,
    displayName: textAt(props, 'displayname'),
    isCalendar:
      has(childOf(props, 'resourcetype'), 'calendar') && (names.length === 0 || names.includes('VEVENT')),
    isWritable:
      privileges === undefined ? null : granted.some((each) => WRITES.some((name) => has(each, name))),
    timezone: timezone === null ? null : zoneNameOf(timezone),
    principal: textAt(props, 'current-user-principal', 'href'),
    isForStranger: has(childOf(props, 'current-user-principal'), 'unauthenticated'),
    homes: childrenOf(childOf(props, 'calendar-home-set'), 'href')
      .map((href) => textAt({ href }, 'href'))
      .filter((href) => href !== null),
  }
}

/** The default where it may be written to, else the first that may. */
export function chooseCalendar(
  calendars: readonly FoundResource[],
  defaultUrl: string | null,
): FoundResource | null {
  const writable = calendars.filter(({ isWritable }) => isWritable !== false)
  return writable.find(({ url }) => isSame(url, defaultUrl)) ?? writable[0] ?? null
}

function isSame(url: string, other: string | null): boolean {
  return other !== null && url.replace(/\/$/, '') === other.replace(/\/$/, '')
}
