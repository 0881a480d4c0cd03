import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

await applyD1Migrations(env.DB, env.MIGRATIONS)

// A letter that was sent is gone, so tests look at what was ever put on its way.
await env.DB.batch([
  env.DB.prepare('CREATE TABLE IF NOT EXISTS posted_letters AS SELECT * FROM emails WHERE 0'),
  env.DB.prepare(
    `CREATE TRIGGER IF NOT EXISTS emails_posted AFTER INSERT ON emails
     BEGIN INSERT INTO posted_letters SELECT * FROM emails WHERE id = NEW.id; END`,
  ),
])
