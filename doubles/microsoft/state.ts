import type { Frame, Json } from '../world.ts'
import type { AccountSettings, Registration, WorldSettings } from './settings.ts'

/** A point in time as an event has it: the instant and the zone in which somebody said it. */
export type Moment = { readonly ms: number; readonly zone: string }

/** What an event says. An exception of a series has some of it. */
export type EventFields = {
  subject: string
  body: { contentType: 'html' | 'text'; content: string }
  start: Moment
  end: Moment
  isAllDay: boolean
  showAs: string
  location: Json
  locations: Json[]
  attendees: Json[]
  isCancelled: boolean
  isOrganizer: boolean
  organizer: Json
  responseStatus: Json
  sensitivity: string
  importance: string
  categories: string[]
  isReminderOn: boolean
  reminderMinutesBeforeStart: number
  responseRequested: boolean
  allowNewTimeProposals: boolean
  hideAttendees: boolean
  isOnlineMeeting: boolean
  onlineMeetingProvider: string
  onlineMeeting: Json | null
  singleValueExtendedProperties: { id: string; value: string }[]
}

export type StoredEvent = {
  /** Its number in the mailbox, which never changes. */
  readonly key: number
  calendar: number
  /** Changes when the event moves to another calendar. */
  id: string
  readonly immutableId: string
  readonly iCalUId: string
  readonly transactionId: string | null
  /** What was posted with `transactionId`. */
  readonly posted: string
  readonly createdMs: number
  modifiedMs: number
  /** Grows with every change in the mailbox. */
  version: number
  isDeleted: boolean
  fields: EventFields
  recurrence: Json | null
  /** By the local date on which the occurrence would start. */
  exceptions: Map<string, Partial<EventFields>>
  removedDates: Set<string>
}

export type Calendar = {
  readonly key: number
  readonly id: string
  readonly immutableId: string
  name: string
  isDefault: boolean
  canEdit: boolean
  /** Its owner shows free and busy times only: its events cannot be listed. */
  isFreeBusyOnly: boolean
  ownerName: string
  ownerMail: string
  isGone: boolean
  version: number
}

export type Account = {
  readonly mail: string
  /** A GUID, or sixteen digits for a personal account. */
  readonly id: string
  readonly tenant: Tenant
  readonly settings: AccountSettings
  readonly calendars: Calendar[]
  readonly events: StoredEvent[]
  readonly eventsById: Map<string, StoredEvent>
  /** Permanently deleted events appear in `…/delta` only. */
  sequence: number
  inFlight: number
  requestTimes: number[]
  readonly mails: Json[]
  /** Scopes that the user consented to. */
  consented: Set<string>
}

export type Tenant = {
  readonly id: string
  readonly name: string
  /** Scopes that an administrator consented to for everybody. */
  readonly consented: Set<string>
}

export type Grant = {
  readonly id: string
  readonly account: Account
  readonly scopes: readonly string[]
  state: 'live' | 'revoked' | 'expired' | 'removed'
  readonly atMs: number
}

export type Subscription = {
  readonly id: string
  readonly account: Account
  readonly resource: string
  readonly changeTypes: readonly string[]
  notificationUrl: string
  readonly lifecycleNotificationUrl: string | null
  readonly clientState: string | null
  readonly tlsVersion: string
  readonly isImmutable: boolean
  /** `null` means `me/events`. */
  readonly calendar: number | null
  expiresMs: number
  isPaused: boolean
}

export type Code = {
  readonly code: string
  readonly account: Account
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly challenge: string | null
  readonly method: 'S256' | 'plain'
  readonly nonce: string | null
  readonly expiresMs: number
  isUsed: boolean
}

export type Token = {
  readonly token: string
  readonly grant: Grant
  readonly scopes: readonly string[]
  readonly issuedMs: number
  expiresMs: number
  isEnded: boolean
}

/** One Microsoft: its accounts, the one app that is registered there, and what it was allowed. */
export type State = {
  readonly frame: Frame
  readonly settings: WorldSettings
  readonly registration: Registration
  readonly accounts: Map<string, Account>
  readonly tenants: Map<string, Tenant>
  readonly grants: Grant[]
  readonly codes: Map<string, Code>
  readonly accessTokens: Map<string, Token>
  readonly refreshTokens: Map<string, Token>
  readonly subscriptions: Subscription[]
  /** What notification URLs answered to their validation. */
  readonly validations: Json[]
}
