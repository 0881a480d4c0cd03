import type { Db } from '../../platform/db/client.ts'
import { TABLES } from '../../platform/db/moved-tables.ts'
import type { Bound } from '../../platform/db/text-statement.ts'
import type { Chunk } from './insert-rows.ts'
import { assertShort } from './read-lines.ts'
import { forgetImport, keepChunk } from './statements.ts'

/** As many characters of one table wait in memory; each may be three bytes, and a parameter may have two million. */
const CHUNK_CHARS = 400_000
/** Rows to be written in chunks, one open chunk per table. */
export class Keeping {
  readonly db: Db
  readonly importId: string
  readonly #open = new Map<string, { rows: string[]; chars: number }>()
  readonly #chunks: Chunk[] = []

  constructor(db: Db, importId: string) {
    this.db = db
    this.importId = importId
  }

  /** `number` is that of the line. */
  async add(number: number, table: string, values: readonly Bound[]): Promise<void> {
    const open = this.#open.get(table) ?? { rows: [], chars: 0 }
    this.#open.set(table, open)
    const text = JSON.stringify(values)
    assertShort(number, `[${text}]`)
    if (open.chars + text.length > CHUNK_CHARS && open.rows.length > 0) await this.#keep(table)
    open.rows.push(text)
    open.chars += text.length
  }

  /** Without its account a calendar is not there to be the default. */
  clearDefaultCalendar(isMissing: (id: string) => boolean): void {
    const at = TABLES.get('organizations')!.columns.findIndex(
      ({ name }) => name === 'default_calendar_connection_id',
    )
    const open = this.#open.get('organizations')!
    open.rows = open.rows.map((text) => {
      const values = JSON.parse(text) as Bound[]
      if (!isMissing(String(values[at]))) return text
      values[at] = null
      return JSON.stringify(values)
    })
  }

  async keepAll(): Promise<readonly Chunk[]> {
    for (const table of this.#open.keys()) await this.#keep(table)
    return this.#chunks
  }

  /** What was kept is not needed any more. */
  async forget(): Promise<void> {
    await this.db.batch(forgetImport(this.db, this.importId))
  }

  async #keep(table: string): Promise<void> {
    const open = this.#open.get(table)!
    if (open.rows.length === 0) return
    const number = this.#chunks.length
    const rows = `[${open.rows.join(',')}]`
    open.rows = []
    open.chars = 0
    this.#chunks.push({ table, number })
    await this.db.batch(keepChunk(this.db, this.importId, number, rows, Date.now()))
  }
}
