import type { Env } from '../../env.ts'
import { onceMore } from './once-more.ts'
import type { Patience } from './patience.ts'
import { SharedTrips } from './shared-trips.ts'

/** May be asked twice: reads, and counts of calls, where one too many does no harm. */
const HARMLESS = /^\s*(select\b|insert into "public_counts")/i

type Options = {
  /** Counts what is asked and what that reads and writes. */
  readonly tally: Env['tally'] | undefined
  readonly deadline?: Env['deadline'] | undefined
  /** Limits how long the database may take, and retries reads after a blip. Without it everything is asked once. */
  readonly patience?: Patience
  /** Whether what is asked at the same time shares a round trip. */
  readonly isShared?: boolean
}

/** The only way to the database: one session, with the part of D1's interface that Drizzle calls. */
export class Connection {
  readonly #session: D1DatabaseSession
  readonly #options: Options
  readonly #trips: SharedTrips<Asked> | null

  constructor(session: D1DatabaseSession, options: Options) {
    this.#session = session
    this.#options = options
    this.#trips = options.isShared ? new SharedTrips((asked) => this.#ask(asked)) : null
  }

  prepare(text: string): Asked {
    return new Asked(this, text, [])
  }

  batch(asked: readonly Asked[]): Promise<D1Result[]> {
    return this.#trips ? this.#trips.ride(asked) : this.#ask(asked)
  }

  async all(asked: Asked): Promise<D1Result> {
    if (!this.#trips) return this.#askAlone(asked, 'all')
    const [result] = await this.#trips.ride([asked])
    return result!
  }

  run(asked: Asked): Promise<D1Result> {
    return this.#askAlone(asked, 'run')
  }

  /** D1 says what a query read only with rows that name their columns, which must differ then. */
  async raw(asked: Asked): Promise<unknown[][]> {
    if (hasDistinctColumns(asked.text)) return valuesOf(await this.all(asked))
    if (this.#trips && /^\s*select\b/i.test(asked.text)) {
      return valuesOf(await this.all(new Asked(this, `SELECT * FROM (${asked.text})`, asked.values)))
    }
    return this.#patiently([asked], async () => {
      this.#count({ trips: 1, statements: 1 })
      const rows = await this.#prepared(asked).raw()
      this.#count({ read: rows.length })
      return rows
    })
  }

  #askAlone(asked: Asked, how: 'all' | 'run'): Promise<D1Result> {
    return this.#patiently([asked], async () => {
      this.#count({ trips: 1, statements: 1 })
      const result = await this.#prepared(asked)[how]()
      this.#countRows([result])
      return result
    })
  }

  #ask(asked: readonly Asked[]): Promise<D1Result[]> {
    return this.#patiently(asked, async () => {
      this.#count({ trips: 1, statements: asked.length })
      const results = await this.#session.batch(asked.map((one) => this.#prepared(one)))
      this.#countRows(results)
      return results
    })
  }

  #prepared({ text, values }: Asked): D1PreparedStatement {
    const statement = this.#session.prepare(text)
    return values.length > 0 ? statement.bind(...values) : statement
  }

  /** A change is asked once: only its caller knows what a second time does. */
  #patiently<T>(asked: readonly Asked[], ask: () => Promise<T>): Promise<T> {
    const { patience, deadline } = this.#options
    if (!patience) return ask()
    const within = () => patience.with(ask, deadline?.leftMs(), deadline?.watch)
    return asked.every(({ text }) => HARMLESS.test(text)) ? onceMore(within) : within()
  }

  #countRows(results: readonly D1Result[]): void {
    for (const { meta } of results) this.#count({ read: meta.rows_read, written: meta.rows_written })
  }

  #count({ trips = 0, statements = 0, read = 0, written = 0 }): void {
    const { tally } = this.#options
    if (!tally) return
    tally.roundTrips += trips
    tally.statements += statements
    tally.rowsRead += read
    tally.rowsWritten += written
  }
}

/** The text of one statement and its values. */
export class Asked {
  readonly text: string
  readonly values: readonly unknown[]
  readonly #connection: Connection

  constructor(connection: Connection, text: string, values: readonly unknown[]) {
    this.#connection = connection
    this.text = text
    this.values = values
  }

  bind(...values: unknown[]): Asked {
    return new Asked(this.#connection, this.text, values)
  }

  all(): Promise<D1Result> {
    return this.#connection.all(this)
  }

  run(): Promise<D1Result> {
    return this.#connection.run(this)
  }

  raw(): Promise<unknown[][]> {
    return this.#connection.raw(this)
  }
}

function valuesOf({ results }: D1Result): unknown[][] {
  return results.map((row) => Object.values(row as object))
}

const known = new Map<string, boolean>()
const MOST_KNOWN = 500

/** Whether the columns of a query are plain and have different names: an object would keep one of two. */
function hasDistinctColumns(query: string): boolean {
  const found = known.get(query)
  if (found !== undefined) return found
  const names = /^select (.+?) from /is
    .exec(query)?.[1]
    ?.split(', ')
    .map((column) => /^(?:"\w+"\.)?"([a-z_]\w*)"$/.exec(column)?.[1] ?? null)
  const answer = names !== undefined && !names.includes(null) && new Set(names).size === names.length
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(query, answer)
  return answer
}
