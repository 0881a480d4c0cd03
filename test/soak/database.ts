import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Ask } from '../support/storm/sound.ts'
import type { Json } from './caller.ts'

/** The one database of a state. */
function databaseIn(state: string): string {
  const [file] = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  )
  if (!file) throw new Error(`there is no database in ${state}`)
  return join(state, file)
}

/** Lets `work` ask the database of a service that does not run. */
export async function inDatabase<T>(state: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(databaseIn(state))
  try {
    return await work(async (query, ...values) => database.prepare(query).all(...values))
  } finally {
    database.close()
  }
}

/** Asks the database of a service that runs. */
export async function lookInto(state: string, query: string, ...values: readonly unknown[]) {
  const database = new DatabaseSync(databaseIn(state), { readOnly: true, timeout: 10_000 })
  try {
    return database.prepare(query).all(...(values as SQLInputValue[])) as Json[]
  } finally {
    database.close()
  }
}

export function sizeOf(state: string): number {
  return statSync(databaseIn(state)).size
}
