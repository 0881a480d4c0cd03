import type { Call } from '../world.ts'
import { isZone, readInstant } from './local-time.ts'
import { badRequest, invalid, refuse } from './refuse.ts'

const common = 'alt fields key oauth_token access_token prettyPrint quotaUser userIp'
const writing =
  'conferenceDataVersion eventLabelVersion maxAttendees sendNotifications sendUpdates supportsAttachments'
const listing =
  'alwaysIncludeEmail eventTypes iCalUID maxAttendees maxResults orderBy pageToken privateExtendedProperty q sharedExtendedProperty showDeleted showHiddenInvitations singleEvents syncToken timeMax timeMin timeZone updatedMin'

/** What the discovery document of calendar v3 gives each method. */
const parameters: Readonly<Record<string, string>> = {
  'CalendarList.List':
    'maxResults minAccessRole pageToken showDeleted showHidden showOwnOrganizationOnly syncToken',
  'CalendarList.Watch':
    'maxResults minAccessRole pageToken showDeleted showHidden showOwnOrganizationOnly syncToken',
  'CalendarList.Get': '',
  'Calendars.Get': '',
  'Events.List': listing,
  'Events.Watch': listing,
  'Events.Get': 'alwaysIncludeEmail maxAttendees timeZone',
  'Events.Instances':
    'alwaysIncludeEmail maxAttendees maxResults originalStart pageToken showDeleted timeMax timeMin timeZone',
  'Events.Insert': writing,
  'Events.Update': `alwaysIncludeEmail ${writing}`,
  'Events.Patch': `alwaysIncludeEmail ${writing}`,
  'Events.Delete': 'sendNotifications sendUpdates',
  'Freebusy.Query': '',
  'Channels.Stop': '',
}

const wrong = (name: string, message: string) => refuse(400, 'invalidParameter', message, { location: name })

export function checkQuery({ query }: Call, method: string): void {
  const known = new Set(`${common} ${parameters[method] ?? ''}`.split(' '))
  const unknown = [...query.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) throw wrong(unknown, `Unknown parameter: ${unknown}`)
  if ((query.get('alt') ?? 'json') !== 'json')
    throw wrong('alt', `Invalid value '${query.get('alt')}' for alt`)
  readChoice(query, 'sendUpdates', ['all', 'externalOnly', 'none'])
  if (query.has('timeZone') && !isZone(query.get('timeZone'))) throw invalid('Invalid Value', 'timeZone')
}

export function readFlag(query: URLSearchParams, name: string): boolean | null {
  const value = query.get(name)
  if (value === null) return null
  if (value !== 'true' && value !== 'false') throw wrong(name, `Invalid boolean value: '${value}'.`)
  return value === 'true'
}

/** A number of at least 1; beyond the most there is, the most is given. */
export function readCount(query: URLSearchParams, name: string, usual: number, most: number): number {
  const value = query.get(name)
  if (value === null) return usual
  if (!/^-?\d+$/.test(value)) throw wrong(name, `Invalid integer value: '${value}'.`)
  if (Number(value) < 1) {
    throw wrong(name, `Invalid value '${value}'. Values must be within the range: [1, 2147483647]`)
  }
  return Math.min(Number(value), most)
}

export function readChoice<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = query.get(name)
  if (value === null) return null
  const found = choices.find((choice) => choice === value)
  if (found === undefined) {
    throw wrong(name, `Invalid string value: '${value}'. Allowed values: [${choices.join(', ')}]`)
  }
  return found
}

/** A time with an offset, which a query must have; a plus sign that nobody encoded is a space here and no time. */
export function readTime(query: URLSearchParams, name: string): number | null {
  const value = query.get(name)
  if (value === null) return null
  const instant = readInstant(value)
  if (instant === null) throw badRequest()
  return Math.floor(instant / 1000) * 1000
}

export function readVersion(query: URLSearchParams): 0 | 1 {
  return readChoice(query, 'conferenceDataVersion', ['0', '1']) === '1' ? 1 : 0
}
