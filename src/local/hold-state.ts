import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from './failure.ts'

const SQLITE_BUSY = 5

/** Kept, for what nobody can reach any more is closed, and its lock goes with it. */
const held: DatabaseSync[] = []

/**
 * Makes the directory, and keeps other starts away from it for as long as this process lives, however it ends: two
 * services on one database lock each other out of it.
 */
export function holdState(stateDirectory: string): void {
  try {
    mkdirSync(stateDirectory, { recursive: true })
    const lock = new DatabaseSync(join(stateDirectory, 'lock'))
    lock.exec('BEGIN EXCLUSIVE')
    held.push(lock)
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    if (errcode !== SQLITE_BUSY) throw new Failure(`Nothing can be kept in ${stateDirectory}: ${message}`)
    throw new Failure(
      `Another npm start keeps its data in ${stateDirectory}. Stop it, or keep data of its own: HOLDFAST_STATE=.wrangler/other npm start`,
    )
  }
}
