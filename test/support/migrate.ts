import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { emptyDatabase } from './empty-database.ts'
import { restoreEnv } from './original-env.ts'

// Files share a runtime, whose start costs more than most of them. What a file set and stored goes before the next one.
restoreEnv()
await emptyDatabase()
await applyD1Migrations(env.DB, env.MIGRATIONS)

// A letter that was sent is gone, so tests look at what was ever put on its way.
await env.DB.batch([
  env.DB.prepare('CREATE TABLE posted_letters AS SELECT * FROM emails WHERE 0'),
  env.DB.prepare(
    `CREATE TRIGGER emails_posted AFTER INSERT ON emails
     BEGIN INSERT INTO posted_letters SELECT * FROM emails WHERE id = NEW.id; END`,
  ),
])
