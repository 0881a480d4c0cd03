import type { Json } from '../world.ts'
import { badRequest, notSpoken, Refusal } from './graph-reply.ts'
import { readTime, wallMs } from './local-time.ts'
import { zoneNotSupported } from './prefer.ts'
import type { EventFields, Moment } from './state.ts'
import { ianaOf } from './windows-zones.ts'

const ENUMS: Record<string, readonly string[]> = {
  showAs: ['free', 'tentative', 'busy', 'oof', 'workingElsewhere', 'unknown'],
  sensitivity: ['normal', 'personal', 'private', 'confidential'],
  importance: ['low', 'normal', 'high'],
  onlineMeetingProvider: ['unknown', 'skypeForBusiness', 'skypeForConsumer', 'teamsForBusiness'],
}
const BOOLEANS = [
  ...[
    'isAllDay',
    'isReminderOn',
    'responseRequested',
    'allowNewTimeProposals',
    'hideAttendees',
    'isOnlineMeeting',
  ],
]
/** Read-only ones are taken and change nothing, such as `iCalUId` (mguessan/davmail#462). */
const READ_ONLY = new Set([
  ...[
    'id',
    'iCalUId',
    'createdDateTime',
    'lastModifiedDateTime',
    'changeKey',
    'bodyPreview',
    'hasAttachments',
    'type',
  ],
  ...[
    'seriesMasterId',
    'webLink',
    'onlineMeetingUrl',
    'onlineMeeting',
    'originalStart',
    'originalStartTimeZone',
  ],
  ...['originalEndTimeZone', 'isOrganizer', 'organizer', 'isCancelled', 'responseStatus', 'isDraft'],
])
const WRITABLE = new Set([
  ...['subject', 'body', 'start', 'end', 'location', 'locations', 'attendees', 'categories', 'recurrence'],
  ...['reminderMinutesBeforeStart', 'transactionId', 'singleValueExtendedProperties', ...BOOLEANS],
  ...Object.keys(ENUMS),
])

export const invalid = (message: string): Refusal =>
  new Refusal(400, 'ErrorPropertyValidationFailure', message)

/** Property names are those of the type, and nothing else is taken. */
export function checkNames(body: Json): void {
  for (const name of Object.keys(body)) {
    if (['extensions', 'attachments', 'multiValueExtendedProperties'].includes(name)) throw notSpoken(name)
    if (name.includes('@odata') || READ_ONLY.has(name) || WRITABLE.has(name)) continue
    throw badRequest(
      `The property '${name}' does not exist on type 'microsoft.graph.event'. Make sure to only use property names that are defined by the type.`,
      'RequestBodyRead',
    )
  }
}

/** learn.microsoft.com/graph/api/resources/datetimetimezone */
function readMoment(said: Json | undefined, name: string): Moment {
  if (typeof said?.dateTime !== 'string')
    throw invalid(`At least one property failed validation. Property: ${name}.`)
  const zone = said.timeZone ?? ''
  if (ianaOf(zone) === null) throw zoneNotSupported(zone)
  const ms = readTime(said.dateTime, zone)
  if (ms === null)
    throw badRequest(`Cannot convert the literal '${said.dateTime}' to the expected type 'Edm.String'.`)
  return { ms, zone }
}

function readAttendee(said: Json): Json {
  const address = said.emailAddress?.address
  if (typeof address !== 'string') throw invalid('At least one recipient is not valid.')
  if (said.type && !['required', 'optional', 'resource'].includes(said.type))
    throw badRequest('Invalid attendee type.')
  return {
    type: said.type ?? 'required',
    status: said.status ?? { response: 'none', time: '0001-01-01T00:00:00Z' },
    emailAddress: { name: said.emailAddress.name ?? address, address },
  }
}

function readLocation(said: Json): Json {
  const displayName = said.displayName ?? ''
  return {
    ...said,
    displayName,
    locationType: said.locationType ?? 'default',
    ...(displayName !== '' && { uniqueId: said.uniqueId ?? displayName }),
    uniqueIdType: displayName === '' ? 'unknown' : 'private',
  }
}

function readExtended(said: unknown): { id: string; value: string }[] {
  return (said as Json[]).map(({ id, value }) => {
    // learn.microsoft.com/graph/api/resources/extended-properties-overview: type, GUID, and name or number
    if (!/^\w+ \{[\da-f-]{36}\} (Name .+|Id 0x[\da-f]+)$|^\w+ 0x[\da-f]+$/i.test(id ?? '')) {
      throw new Refusal(400, 'ErrorInvalidProperty', `The property '${id}' is invalid.`)
    }
    return { id, value: String(value) }
  })
}

/** The fields that a client's event says, checked; what it does not say is left out. */
export function readFields(said: Json): Partial<EventFields> {
  const fields: Partial<EventFields> = {}
  const take = <N extends keyof EventFields>(name: N, read: (value: any) => EventFields[N]) => {
    if (said[name] !== undefined && said[name] !== null) fields[name] = read(said[name])
  }
  take('subject', (text) => String(text).slice(0, 255))
  take('body', ({ contentType, content }) => {
    const type = String(contentType ?? 'text').toLowerCase()
    if (type !== 'html' && type !== 'text')
      throw badRequest(`Requested value '${contentType}' was not found.`)
    return { contentType: type, content: String(content ?? '') }
  })
  take('start', (moment) => readMoment(moment, 'Start'))
  take('end', (moment) => readMoment(moment, 'End'))
  take('location', readLocation)
  take('locations', (list) => list.map(readLocation))
  take('attendees', (list) => list.map(readAttendee))
  take('categories', (list) => list.map(String))
  take('reminderMinutesBeforeStart', Number)
  take('singleValueExtendedProperties', readExtended)
  for (const name of BOOLEANS as 'isAllDay'[]) {
    if (said[name] !== undefined && said[name] !== null && typeof said[name] !== 'boolean') {
      throw badRequest(`Cannot convert the literal '${said[name]}' to the expected type 'Edm.Boolean'.`)
    }
    take(name, Boolean)
  }
  for (const [name, values] of Object.entries(ENUMS)) {
    take(name as 'showAs', (value) => {
      const found = values.find((one) => one.toLowerCase() === String(value).toLowerCase())
      if (!found) throw badRequest(`Requested value '${value}' was not found.`)
      return found
    })
  }
  // One location written takes the place of all that were there: learn.microsoft.com/graph/api/event-update
  if (fields.location && !fields.locations)
    fields.locations = fields.location.displayName ? [fields.location] : []
  else if (fields.locations) fields.location = fields.locations[0] ?? readLocation({})
  return fields
}

/** learn.microsoft.com/graph/api/resources/event (`isAllDay`); Exchange's own code for an end before the start. */
export function checkTimes({ start, end, isAllDay }: EventFields): void {
  if (isAllDay) {
    for (const [name, moment] of Object.entries({ Start: start, End: end })) {
      if (wallMs(moment.ms, moment.zone) % 86_400_000 !== 0) {
        throw badRequest(
          `The Event.${name} property for an all-day event needs to be set to midnight.`,
          'ErrorInvalidRequest',
        )
      }
    }
    if (start.zone !== end.zone) {
      throw badRequest(
        'The start and end of an all-day event must be in the same time zone.',
        'ErrorInvalidRequest',
      )
    }
    if (end.ms <= start.ms) throw tooEarly()
  }
  if (end.ms < start.ms) throw tooEarly()
}

const tooEarly = () =>
  badRequest('The end date is earlier than the start date.', 'ErrorCalendarEndDateIsEarlierThanStartDate')
