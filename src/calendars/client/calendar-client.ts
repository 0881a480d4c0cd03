import type { Interval } from '../../core/interval.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import type { Unclear } from '../../platform/icalendar/unclear-events.ts'

/**
 * One event of a calendar as far as scheduling cares, a series with all its occurrences. Instants are epoch
 * milliseconds, intervals half-open.
 */
export type ExternalEvent = {
  /** Its id in the calendar: the path of a CalDAV resource, the event id of an API. */
  readonly id: string
  /** The iCalendar UID (RFC 5545, section 3.8.4.7). */
  readonly uid: string
  readonly etag: string | null
  /** When it (or its first occurrence) takes place, whether or not it blocks; null when it is cancelled. */
  readonly time: Interval | null
  /**
   * The time it blocks within the asked window (or a wider one that the calendar watches), merged, ascending:
   * nothing when transparent, declined or cancelled.
   */
  readonly busy: readonly Interval[]
}

/** What happened in a calendar since it was last asked. */
export type CalendarChanges = {
  readonly changed: readonly ExternalEvent[]
  /**
   * Ids of events that no longer exist. An API that watches a window may include events that left it; `findEvent` finds those.
   */
  readonly gone: readonly string[]
  /** Whether `changed` is all there is in the window, so that any other known event is gone. */
  readonly isComplete: boolean
  /** For the next question; null when the calendar offers none. */
  readonly cursor: string | null
  readonly unclear: Unclear
}

export type Since = {
  readonly cursor: string | null
  /** The etags of the known events, by id; used where the calendar has no other way to find changes, and by a thorough sync. */
  readonly etags: () => Promise<ReadonlyMap<string, string>>
  /** Whether what is listed is compared with the known events even if the cursor reports no change. */
  readonly isThorough?: boolean
}

/** Where a written event is; `etag` is null when the server gave none. */
export type WrittenEvent = {
  readonly id: string
  readonly etag: string | null
  /** The link that the suite made, where one was wanted; null until it has. */
  readonly meetingUrl: string | null
  /** Why the suite makes no link for this account, now or later; in words for its owner. */
  readonly noMeeting?: string
}

/** One calendar of one account. Every call may throw a CalendarError, and nothing else that it expects. */
export type CalendarClient = {
  /**
   * What changed since `since.cursor`, at any time; without a cursor, or when the calendar has forgotten it,
   * all that touches the window. A window that moves brings in what did not change: ask then without a cursor.
   */
  readonly listChanges: (window: Interval, since: Since) => Promise<CalendarChanges>
  /** The events that touch `range`, as the calendar has them now; `signal` ends the wait. */
  readonly listEvents: (range: Interval, signal?: AbortSignal) => Promise<readonly ExternalEvent[]>
  /** An event as it is now; null when it no longer exists. */
  readonly findEvent: (id: string) => Promise<ExternalEvent | null>
  /**
   * Writes an event: a new one where `known` is null. The id of a new one follows from its UID, so that writing
   * twice makes one event. Throws `changed` when it is no longer as `known.etag` says.
   */
  readonly writeEvent: (
    event: CalendarEvent,
    known: Pick<WrittenEvent, 'id' | 'etag'> | null,
  ) => Promise<WrittenEvent>
  /** Removes an event; one that is gone already is fine. */
  readonly removeEvent: (id: string) => Promise<void>
}
