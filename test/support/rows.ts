import { env } from 'cloudflare:workers'
import type { Organization } from './factories.ts'

type Row = Readonly<Record<string, unknown>>
type Rows = Readonly<Record<string, readonly Row[]>>

/** What says of itself in which mode it was made and still counts in both. */
const SHARED = new Set(['invitations'])
/** What the queue works on beside any request. */
const QUEUED = /^(sandbox_|letter_|calendar_(writes|events|busy)|meetings|webhook_deliveries|freed_times)/

/** Every row that belongs to the organization, by table, but for what the queue does with it and when its keys were used. */
export async function everythingOf(organization: Pick<Organization, 'id'>): Promise<Rows> {
  const { emails: _, ...tables } = await rowsOf(organization)
  return tables
}

/** The ids of the emails that wait for the queue. Those of test mode are in the sandbox instead. */
export async function emailsOf({ id }: Organization): Promise<readonly string[]> {
  const { results } = await env.DB.prepare('SELECT id FROM emails WHERE organization_id = ?')
    .bind(id)
    .all<{ id: string }>()
  return results.map((email) => email.id)
}

/** What is live, and what live and test share, but for emails: the queue sends them at any time. */
export async function liveThingsOf(organization: Organization): Promise<Rows> {
  const tables = Object.entries(await everythingOf(organization))
  const live = tables.map(([name, rows]) => [
    name,
    rows.filter((row) => row.is_test !== 1 || SHARED.has(name)).map(withoutSandbox),
  ])
  return Object.fromEntries(live)
}

type Owned = { readonly name: string; readonly owner: string }

/** Every database of a runtime has the same tables. */
let tablesKnown: readonly Owned[] | null = null

async function tablesOfOrganizations(): Promise<readonly Owned[]> {
  if (tablesKnown) return tablesKnown
  const { results } = await env.DB.prepare(
    `SELECT name, iif(name = 'organizations', 'id', 'organization_id') AS owner FROM sqlite_master
     WHERE type = 'table' AND (name = 'organizations' OR sql LIKE '%organization\\_id%' ESCAPE '\\')`,
  ).all<Owned>()
  tablesKnown = results.filter(({ name }) => !QUEUED.test(name))
  return tablesKnown
}

async function rowsOf({ id }: Pick<Organization, 'id'>): Promise<Rows> {
  const tables = await tablesOfOrganizations()
  const answers = await env.DB.batch<Row>(
    tables.map(({ name, owner }) => env.DB.prepare(`SELECT * FROM "${name}" WHERE ${owner} = ?`).bind(id)),
  )
  return Object.fromEntries(tables.map(({ name }, at) => [name, answers[at]!.results.map(withoutUse)]))
}

/** Events are handled beside any request, which claims them first and says afterwards what is held back. */
function withoutUse({
  last_used_at: _,
  claimed_until: __,
  held_back: ___,
  handled_at: ____,
  ...row
}: Row): Row {
  return row
}

/** The sandbox's clock and version stand beside what is shared, and the version of hours counts for both modes. */
function withoutSandbox({
  sandbox_now: _,
  sandbox_due_at: __,
  test_version: ___,
  test_changes: _____,
  hours_version: ____,
  ...row
}: Row): Row {
  return row
}
