import type { Call } from '../world.ts'
import { findPlace, type Place } from './accounts.ts'
import type { Caller } from './check-access.ts'
import type { FoundEvent } from './find-event.ts'
import { notFound, refuse } from './refuse.ts'
import { isForOwnedOnly } from './scopes.ts'
import { etagOf, type View } from './show-event.ts'
import { roles, type State } from './state.ts'

/** The calendar that a path names, where the caller may see it. */
export function placeOf(state: State, caller: Caller, method: string, id: string): Place {
  const place = findPlace(state, caller.account, id)
  if (!place) throw notFound()
  if (isForOwnedOnly(method, caller.grant.scopes) && place.entry.accessRole !== 'owner') {
    throw refuse(403, 'forbidden', 'Forbidden')
  }
  return place
}

export function checkMayWrite({ entry }: Place): void {
  if (roles.indexOf(entry.accessRole) < roles.indexOf('writerWithoutPrivateAccess')) {
    const message = 'You need to have writer access to this calendar.'
    throw refuse(403, 'requiredAccessLevel', message, { domain: 'calendar' })
  }
}

/** `If-Match`: developers.google.com/workspace/calendar/api/guides/version-resources. */
export function checkEtag(call: Call, found: FoundEvent): void {
  const wanted = call.headers['if-match']
  if (wanted === undefined || wanted === '*') return
  if (wanted !== etagOf(found)) {
    throw refuse(412, 'conditionNotMet', 'Precondition Failed', {
      location: 'If-Match',
      locationType: 'header',
    })
  }
}

export function viewOf(caller: Caller, { calendar, entry }: Place, query: URLSearchParams): View {
  return {
    calendar,
    role: entry.accessRole,
    mail: caller.account.mail,
    zone: query.get('timeZone') ?? calendar.timeZone,
    maxAttendees: null,
  }
}
