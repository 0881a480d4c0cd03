import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What wrangler writes down of the migrations that a database has had. */
const APPLIED = `CREATE TABLE d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`

/**
 * All migrations as one text, for a database that has had none, with the note that it has had them. Wrangler starts a
 * runtime for each migration that it applies, which takes many times as long as all of them together.
 */
export function everyMigration(folder: string): string {
  const each = migrationsIn(folder).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').trimEnd().replace(/;?$/, ';')
    return `${text}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`
  })
  return `${[APPLIED, ...each].join('\n')}\n`
}

/** The names of the migrations in a folder, in their order. */
export function migrationsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}
