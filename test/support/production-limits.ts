import { databaseThrough } from './database-through.ts'

/** https://developers.cloudflare.com/d1/platform/limits/ and the limits that its SQLite is built with. */
const MOST_BYTES = 2_000_000
const MOST_COLUMNS = 100
const MOST_TERMS = 5

type Measured = { bytes: number; rows: number; largest: number }

/**
 * The same database with the limits of D1, which the local one does not have: bytes of a value, columns of an answer, terms
 * of a compound select. `measured` sums up what it answered.
 */
export function limitedDatabase() {
  const measured: Measured = { bytes: 0, rows: 0, largest: 0 }
  const DB = databaseThrough(async (ask, queries) => {
    for (const query of queries) {
      if (termsOf(query) > MOST_TERMS) throw new Error('D1_ERROR: too many terms in compound SELECT')
    }
    const told = await ask()
    for (const { results, meta } of [told].flat() as D1Result<Record<string, unknown>>[]) {
      measured.rows += meta.rows_read
      for (const row of results) {
        const values = Object.values(row)
        if (values.length > MOST_COLUMNS) throw new Error('D1_ERROR: too many columns in result set')
        for (const value of values) {
          const bytes = String(value).length
          measured.bytes += bytes
          measured.largest = Math.max(measured.largest, bytes)
          if (bytes > MOST_BYTES) throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
        }
      }
    }
    return told
  })
  return { DB, measured }
}

/** The most selects that are united at one depth of parentheses. */
function termsOf(query: string): number {
  const open = [0]
  let most = 0
  for (const [token] of query.matchAll(/[()]|\bUNION\b/g)) {
    if (token === '(') open.push(0)
    else if (token === ')') open.pop()
    else most = Math.max(most, ++open[open.length - 1]!)
  }
  return most + 1
}
