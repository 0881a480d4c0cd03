import { readAnew } from '../../booking/bookings/search/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { TABLES } from '../../platform/db/moved-tables.ts'
import {
  clearDerived,
  clearFreed,
  refuseStray,
  standIn,
  takeIn,
  takeOut,
  takeOutStandIns,
} from './statements.ts'

/** Rows that wait: of which table, and where. */
export type Chunk = { readonly table: string; readonly number: number }

type Arrived = {
  readonly importId: string
  readonly organizationId: string
  readonly eventTypeIds: readonly string[]
  readonly chunks: readonly Chunk[]
}

/**
 * What triggers look at comes before what they fire for, and what they count comes after: with neither the event type nor
 * the organization there yet, no version moves, and every counter is as it was told.
 */
const FIRST = ['sessions', 'bookings', 'slot_holds', 'holds', 'event_sequences', 'events', 'payments']
/** What takes seats. */
const IN_SESSIONS = ['bookings', 'slot_holds']
const LAST = [
  'waitlist_entries',
  'usage_days',
  'payment_sums',
  'logged_addresses',
  'freed_times',
  'event_type_hosts',
  'event_types',
  'organizations',
]

/** All rows at once, in one batch. */
export function takeInAll(db: Db, { importId, organizationId, eventTypeIds, chunks }: Arrived): Statement[] {
  const between = [...TABLES.keys()].filter((name) => !FIRST.includes(name) && !LAST.includes(name))
  const ofTable = (name: string) => chunks.filter(({ table }) => table === name)
  const each = (name: string, statement: (number: number) => Statement) =>
    ofTable(name).map(({ number }) => statement(number))
  const table = (name: string) => TABLES.get(name)!
  const all = (name: string) => each(name, (number) => takeIn(db, table(name), importId, number))
  const sessions = table('sessions')
  return [
    ...all('sessions'),
    ...IN_SESSIONS.flatMap((name) => each(name, (number) => standIn(db, table(name), importId, number))),
    ...all('bookings'),
    ...all('slot_holds'),
    ...IN_SESSIONS.flatMap((name) =>
      each(name, (number) => takeOutStandIns(db, table(name), importId, number)),
    ),
    // Bookings have taken the seats that their sessions came with once more.
    ...each('sessions', (number) => takeOut(db, sessions, importId, number)),
    ...all('sessions'),
    ...each('holds', (number) => refuseStray(db, table('holds'), importId, number)),
    ...all('holds'),
    ...all('event_sequences'),
    ...all('events'),
    ...all('payments'),
    ...between.flatMap(all),
    ...all('waitlist_entries'),
    ...[false, true].map((isTest) => readAnew(db, { organizationId, isTest })),
    ...clearDerived(db, organizationId),
    clearFreed(db, eventTypeIds),
    ...LAST.slice(1).flatMap(all),
  ]
}
