import type { Frame, Json } from '../world.ts'

/** What `PUT /control` changes. */
export type Settings = {
  /** Of a key in a minute; beyond that it is blocked for a minute: mintlify.com/calcom/cal.com/api/rate-limits. */
  requestsPerMinute: number
  /** Attendees of seated bookings whose event type does not show them: calcom/cal.diy#23514. */
  hiddenAttendees: 'are left out' | 'are shown'
  /** What a list of event types is when there are none. */
  noEventTypes: 'is empty' | 'is refused'
  /** Of the two ways that the hosts of a collective booking are told. */
  collectiveHosts: 'one is a host' | 'all are hosts'
}

/** What `PUT /control/keys` takes a list of. */
export type Key = { key: string; userId: number; state: 'valid' | 'expired' }

export const COLLECTIONS = ['users', 'teams', 'memberships', 'schedules', 'event_types', 'bookings'] as const

export type Collection = (typeof COLLECTIONS)[number]

/** A record by its id; names that begin with `_` are for this double alone. */
export type Stored = Json & { id: number }

export type Cal = {
  readonly frame: Frame
  settings: Settings
  keys: Key[]
  readonly records: Record<Collection, Map<number, Stored>>
  /** Requests of a key in a minute, and until when it is blocked. */
  readonly minutes: Map<string, number>
  readonly blocked: Map<string, number>
}

export function holdCal(frame: Frame): Cal {
  return {
    frame,
    settings: {
      requestsPerMinute: 120,
      hiddenAttendees: 'are left out',
      noEventTypes: 'is empty',
      collectiveHosts: 'one is a host',
    },
    keys: [],
    records: Object.fromEntries(COLLECTIONS.map((name) => [name, new Map()])) as Cal['records'],
    minutes: new Map(),
    blocked: new Map(),
  }
}

export const put = (cal: Cal, collection: Collection, ...all: Stored[]): void => {
  for (const one of all) cal.records[collection].set(one.id, one)
}

export const listed = (cal: Cal, collection: Collection): Stored[] => [...cal.records[collection].values()]

/** Without what is for this double alone. */
export const shown = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !name.startsWith('_')))
