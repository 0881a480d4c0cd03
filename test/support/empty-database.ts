import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Takes everything that was stored, at once unless something that was on its way still holds it. */
export async function emptyDatabase(): Promise<void> {
  const select = env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'")
  for (;;) {
    await reset()
    if ((await select.first()) === null) return
    await new Promise((done) => setTimeout(done, 20))
  }
}
