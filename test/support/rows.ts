import { env } from 'cloudflare:workers'
import type { Organization } from './factories.ts'

type Row = Readonly<Record<string, unknown>>
type Rows = Readonly<Record<string, readonly Row[]>>

/** What says of itself in which mode it was made and still counts in both. */
const SHARED = new Set(['invitations'])

/** Every row that belongs to the organization, by table; without when its keys were used. */
export async function everythingOf({ id }: Organization): Promise<Rows> {
  const { results: tables } = await env.DB.prepare(
    `SELECT name, iif(name = 'organizations', 'id', 'organization_id') AS owner FROM sqlite_master
     WHERE type = 'table' AND (name = 'organizations' OR sql LIKE '%organization\\_id%' ESCAPE '\\')`,
  ).all<{ name: string; owner: string }>()
  const answers = await env.DB.batch<Row>(
    tables.map(({ name, owner }) => env.DB.prepare(`SELECT * FROM "${name}" WHERE ${owner} = ?`).bind(id)),
  )
  const named = tables.map(({ name }, at) => [name, answers[at]!.results.map(withoutUse)] as const)
  return Object.fromEntries(named)
}

/** What is live, and what live and test share. */
export async function liveThingsOf(organization: Organization): Promise<Rows> {
  const { sandbox_outbox: _, ...tables } = await everythingOf(organization)
  const live = Object.entries(tables).map(([name, rows]) => [
    name,
    rows.filter((row) => row.is_test !== 1 || SHARED.has(name)).map(withoutClock),
  ])
  return Object.fromEntries(live)
}

function withoutUse({ last_used_at: _, ...row }: Row): Row {
  return row
}

/** The sandbox's clock stands beside what is shared. */
function withoutClock({ sandbox_now: _, ...row }: Row): Row {
  return row
}
