import { env, exports } from 'cloudflare:workers'
import { GIVEN_OUT, LEFT_OUT } from '../../src/platform/db/moved-tables.ts'
import { type Answered, freshAddress, type Json } from './app.ts'

type Row = Readonly<Record<string, string | number | null>>
export type Tables = Readonly<Record<string, readonly string[]>>

/** What the export of an organization says, line by line. */
export async function exportOf(key: string): Promise<any[]> {
  return linesOf(await exportTextOf(key))
}

export async function exportTextOf(key: string): Promise<string> {
  const response = await exports.default.fetch(
    new Request('https://holdfast.test/v1/export', {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() },
    }),
  )
  return response.text()
}

export function linesOf(text: string): any[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Lines as an import takes them; those of rows count again where there are more or fewer now. */
export function textOf(lines: readonly Json[]): string {
  const rows: Record<string, number> = {}
  for (const { type } of lines.slice(1, -1)) rows[type as string] = (rows[type as string] ?? 0) + 1
  const end = lines.at(-1)
  const all = end?.type === 'end' ? [...lines.slice(0, -1), { ...end, rows }] : lines
  return `${all.map((line) => JSON.stringify(line)).join('\n')}\n`
}

export async function importText(
  body: string | ReadableStream<Uint8Array>,
  key?: string,
  encoding = 'identity',
  query = '?trust=true',
): Promise<Answered> {
  const response = await exports.default.fetch(
    new Request(`https://holdfast.test/v1/import${query}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${env.SERVICE_KEY}`,
        'CF-Connecting-IP': freshAddress(),
        'Content-Encoding': encoding,
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body,
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** What moves besides the organization itself: all rows of all tables that go over, each as a text, in no order that counts. */
export async function audit(db: D1Database = env.DB): Promise<Tables> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all<{ name: string }>()
  const names = results.map(({ name }) => name).filter((name) => !isBeside(name))
  const found = await db.batch<Row>(names.map((name) => db.prepare(`SELECT * FROM "${name}"`)))
  return Object.fromEntries(
    names.map((name, at) => [name, found[at]!.results.map((row) => textOfRow(name, row)).sort()]),
  )
}

function isBeside(name: string): boolean {
  return name in LEFT_OUT || ['d1_migrations', 'posted_letters'].includes(name) || name.startsWith('_cf_')
}

/** What the database gives out or counts again is left out, and when a sandbox is due is found anew where it is taken in. */
function textOfRow(name: string, { id, sandbox_due_at: _, ...others }: Row): string {
  const without = GIVEN_OUT[name] ?? []
  const row = Object.entries({ id: id ?? null, ...others }).filter(([column]) => !without.includes(column))
  return JSON.stringify(Object.fromEntries(row))
}

/** Another deployment: nothing of any organization is here. */
export async function forgetEverything(): Promise<void> {
  const names = Object.keys(await audit())
  // Triggers write a few rows while others go.
  for (let round = 0; round < 2; round++) {
    await env.DB.batch(names.map((name) => env.DB.prepare(`DELETE FROM "${name}"`)))
  }
}
