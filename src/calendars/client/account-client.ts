import type { Interval } from '../../core/interval.ts'
import type { CalendarClient, ExternalEvent } from './calendar-client.ts'

/** A calendar as its account lists it. */
export type ListedCalendar = {
  /** The provider's id of it: of CalDAV and of feeds, its address. */
  readonly externalId: string
  readonly name: string
  /** The main one of the account: one at most. */
  readonly isPrimary: boolean
  readonly canWrite: boolean
  /** Its IANA zone, for its all-day and floating events; null where it names none that is known. */
  readonly timezone: string | null
  /** False where meetings of the suite cannot be made with its events; left out where it does not say. */
  readonly makesMeetings?: boolean
  /** The address of its owner where that is somebody else. */
  readonly owner?: string
  /** Where only free and busy times of it are shared; left out where its events can be read. */
  readonly reads?: 'free_busy'
}

/** A calendar to open. */
export type CalendarKey = Pick<ListedCalendar, 'timezone' | 'reads' | 'owner'> & {
  readonly calendarId: string
  /** Whether events that are marked free block time, too; only the others if left out. */
  readonly blocks?: 'busy' | 'all_events'
}

/** Where the provider sends notifications. */
export type Subscriber = {
  /** A new id, where the subscriber chooses it. */
  readonly id: string
  /** What every notification is to bring. */
  readonly secret: string
  readonly address: string
  /** How long it is wanted; the provider may give less. */
  readonly lifetimeMs: number
}

/** A subscription to the changes of one calendar. */
export type Channel = {
  /** As the provider names it in notifications. */
  readonly id: string
  /** What the provider wants beside the id to end it; null where nothing. */
  readonly resourceId: string | null
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** An event of ours, where it was found in the account. */
export type FoundEvent = { readonly calendarId: string; readonly event: ExternalEvent }

/** One account of one provider. Every call may throw a CalendarError, and nothing else that it expects. */
export type AccountClient = {
  /** The address by which its owner knows it. */
  readonly identify: () => Promise<{ readonly email: string }>
  /** All its calendars that hold events and that it may read. */
  readonly listCalendars: () => Promise<readonly ListedCalendar[]>
  /** Whether only free and busy times of it are shared is also known from the account's last list. */
  readonly openCalendar: (calendar: CalendarKey) => CalendarClient
  /**
   * An event that we wrote, in whichever calendar of the account its owner put it; null when every one of them
   * answered and it is in none. `around` is where it was written, with a day on both sides; `except` are calendars that
   * have the events of other hosts, under the same UID.
   */
  readonly findAnywhere: (known: {
    readonly calendarId: string
    readonly eventId: string
    readonly uid: string
    readonly around: Interval
    readonly except?: readonly string[]
  }) => Promise<FoundEvent | null>
  /** Null if the provider cannot notify, so that it must be polled. */
  readonly push: Push | null
}

export type Push = {
  readonly watch: (calendarId: string, subscriber: Subscriber) => Promise<Channel>
  /** The same channel for longer, or null where the provider wants a new one instead. */
  readonly prolong: (channel: Channel, lifetimeMs: number) => Promise<Channel | null>
  /** Ends a channel; one that ended already is fine. */
  readonly unwatch: (channel: Channel) => Promise<void>
}
