import { env } from 'cloudflare:workers'
import { STATE, type State } from './hours-rows.ts'

/*
 * What held at each moment that counts, as the database itself writes it down: in the transaction of what happened, so
 * nothing can get in between.
 */

/** A booking that was made or moved, and all that held at that very moment. */
export type Made = {
  readonly id: string
  /** Where it was before it moved; null of a new one. */
  readonly was: number | null
  readonly start: number
  readonly end: number
  readonly host: string | null
  readonly email: string
  readonly seats: number
  /** Who waited for the event type, the oldest first. */
  readonly waiting: readonly string[]
  readonly state: State
}

/** Somebody who waits, and all that held when they began to. */
export type Waited = {
  readonly id: string
  readonly eventTypeId: string
  /** Null for any. */
  readonly start: number | null
  readonly status: string
  readonly bookingId: string | null
  readonly state: State
}

const WAITING = `(SELECT json_group_array(id) FROM (SELECT id FROM waitlist_entries
  WHERE event_type_id = e.id AND status = 'waiting' ORDER BY place))`

const MADE = (was: string) => `INSERT INTO states_made SELECT NEW.id, ${was}, NEW.start_time, NEW.end_time,
  NEW.assigned_host_id, lower(NEW.invitee_email), json_array_length(NEW.attendees), ${WAITING}, ${STATE}
  WHERE e.id = NEW.event_type_id;`

const TABLES = [
  'states_made (id, was, start, end, host, email, seats, waiting, state)',
  'states_waited (id, state)',
]

const TRIGGERS = {
  states_of_new: `AFTER INSERT ON bookings BEGIN ${MADE('NULL')} END`,
  states_of_moved: `AFTER UPDATE OF start_time ON bookings WHEN NEW.start_time <> OLD.start_time
    BEGIN ${MADE('OLD.start_time')} END`,
  states_of_waiting: `AFTER INSERT ON waitlist_entries
    BEGIN INSERT INTO states_waited SELECT NEW.id, ${STATE} WHERE e.id = NEW.event_type_id; END`,
}

async function runAll(statements: readonly string[]): Promise<void> {
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
}

/** Makes these tables and triggers; what it answers takes them away again. */
export async function writeDown(
  tables: readonly string[],
  triggers: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  await runAll([
    ...tables.map((table) => `CREATE TABLE ${table}`),
    ...Object.entries(triggers).map(([name, does]) => `CREATE TRIGGER ${name} ${does}`),
  ])
  return () =>
    runAll([
      ...Object.keys(triggers).map((name) => `DROP TRIGGER ${name}`),
      ...tables.map((table) => `DROP TABLE ${table.split(' ')[0]}`),
    ])
}

/** From now on it is written down what held whenever a booking takes its time, or somebody begins to wait. */
export function writeDownStates(): Promise<() => Promise<void>> {
  return writeDown(TABLES, TRIGGERS)
}

const A_PAGE = 100

async function* pagesOf<R extends object>(rows: string): AsyncGenerator<R> {
  for (let last = 0; ; ) {
    const page = env.DB.prepare(`SELECT * FROM (${rows}) WHERE n > ? ORDER BY n LIMIT ${A_PAGE}`)
    const { results } = await page.bind(last).all<R & { readonly n: number }>()
    yield* results as R[]
    if (results.length < A_PAGE) return
    last = results.at(-1)!.n
  }
}

/** Every booking as it was made or moved, in the order of the commits. */
export async function* statesMade(): AsyncGenerator<Made> {
  type Row = Omit<Made, 'state' | 'waiting'> & { readonly state: string; readonly waiting: string }
  for await (const row of pagesOf<Row>('SELECT rowid AS n, * FROM states_made')) {
    yield { ...row, waiting: JSON.parse(row.waiting), state: JSON.parse(row.state) }
  }
}

/** Everybody who ever waited, in the order in which they began to. */
export async function* statesWaited(): AsyncGenerator<Waited> {
  const rows = `SELECT s.rowid AS n, s.id, s.state, w.event_type_id AS eventTypeId, w.start_time AS start, w.status,
    w.promoted_booking_id AS bookingId FROM states_waited s JOIN waitlist_entries w ON w.id = s.id`
  for await (const row of pagesOf<Omit<Waited, 'state'> & { readonly state: string }>(rows)) {
    yield { ...row, state: JSON.parse(row.state) }
  }
}
