import { CalendarError } from '../calendar/calendar-client.ts'
import { type FoundResource, readFound } from './choose-calendar.ts'
import { type PropertyName, propfind } from './dav-reports.ts'
import type { DavAccount } from './dav-request.ts'
import { PasswordRefused } from './judge-answer.ts'

export const RESOURCE: readonly PropertyName[] = [
  'D:resourcetype',
  'D:displayname',
  'D:current-user-principal',
  'D:current-user-privilege-set',
  'C:calendar-home-set',
  'C:supported-calendar-component-set',
  'C:calendar-timezone',
  'C:calendar-timezone-id',
]

/** How deep below the top of its host a server is looked for. */
const MAX_FOLDERS = 3

/**
 * The first address that answers as a CalDAV server does. Throws a CalendarError: `refused` as soon as the password is,
 * `unavailable` as soon as no answer comes, else the first failure that says more than that nothing is there.
 */
export async function findEntry(account: DavAccount, serverUrl: string): Promise<FoundResource> {
  let failure: CalendarError | null = null
  for (const url of candidatesOf(serverUrl)) {
    try {
      const found = await askAbout(account, url)
      // RFC 5397, section 3.
      if (found.isForStranger) throw new PasswordRefused()
      if (found.isCalendar || found.principal !== null || found.homes.length > 0) return found
    } catch (error) {
      if (!(error instanceof CalendarError) || error instanceof PasswordRefused) throw error
      if (error.failure === 'unavailable') throw error
      if (error.failure !== 'absent') failure ??= error
    }
  }
  throw failure ?? new CalendarError('unusable', 'The server sent nothing about calendars.')
}

/**
 * Where the server may be that has something at `serverUrl`: there, else in the folders above, the nearest first, where
 * RFC 6764, section 5, and Nextcloud have it: that may stand in a sub-path, and people know the addresses of its pages.
 */
function candidatesOf(serverUrl: string): ReadonlySet<string> {
  const { origin, pathname } = new URL(serverUrl)
  const parts = pathname.split('/').filter((part) => part !== '')
  const above = parts
    .slice(0, MAX_FOLDERS)
    .map((_, index) => `/${parts.slice(0, index + 1).join('/')}/`)
    .toReversed()
    .flatMap((folder) => [`${folder}.well-known/caldav`, `${folder}remote.php/dav/`])
  const given = parts.length === 0 ? [] : [serverUrl]
  const paths = [...above, '/.well-known/caldav', '/', '/remote.php/dav/']
  return new Set([...given, ...paths.map((path) => origin + path)])
}

/** The calendar at an address that its owner named. Throws `absent` where there is none for events. */
export async function findNamed(account: DavAccount, calendarUrl: string): Promise<FoundResource> {
  const found = await askAbout(account, calendarUrl)
  if (found.isCalendar) return found
  throw new CalendarError('absent', 'There is no calendar for events at this URL.')
}

async function askAbout(account: DavAccount, url: string): Promise<FoundResource> {
  const { resources, url: base } = await propfind(account, url, 0, RESOURCE)
  return readFound(base, resources[0]?.props ?? '')
}
