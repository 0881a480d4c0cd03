import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrationsIn } from './every-migration.ts'

/** Whether these files are databases that have had each migration of the folder, which wrangler takes seconds to find out. */
export function isMigrated(files: readonly string[], folder: string): boolean {
  const names = migrationsIn(folder)
  return files.every((file) => {
    const applied = new Set(appliedIn(file))
    return names.every((name) => applied.has(name))
  })
}

function appliedIn(file: string): readonly string[] {
  if (!existsSync(file)) return []
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
