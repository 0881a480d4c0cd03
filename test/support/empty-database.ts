import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

const HAS_TABLES = "SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'"

/** Takes everything that was stored, at once unless something that was on its way still holds it. */
export async function emptyDatabase(): Promise<void> {
  const databases = [env.DB, env.SECOND, env.THIRD]
  for (;;) {
    await reset()
    const left = await Promise.all(databases.map((db) => db.prepare(HAS_TABLES).first()))
    if (left.every((row) => row === null)) return
    await new Promise((done) => setTimeout(done, 20))
  }
}
