import type { Json } from '../world.ts'
import { htmlOf, previewOf, textOf } from './event-body.ts'
import { type Instance, occurrenceOn } from './expand-series.ts'
import { tellMoment, utcText } from './local-time.ts'
import { changeKeyOf, iCalUIdOfOccurrence, occurrenceIdOf } from './make-ids.ts'
import type { Preferences } from './prefer.ts'
import type { Account } from './state.ts'

export const etagOf = (changeKey: string): string => `W/"${changeKey}"`

/** Occurrences have the change key of their series: they are kept in it. */
export const keyOf = (account: Account, { event }: Instance): string => changeKeyOf(account.id, event.version)

export function idOf({ event, date }: Instance, isImmutable: boolean): string {
  const id = isImmutable ? event.immutableId : event.id
  return date === null ? id : occurrenceIdOf(id, date)
}

function webLinkOf(account: Account, id: string): string {
  const host = account.settings.kind === 'work' ? 'outlook.office365.com' : 'outlook.live.com'
  return `https://${host}/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`
}

/** An event with all that it has: learn.microsoft.com/graph/api/resources/event */
export function eventJson(account: Account, instance: Instance, prefer: Preferences): Json {
  const { event, date, type, fields } = instance
  const changeKey = keyOf(account, instance)
  const id = idOf(instance, prefer.isImmutable)
  const tell = (moment: Instance['fields']['start']) => tellMoment(moment, fields.isAllDay, prefer.zone)
  return {
    '@odata.etag': etagOf(changeKey),
    id,
    createdDateTime: utcText(event.createdMs),
    lastModifiedDateTime: utcText(event.modifiedMs),
    changeKey,
    categories: fields.categories,
    transactionId: event.transactionId,
    originalStartTimeZone: fields.start.zone,
    originalEndTimeZone: fields.end.zone,
    iCalUId: date === null ? event.iCalUId : iCalUIdOfOccurrence(event.iCalUId, date),
    reminderMinutesBeforeStart: fields.reminderMinutesBeforeStart,
    isReminderOn: fields.isReminderOn,
    hasAttachments: false,
    subject: fields.subject,
    bodyPreview: previewOf(fields.body),
    importance: fields.importance,
    sensitivity: fields.sensitivity,
    isAllDay: fields.isAllDay,
    isCancelled: fields.isCancelled,
    isOrganizer: fields.isOrganizer,
    responseRequested: fields.responseRequested,
    seriesMasterId: date === null ? null : prefer.isImmutable ? event.immutableId : event.id,
    showAs: fields.showAs,
    type,
    webLink: webLinkOf(account, id),
    onlineMeetingUrl: null,
    isOnlineMeeting: fields.isOnlineMeeting,
    onlineMeetingProvider: fields.onlineMeetingProvider,
    allowNewTimeProposals: fields.allowNewTimeProposals,
    isDraft: false,
    hideAttendees: fields.hideAttendees,
    ...(date !== null && { originalStart: utcText(originalStartMs(instance)) }),
    responseStatus: fields.responseStatus,
    body:
      prefer.body === 'text'
        ? { contentType: 'text', content: textOf(fields.body) }
        : { contentType: 'html', content: htmlOf(fields.body) },
    start: tell(fields.start),
    end: tell(fields.end),
    location: fields.location,
    locations: fields.locations,
    recurrence: date === null ? event.recurrence : null,
    attendees: fields.attendees,
    organizer: fields.organizer,
    onlineMeeting: fields.onlineMeeting,
  }
}

/** When the series would have it, though an exception be elsewhere. */
function originalStartMs({ event, date }: Instance): number {
  const plain = occurrenceOn({ ...event, exceptions: new Map(), removedDates: new Set() }, date!)
  return plain!.fields.start.ms
}

/** The properties that a client may select. */
export const EVENT_PROPERTIES = new Set([
  ...[
    'id',
    'createdDateTime',
    'lastModifiedDateTime',
    'changeKey',
    'categories',
    'transactionId',
    'iCalUId',
    'subject',
  ],
  ...[
    'originalStartTimeZone',
    'originalEndTimeZone',
    'reminderMinutesBeforeStart',
    'isReminderOn',
    'hasAttachments',
  ],
  ...[
    'bodyPreview',
    'importance',
    'sensitivity',
    'isAllDay',
    'isCancelled',
    'isOrganizer',
    'responseRequested',
    'type',
  ],
  ...[
    'seriesMasterId',
    'showAs',
    'webLink',
    'onlineMeetingUrl',
    'isOnlineMeeting',
    'onlineMeetingProvider',
    'body',
  ],
  ...[
    'allowNewTimeProposals',
    'isDraft',
    'hideAttendees',
    'originalStart',
    'responseStatus',
    'start',
    'end',
    'location',
  ],
  ...['locations', 'recurrence', 'attendees', 'organizer', 'onlineMeeting'],
])
