const auth = 'https://www.googleapis.com/auth/'

/** developers.google.com/workspace/calendar/api/auth, and those of a sign-in. */
const known = [
  ...[
    '',
    '.acls',
    '.acls.readonly',
    '.app.created',
    '.calendarlist',
    '.calendarlist.readonly',
    '.calendars',
    '.calendars.readonly',
    '.events',
    '.events.freebusy',
    '.events.owned',
    '.events.owned.readonly',
    '.events.public.readonly',
    '.events.readonly',
    '.freebusy',
    '.readonly',
    '.settings.readonly',
  ].map((end) => `${auth}calendar${end}`),
  `${auth}userinfo.email`,
  `${auth}userinfo.profile`,
  'openid',
]

/** What stands on the consent page. */
export const signInScopes: readonly string[] = ['openid', `${auth}userinfo.email`, `${auth}userinfo.profile`]

/** Google takes `email` and `profile` and returns their long names: developers.google.com/identity/protocols/oauth2/scopes. */
export function readScopes(text: string): { scopes: string[]; unknown: string[] } {
  const asked = text.split(/[ +]+/).filter(Boolean)
  const scopes = asked.map((one) =>
    one === 'email' ? `${auth}userinfo.email` : one === 'profile' ? `${auth}userinfo.profile` : one,
  )
  return { scopes: [...new Set(scopes)], unknown: scopes.filter((one) => !known.includes(one)) }
}

const writesEvents = ['', '.events', '.events.owned']
const readsEvents = [...writesEvents, '.events.readonly', '.events.owned.readonly', '.readonly']
const readsList = ['', '.calendarlist', '.calendarlist.readonly', '.readonly']

/**
 * Which scopes let somebody call a method, each alone is enough: the discovery document calendar v3, revision 20260708
 * (googleapis/google-api-python-client, discovery_cache/documents/calendar.v3.json). Those of calendars that an app
 * made itself and of public calendars are left out, for the double has no such views.
 *
 * Easily missed: `calendar.events` neither asks free/busy nor reads a calendar's properties, and
 * `calendar.calendarlist.readonly` does not read them either.
 */
const methodScopes: Readonly<Record<string, readonly string[]>> = {
  'CalendarList.List': readsList,
  'CalendarList.Get': readsList,
  'CalendarList.Watch': readsList,
  'Calendars.Get': ['', '.calendars', '.calendars.readonly', '.readonly'],
  'Events.List': readsEvents,
  'Events.Get': readsEvents,
  'Events.Instances': readsEvents,
  'Events.Watch': readsEvents,
  'Events.Insert': writesEvents,
  'Events.Update': writesEvents,
  'Events.Patch': writesEvents,
  'Events.Delete': writesEvents,
  'Freebusy.Query': ['', '.events.freebusy', '.freebusy', '.readonly'],
  'Channels.Stop': [...new Set([...readsEvents, ...readsList, '.settings.readonly'])],
}

export function scopesOf(method: string): string[] {
  return (methodScopes[method] ?? ['']).map((end) => `${auth}calendar${end}`)
}

/** Scopes for calendars that one owns open no others. */
export function isForOwnedOnly(method: string, granted: readonly string[]): boolean {
  const usable = scopesOf(method).filter((scope) => granted.includes(scope))
  return usable.length > 0 && usable.every((scope) => scope.includes('.events.owned'))
}
