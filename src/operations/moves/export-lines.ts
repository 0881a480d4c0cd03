import type { Env } from '../../env.ts'
import { keyVersions } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { type Stored, selectState } from './queries.ts'
import { type Line, type Position, readPage, START } from './read-page.ts'

/** Grows when an earlier file could be misread. */
export const FORMAT = 1

/** How many rows of each table were told. */
type Counts = Readonly<Record<string, number>>

/** What an export that runs over several turns remembers of itself. */
export type Progress = {
  readonly position: Position | null
  readonly counts: Counts
  /** How the organization was when it began. */
  readonly state: string
}

/** The first line, and how to go on from there; null where there is no such organization. */
export async function beginExport(env: Env, db: Db, organizationId: string, now: number) {
  const [found] = await selectState(db, organizationId)
  if (!found) return null
  const [keyVersion] = await keyVersions(env.ENCRYPTION_KEY)
  const line = JSON.stringify({
    type: 'export',
    format: FORMAT,
    organization_id: organizationId,
    exported_at: formatInstant(now),
    key_version: keyVersion,
  })
  return { line, progress: { position: START, counts: {}, state: found.state } satisfies Progress }
}

/** The lines of the next page, and with the last one the line that says that nothing is missing. */
export async function continueExport(db: Db, organizationId: string, { position, counts, state }: Progress) {
  if (position === null) throw new Error('the export has ended')
  const { lines, next } = await readPage(db, organizationId, position)
  const counted: Record<string, number> = { ...counts }
  for (const { table } of lines) counted[table.line] = (counted[table.line] ?? 0) + 1
  const texts = lines.map(textOf)
  if (next === null) {
    const [after] = await selectState(db, organizationId)
    const end = { type: 'end', rows: counted, changed_meanwhile: after?.state !== state }
    texts.push(JSON.stringify(end))
  }
  return { texts, progress: { position: next, counts: counted, state } satisfies Progress }
}

function textOf({ table, row }: Line): string {
  const told: Record<string, unknown> = { type: table.line }
  for (const { name, dataType } of table.columns) told[name] = toldValue(row, name, dataType)
  return JSON.stringify(told)
}

function toldValue(row: Stored, name: string, dataType: string): unknown {
  const value = row[name] ?? null
  if (value === null) return null
  if (dataType === 'boolean') return value !== 0
  // All of them are whole; times to try again once were written with a fraction.
  if (dataType === 'number') return Math.trunc(value as number)
  return dataType === 'json' ? JSON.parse(value as string) : value
}
