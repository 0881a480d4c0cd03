import { defaultCalendar } from './accounts.ts'
import { occurrenceOn } from './expand-series.ts'
import { itemNotFound } from './graph-reply.ts'
import { eventIdOf } from './make-ids.ts'
import { changed } from './notify-changes.ts'
import { sendMails } from './send-mails.ts'
import type { Account, Calendar, State, StoredEvent } from './state.ts'
import { touch } from './write-event.ts'

/** Without one occurrence a series still exists and is reported as updated (microsoft-graph-docs#5520). */
export function deleteEvent(state: State, account: Account, event: StoredEvent, date: string | null): void {
  if (date !== null) {
    if (!occurrenceOn(event, date)) throw itemNotFound()
    event.exceptions.delete(date)
    event.removedDates.add(date)
    touch(state, account, event)
    changed(state, account, 'updated', event)
    return
  }
  event.isDeleted = true
  account.eventsById.delete(event.id)
  account.eventsById.delete(event.immutableId)
  touch(state, account, event)
  if (event.fields.isOrganizer) sendMails(account, 'cancellation', event.fields, event.fields.attendees)
  changed(state, account, 'deleted', event)
}

/**
 * Dragged into another calendar of the same mailbox: its id is another one then and the old one is nobody's, its
 * immutable id and its iCalUId stay. learn.microsoft.com/graph/outlook-immutable-id; microsoft-graph-docs#4447
 */
export function moveEvent(state: State, account: Account, event: StoredEvent, to: Calendar): void {
  if (event.calendar === to.key) return
  changed(state, account, 'deleted', { ...event })
  account.eventsById.delete(event.id)
  event.calendar = to.key
  touch(state, account, event)
  const of = { userId: account.id, isPersonal: account.settings.kind === 'personal' }
  event.id = eventIdOf(of, event.key, to.id, event.version)
  account.eventsById.set(event.id, event)
  changed(state, account, 'created', event)
}

export const calendarOf = (account: Account, event: StoredEvent): Calendar =>
  account.calendars.find(({ key }) => key === event.calendar) ?? defaultCalendar(account)
