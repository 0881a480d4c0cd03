import { env } from 'cloudflare:workers'

/** Everything that is in the database, table by table, as text. */
export async function everything(): Promise<Readonly<Record<string, string>>> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  ).all<{ name: string }>()
  const tables = await env.DB.batch<unknown>(
    results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  )
  return Object.fromEntries(
    results.map(({ name }, at) => [
      name,
      tables[at]!.results.map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    ]),
  )
}

const QUIET_MS = 60
const PATIENCE_MS = 15_000

/** The same once nothing changes any more by what was done before. */
export async function everythingAtRest(): Promise<Readonly<Record<string, string>>> {
  let before = await everything()
  for (let waited = 0; waited < PATIENCE_MS; waited += QUIET_MS) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    const now = await everything()
    const isSame = Object.entries(now).every(([name, rows]) => before[name] === rows)
    if (isSame && !now.events!.includes('"handled_at":null')) return now
    before = now
  }
  throw new Error('The database does not come to rest.')
}

/** The tables that differ. */
export function changedTables(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
}
