import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { type FoundResource, readFound } from './choose-calendar.ts'
import { type PropertyName, propfind } from './dav-reports.ts'
import type { DavAccount } from './dav-request.ts'
import { PasswordRefused, SignInNotOffered } from './sign-in-refused.ts'

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

export type Entry = FoundResource & {
  /** Whether it is what the owner named, not a place around it. */
  readonly isGiven: boolean
}

/** How deep below the top of its host a server is looked for, and how far above an address that is not there. */
const MAX_FOLDERS = 3
const MAX_PARENTS = 4

/**
 * Where servers are that have no well-known path: SOGo (which takes any name for its own, so it comes first), Nextcloud,
 * SabreDAV and Baikal, DAViCal.
 */
const USUAL_PATHS = ['/SOGo/dav/', '/remote.php/dav/', '/dav.php/', '/caldav.php/']

/** Some servers answer everybody at their top, as Cyrus does: the address below it asks for the password. */
class NeverAsked extends CalendarError {
  constructor() {
    super('refused', 'The server asks for no password at this address. Name the address of your account.')
  }
}

/**
 * The first address that answers as a CalDAV server does to somebody whom it knows. Throws a CalendarError: `refused` as
 * soon as the password is, `unavailable` as soon as no answer comes, else the failure that says most.
 */
export async function findEntry(account: DavAccount, serverUrl: string): Promise<Entry> {
  const failures: CalendarError[] = []
  const unsigned: string[] = []
  const first = await search(account, candidatesOf(serverUrl), serverUrl, failures, unsigned)
  if (first) return first
  // What was asked before the server wanted a password may answer now.
  const second = account.signIn.scheme && (await search(account, unsigned, serverUrl, failures, []))
  if (second) return second
  throw (
    failures.find((each) => each instanceof SignInNotOffered) ??
    failures.find((each) => each instanceof NeverAsked) ??
    failures.find(({ failure }) => failure !== 'absent') ??
    new CalendarError('unusable', 'The server sent nothing about calendars.')
  )
}

async function search(
  account: DavAccount,
  urls: Iterable<string>,
  given: string,
  failures: CalendarError[],
  unsigned: string[],
): Promise<Entry | null> {
  for (const url of urls) {
    try {
      const found = await askAbout(account, url)
      // RFC 5397, section 3.
      if (found.isForStranger) throw account.signIn.signs(url) ? new PasswordRefused(url) : new NeverAsked()
      if (found.isCalendar || found.principal !== null || found.homes.length > 0) {
        return { ...found, isGiven: url === given }
      }
    } catch (error) {
      if (!(error instanceof CalendarError) || error instanceof PasswordRefused) throw error
      if (error.failure === 'unavailable') throw error
      failures.push(error)
    }
    if (account.signIn.scheme === null) unsigned.push(url)
  }
  return null
}

/**
 * Where the server may be that has something at `serverUrl`: there, else in the folders above, the nearest first, where
 * RFC 6764, section 5, and Nextcloud have it: that may be in a sub-path, and people know the addresses of its pages.
 */
function candidatesOf(serverUrl: string): ReadonlySet<string> {
  const { origin, pathname } = new URL(serverUrl)
  const parts = pathname.split('/').filter((part) => part !== '')
  const folders = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}/`).toReversed()
  const above = folders
    .slice(-MAX_FOLDERS)
    .flatMap((folder) => [`${folder}.well-known/caldav`, `${folder}remote.php/dav/`])
  const given = parts.length === 0 ? [] : [serverUrl]
  const parents = folders.slice(1, 1 + MAX_PARENTS)
  const paths = [...above, '/.well-known/caldav', '/', ...parents, ...USUAL_PATHS]
  return new Set([...given, ...paths.map((path) => origin + path)])
}

async function askAbout(account: DavAccount, url: string): Promise<FoundResource> {
  const { resources, url: base } = await propfind(account, url, 0, RESOURCE)
  return readFound(base, resources[0]?.props ?? '')
}
