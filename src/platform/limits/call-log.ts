import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { firstIdOf, instantOf } from '../db/ids.ts'
import type { CallNote, CallQuery, StatusClass } from './call-note.ts'
import { windowStart } from './window.ts'

/** So many of the newest calls that went well, and as many that did not: a busy key pushes out no refusal. */
export const LOGGED_CALLS = 5_000
/** Of the calls that a limit refuses, so many of a minute say enough. */
export const LIMITED_CALLS_PER_MINUTE = 10
/** What is too much goes when so much was added. */
const PRUNED_AFTER = 500

const TABLE = `CREATE TABLE IF NOT EXISTS calls (id TEXT NOT NULL PRIMARY KEY, method TEXT NOT NULL, route TEXT NOT NULL,
  status INTEGER NOT NULL, ms INTEGER NOT NULL, refusal TEXT) STRICT, WITHOUT ROWID`

type Row = Omit<CallNote, 'refusal'> & { readonly refusal: string | null }

const RANGES: Readonly<Record<StatusClass, readonly [number, number]>> = {
  '2xx': [0, 399],
  '4xx': [400, 499],
  '5xx': [500, 599],
}

/** The calls of one key, in the storage of the object that counts them. It costs the database of organizations nothing. */
export class CallLog {
  readonly #storage: DurableObjectStorage
  readonly #keptMs: number
  #isOpen = false
  #isWatched = false
  #added = 0
  #braked = { minute: 0, calls: 0 }

  constructor(storage: DurableObjectStorage, keptDays: number) {
    this.#storage = storage
    this.#keptMs = keptDays * DAY_MS
  }

  keep(notes: readonly CallNote[], now: number): void {
    const wanted = notes.filter((note) => this.#isWanted(note))
    if (wanted.length === 0) return
    const { sql } = this.#open()
    for (const { id, method, route, status, ms, refusal } of wanted) {
      const told = refusal && JSON.stringify(refusal)
      sql.exec('INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)', id, method, route, status, ms, told)
    }
    this.#added += wanted.length
    if (this.#added >= PRUNED_AFTER) this.#prune(now)
    if (!this.#isWatched) void this.#watch(now)
  }

  /** Newest first. */
  list({ statusClass, before, limit }: CallQuery, now: number): CallNote[] {
    const [least, most] = statusClass === null ? [0, 999] : RANGES[statusClass]
    return this.#read(
      'id < ? AND id >= ? AND status BETWEEN ? AND ? ORDER BY id DESC LIMIT ?',
      before ?? '~',
      this.#oldest(now),
      least,
      most,
      limit,
    )
  }

  find(id: string, now: number): CallNote | null {
    return this.#read('id = ? AND id >= ?', id, this.#oldest(now))[0] ?? null
  }

  /** What the alarm is for: nothing stays for longer than it may, also of a key that is gone. */
  async tidy(now: number): Promise<void> {
    this.#prune(now)
    await this.#watch(now)
  }

  #isWanted({ refusal, id }: CallNote): boolean {
    if (refusal?.code !== 'rate_limit_exceeded') return true
    const minute = windowStart(instantOf(id), MINUTE_MS)
    if (minute !== this.#braked.minute) this.#braked = { minute, calls: 0 }
    this.#braked.calls += 1
    return this.#braked.calls <= LIMITED_CALLS_PER_MINUTE
  }

  #open(): DurableObjectStorage {
    if (!this.#isOpen) this.#storage.sql.exec(TABLE)
    this.#isOpen = true
    return this.#storage
  }

  #read(condition: string, ...values: (string | number)[]): CallNote[] {
    const found = this.#open().sql.exec<Row>(`SELECT * FROM calls WHERE ${condition}`, ...values)
    return found
      .toArray()
      .map((row) => ({ ...row, refusal: row.refusal === null ? null : JSON.parse(row.refusal) }))
  }

  #prune(now: number): void {
    this.#added = 0
    const { sql } = this.#open()
    sql.exec('DELETE FROM calls WHERE id < ?', this.#oldest(now))
    for (const range of ['status < 400', 'status >= 400']) {
      const oldest = `SELECT id FROM calls WHERE ${range} ORDER BY id DESC LIMIT 1 OFFSET ${LOGGED_CALLS}`
      sql.exec(`DELETE FROM calls WHERE ${range} AND id <= (${oldest})`)
    }
  }

  /** Before every id that is kept. */
  #oldest(now: number): string {
    return firstIdOf(now - this.#keptMs)
  }

  /** Wakes when the oldest call is too old, once a day at least, and no more when there is none. */
  async #watch(now: number): Promise<void> {
    this.#isWatched = true
    if ((await this.#storage.getAlarm()) !== null) return
    const [oldest] = this.#read('true ORDER BY id LIMIT 1')
    if (!oldest) {
      this.#isWatched = false
      return
    }
    const over = instantOf(oldest.id) + this.#keptMs
    await this.#storage.setAlarm(Math.min(now + DAY_MS, Math.max(now + HOUR_MS, over)))
  }
}
