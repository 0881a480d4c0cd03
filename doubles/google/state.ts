import type { Frame, Json } from '../world.ts'
import type { Registration, Settings } from './settings.ts'
import { defaultRegistration, defaultSettings } from './settings.ts'

/** What people may do in a calendar, the least first. */
export const roles = ['freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const
export type Role = (typeof roles)[number]

export type CalendarKind = 'primary' | 'secondary' | 'holidays' | 'birthdays'

export type StoredEvent = {
  /** As the API has it, without what is added when it is shown. Times of day are instants in UTC. */
  fields: Json
  /** The world's count of changes when it last changed. */
  version: number
  /** It left this calendar for another: nothing but the id remains. */
  hasMovedAway: boolean
  /** Gone for good; its id remains taken. */
  isPurged: boolean
  /** Of a series: instances that it had once and has no longer. */
  dropped: { originalStartTime: Json; version: number }[]
}

export type Calendar = {
  readonly id: string
  summary: string
  timeZone: string
  readonly kind: CalendarKind
  /** The owner. */
  readonly owner: string
  isGone: boolean
  events: Map<string, StoredEvent>
  /** Grows when who may see it changes, which ends the sync tokens. */
  epoch: number
  version: number
}

/** A calendar in somebody's list. */
export type Entry = {
  readonly calendarId: string
  accessRole: Role
  isHidden: boolean
  isSelected: boolean
  isDeleted: boolean
  version: number
}

export type Account = {
  readonly mail: string
  readonly name: string
  /** The account itself was deleted. */
  isRemoved: boolean
  entries: Entry[]
  mails: Json[]
}

export type Grant = {
  readonly id: string
  readonly mail: string
  readonly clientId: string
  readonly scopes: readonly string[]
  refreshToken: string | null
  readonly madeAt: number
  /** Of an app in testing. */
  readonly endsAt: number | null
  ended: 'revoked' | 'expired' | 'removed' | 'reauth' | null
}

type AccessToken = { readonly grant: Grant; expiresAt: number }

export type Code = {
  readonly grant: Grant
  readonly redirectUri: string
  readonly challenge: string | null
  readonly challengeMethod: string
  readonly isOffline: boolean
  readonly expiresAt: number
  isUsed: boolean
}

export type Channel = {
  readonly id: string
  readonly resourceId: string
  readonly resourceUri: string
  readonly calendarId: string | null
  readonly mail: string
  readonly grant: Grant
  readonly address: string
  readonly token: string | null
  readonly expiresAt: number
  stoppedAt: number | null
  messages: number
  /** Changes that it should have been told. */
  changes: number
}

export type Cursor = {
  readonly about: string
  readonly version: number
  readonly settings: string
  readonly epoch: number
  readonly madeAt: number
}

type PageLeft = {
  readonly about: string
  readonly settings: string
  readonly items: readonly Json[]
  readonly end: Json
  readonly emptyLeft: number
}

export type State = {
  readonly frame: Frame
  readonly settings: Settings
  readonly registration: Registration
  readonly accounts: Map<string, Account>
  readonly calendars: Map<string, Calendar>
  readonly grants: Grant[]
  readonly codes: Map<string, Code>
  readonly tokens: Map<string, AccessToken>
  readonly channels: Map<string, Channel>
  readonly cursors: Map<string, Cursor>
  readonly pages: Map<string, PageLeft>
  readonly callTimes: Map<string, number[]>
  /** Counts every change. */
  version: number
  /** Grows when cursors are forgotten. */
  forgotten: number
}

export function makeState(frame: Frame): State {
  return {
    frame,
    settings: { ...defaultSettings },
    registration: { ...defaultRegistration },
    accounts: new Map(),
    calendars: new Map(),
    grants: [],
    codes: new Map(),
    tokens: new Map(),
    channels: new Map(),
    cursors: new Map(),
    pages: new Map(),
    callTimes: new Map(),
    version: 0,
    forgotten: 0,
  }
}
