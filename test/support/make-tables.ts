import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** What makes each table, view, index and trigger, once the migrations have made them in this runtime. */
let known: readonly string[] | null = null

/** Gives an empty database its tables; the migrations, which take several times as long, run once in a runtime. */
export async function makeTables(db: D1Database = env.DB): Promise<void> {
  if (known) {
    const names = JSON.stringify(env.MIGRATIONS.map(({ name }) => name))
    const applied = db.prepare('INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)').bind(names)
    // A batch measures the database around each of its statements, so that hundreds take longer than what they do. All in
    // one would be longer than D1 lets a statement be.
    const half = known.length >> 1
    const made = [known.slice(0, half), known.slice(half)].map((some) => db.prepare(some.join(';')))
    await db.batch([...made, applied])
    return
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS)
  // A letter that was sent is gone, so tests look at what was ever put on its way.
  await env.DB.batch([
    env.DB.prepare('CREATE TABLE posted_letters AS SELECT * FROM emails WHERE 0'),
    env.DB.prepare(
      `CREATE TRIGGER emails_posted AFTER INSERT ON emails
       BEGIN INSERT INTO posted_letters SELECT * FROM emails WHERE id = NEW.id; END`,
    ),
  ])
  const { results } = await env.DB.prepare(
    `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
     ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 WHEN 'view' THEN 3 ELSE 4 END, rowid`,
  ).all<{ sql: string }>()
  known = results.map(({ sql }) => sql)
}
