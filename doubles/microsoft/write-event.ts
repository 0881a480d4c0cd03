import type { Json } from '../world.ts'
import { nextVersion } from './accounts.ts'
import { occurrenceOn, singleOf } from './expand-series.ts'
import { badRequest, itemNotFound, Refusal } from './graph-reply.ts'
import { eventIdOf, iCalUIdOf, immutableEventIdOf } from './make-ids.ts'
import { changed } from './notify-changes.ts'
import { checkNames, checkTimes, invalid, readFields } from './read-event.ts'
import { readRecurrence } from './read-recurrence.ts'
import { mailUpdate, sendMails } from './send-mails.ts'
import { checkNeighbours } from './series-bounds.ts'
import type { Account, Calendar, EventFields, State, StoredEvent } from './state.ts'
import { askForMeeting, patchMeeting } from './teams-meeting.ts'

const NO_LOCATION = {
  displayName: '',
  locationType: 'default',
  uniqueIdType: 'unknown',
  address: {},
  coordinates: {},
}
const NEVER = '0001-01-01T00:00:00Z'

function blankFields(account: Account): Omit<EventFields, 'start' | 'end'> {
  const emailAddress = { name: account.settings.displayName, address: account.mail }
  return {
    ...{ subject: '', body: { contentType: 'html' as const, content: '' }, isAllDay: false, showAs: 'busy' },
    ...{ location: NO_LOCATION, locations: [], attendees: [], isCancelled: false, isOrganizer: true },
    ...{
      organizer: { emailAddress },
      responseStatus: { response: 'organizer', time: NEVER },
      sensitivity: 'normal',
    },
    ...{ importance: 'normal', categories: [], isReminderOn: true, reminderMinutesBeforeStart: 15 },
    ...{ responseRequested: true, allowNewTimeProposals: true, hideAttendees: false, isOnlineMeeting: false },
    ...{ onlineMeetingProvider: 'unknown', onlineMeeting: null, singleValueExtendedProperties: [] },
  }
}

/**
 * The same event with the same `transactionId` is there already and answered again with 201; another one with it is
 * refused, with the id of the first. blog.rykoma.net/2020/10/05/1559
 */
function earlierWith(account: Account, transactionId: string | null, posted: string): StoredEvent | null {
  if (transactionId === null) return null
  const earlier = account.events.find((event) => !event.isDeleted && event.transactionId === transactionId)
  if (earlier && earlier.posted !== posted) {
    throw new Refusal(
      409,
      'ErrorDuplicateTransactionId',
      "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
      {},
      { '@event.existingEventId': earlier.id },
    )
  }
  return earlier ?? null
}

/** Checked and stored; `more` is what only the provider's own apps may say. */
export function createEvent(
  state: State,
  account: Account,
  calendar: Calendar,
  said: Json,
  more: Partial<EventFields> & { iCalUId?: string } = {},
): StoredEvent {
  checkNames(said)
  const transactionId = said.transactionId ?? null
  const posted = JSON.stringify(said)
  const earlier = earlierWith(account, transactionId, posted)
  if (earlier) return earlier
  if (!said.start || !said.end)
    throw invalid('At least one property failed validation. Property: Start or End.')
  const read = readFields(said)
  const fields: EventFields = {
    ...blankFields(account),
    start: read.start!,
    end: read.end!,
    ...read,
    ...more,
  }
  checkTimes(fields)
  const recurrence = said.recurrence ? readRecurrence(said.recurrence, fields.start.zone) : null
  const of = { userId: account.id, isPersonal: account.settings.kind === 'personal' }
  const key = account.events.length + 1
  const nowMs = state.frame.now()
  const event: StoredEvent = {
    ...{ key, calendar: calendar.key, transactionId, posted, fields, recurrence, isDeleted: false },
    id: eventIdOf(of, key, calendar.id, 0),
    immutableId: immutableEventIdOf(of, key),
    iCalUId: more.iCalUId ?? iCalUIdOf(account.id, key),
    ...{ createdMs: nowMs, modifiedMs: nowMs, version: nextVersion(account) },
    exceptions: new Map(),
    removedDates: new Set(),
  }
  const wanted =
    read.onlineMeetingProvider ?? [account.settings.onlineMeetingProviders].flat()[0] ?? 'unknown'
  if (fields.isOnlineMeeting) askForMeeting(state, account, fields, wanted, event.id)
  account.events.push(event)
  account.eventsById.set(event.id, event).set(event.immutableId, event)
  sendMails(account, 'invitation', fields, fields.attendees)
  changed(state, account, 'created', event)
  return event
}

export function touch(state: State, account: Account, event: StoredEvent): void {
  event.version = nextVersion(account)
  event.modifiedMs = state.frame.now()
}

/** An exception keeps what is its own; the rest follows the series. */
const differences = (before: EventFields, after: EventFields): Partial<EventFields> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name as keyof EventFields]),
  )

export function patchEvent(
  state: State,
  account: Account,
  event: StoredEvent,
  date: string | null,
  said: Json,
  more: Partial<EventFields> = {},
): void {
  checkNames(said)
  if (said.transactionId !== undefined && said.transactionId !== event.transactionId) {
    throw badRequest("The property 'transactionId' cannot be changed after creation.", 'ErrorInvalidRequest')
  }
  const instance = date === null ? singleOf(event) : occurrenceOn(event, date)
  if (!instance) throw itemNotFound()
  const before = instance.fields
  const read = readFields(said)
  const next: EventFields = { ...before, ...read, ...more }
  if (read.singleValueExtendedProperties) {
    const kept = before.singleValueExtendedProperties.filter(
      ({ id }) => !read.singleValueExtendedProperties!.some((one) => one.id === id),
    )
    next.singleValueExtendedProperties = [...kept, ...read.singleValueExtendedProperties]
  }
  checkTimes(next)
  patchMeeting(state, account, next, said, `${event.id} ${account.sequence}`, before)
  if (date === null) {
    event.fields = next
    if (said.recurrence !== undefined) {
      event.recurrence = said.recurrence === null ? null : readRecurrence(said.recurrence, next.start.zone)
    }
    // A series that moves or repeats otherwise has no exceptions left: they hung on its days.
    if (said.recurrence !== undefined || read.start) {
      event.exceptions.clear()
      event.removedDates.clear()
    }
  } else {
    checkNeighbours(event, date, next)
    event.exceptions.set(date, { ...event.exceptions.get(date), ...differences(before, next) })
  }
  touch(state, account, event)
  mailUpdate(account, said, before, next)
  changed(state, account, 'updated', event)
}
