import { idOf } from './calendar-resource.ts'
import { type FoundResource, isSameAddress } from './choose-calendar.ts'
import type { Survey } from './survey-account.ts'

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
export function calendarAt(address: string, { entry, calendars }: Survey): FoundResource | null {
  const urls = entry.isGiven ? [address, entry.url] : [address]
  return calendars.find(({ url }) => urls.some((each) => isSameAddress(url, each))) ?? null
}

function partsOf(url: string): string[] {
  return (idOf(url, url) ?? '').split('/').filter((part) => part !== '')
}
