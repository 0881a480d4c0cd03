import { plainAddress } from '../../platform/icalendar/event-part.ts'
import type { ListedCalendar } from '../client/account-client.ts'
import { type FoundResource, readFound } from './choose-calendar.ts'
import { propfind } from './dav-reports.ts'
import { type DavAccount, type DavServer, resolveUrl } from './dav-request.ts'
import { type Entry, findEntry, RESOURCE } from './find-entry.ts'
import { findDefault, findPrincipal, type Principal } from './find-principal.ts'

export type Survey = {
  /** The owner's address, or the user name where the server knows none. */
  readonly email: string
  /** Lower case: all by which invitations may name the owner. */
  readonly ownerAddresses: readonly string[]
  /** Every calendar for events in every home, but no subscriptions. */
  readonly calendars: readonly FoundResource[]
  /** The one that the server puts invitations into; null where it names none. */
  readonly defaultUrl: string | null
  readonly entry: Entry
  readonly principal: Principal | null
}

/** What an account has, from any address on its server (RFC 6764, section 6; RFC 4791, section 6.2). Throws CalendarErrors. */
export async function surveyAccount(server: DavServer, url: string): Promise<Survey> {
  const account: DavAccount = { ...server, url }
  const { username } = server.signIn
  const entry = await findEntry(account, url)
  const principal = await findPrincipal(account, entry)
  const own = username.includes('@') ? [plainAddress(username)] : []
  return {
    email: principal?.addresses[0] ?? username,
    ownerAddresses: [...new Set([...(principal?.addresses ?? []), ...own])],
    calendars: await listFound(account, principal, entry),
    defaultUrl: await findDefault(account, principal),
    entry,
    principal,
  }
}

async function listFound(
  account: DavAccount,
  principal: Principal | null,
  entry: Entry,
): Promise<FoundResource[]> {
  // A calendar alone is what is meant where its server names no home.
  if (!principal?.homes.length && entry.isCalendar) return [entry]
  const found = new Map<string, FoundResource>()
  for (const home of principal?.homes.length ? principal.homes : [entry.url]) {
    const { resources, url: base } = await propfind(account, home, 1, RESOURCE)
    for (const { href, props } of resources) {
      const url = resolveUrl(account, href, base)
      found.set(url, readFound(url, props))
    }
  }
  const calendars = [...found.values()].filter(({ isCalendar }) => isCalendar)
  // DAViCal does not say what may be done with a calendar that somebody else shares.
  const says = calendars.some(({ isWritable }) => isWritable !== null)
  return calendars.map((each) => (says && each.isWritable === null ? { ...each, isWritable: false } : each))
}

export function listedAs(
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
