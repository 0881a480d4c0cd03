import { DatabaseSync } from 'node:sqlite'
import { databaseFiles } from './database-files.ts'
import { migrationsIn } from './every-migration.ts'

/** Whether `count` local databases have had each migration of the folder, which wrangler takes seconds to find out. */
export function isMigrated(stateDirectory: string, folder: string, count: number): boolean {
  const databases = databaseFiles(stateDirectory)
  if (databases.length !== count) return false
  const names = migrationsIn(folder)
  return databases.every((file) => {
    const applied = new Set(appliedIn(file))
    return names.every((name) => applied.has(name))
  })
}

function appliedIn(file: string): readonly string[] {
  const database = new DatabaseSync(file)
  try {
    return database
      .prepare('SELECT name FROM d1_migrations')
      .all()
      .map(({ name }) => String(name))
  } catch {
    // It has had none, or wrangler shall say what is wrong with it.
    return []
  } finally {
    database.close()
  }
}
