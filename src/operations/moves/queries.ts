import { and, eq, getTableName, gt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { type Child, type MovedTable, movedTableOf, type Source } from '../../platform/db/moved-tables.ts'
import { preparedQuery } from '../../platform/db/prepared.ts'
import { deletions } from '../../platform/db/schema/deletions.ts'
import { moves } from '../../platform/db/schema/moves.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import type { Bound, TextStatement } from '../../platform/db/text-statement.ts'

/** A row as it is stored, by the names of its columns. */
export type Stored = Readonly<Record<string, Bound>>

/** Where a page ends: whose rows those were, and the last of them. */
export type After = readonly [owner: Bound, key: Bound]

type Placed = Stored & { readonly at_owner: Bound; readonly at_key: Bound }
type Asked = (db: Db, ...values: Bound[]) => TextStatement<Placed>

const asked = new Map<string, Asked>()

/** Texts are made from the tables alone, so there are a few dozen of them. */
function ask(text: string): Asked {
  const known = asked.get(text) ?? preparedQuery<Placed, Bound[]>(text)
  asked.set(text, known)
  return known
}

function quoted({ columns }: MovedTable): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

function tableOf(source: Source): MovedTable {
  return movedTableOf(source.table)
}

/** A page in the order of `key`; when statuses lead to the rows, each status is read separately. */
function pageText(source: Source, owner: string, key: string, where: string, limit: number): string {
  const moved = tableOf(source)
  const order = owner === 'NULL' ? key : `${owner}, ${key}`
  const part = (condition: string) =>
    `SELECT ${quoted(moved)}, ${owner} AS at_owner, ${key} AS at_key FROM "${moved.name}"
      WHERE ${where}${condition} ORDER BY ${order} LIMIT ${limit}`
  if (!('statuses' in source) || !source.statuses) return part('')
  const parts = source.statuses.map((status) => `SELECT * FROM (${part(` AND status = '${status}'`)})`)
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) ORDER BY at_owner, at_key LIMIT ${limit}`
}

/** Sorts before every id and date, and before every number. */
function firstKey(source: Source, key: string): Bound {
  const column = tableOf(source).columns.find(({ name }) => name === key)
  return column?.getSQLType() === 'text' ? '' : -1
}

/** What is left of the mode or the thing whose rows `after` ends in; of all, where there is only one to read through. */
export function selectRest(
  db: Db,
  source: Source,
  organizationId: string,
  after: After | null,
  limit: number,
) {
  switch (source.by) {
    case 'organization': {
      const own = tableOf(source).name === 'organizations' ? 'id' : 'organization_id'
      const among = source.among ? ` AND ${source.among}` : ''
      const text = pageText(source, 'NULL', source.key, `${own} = ?1 AND ${source.key} > ?2${among}`, limit)
      return ask(text)(db, organizationId, after?.[1] ?? firstKey(source, source.key))
    }
    case 'mode': {
      const where = `organization_id = ?1 AND is_test = ?2 AND ${source.key} > ?3`
      const text = pageText(source, 'is_test', source.key, where, limit)
      return ask(text)(db, organizationId, after?.[0] ?? 0, after?.[1] ?? firstKey(source, source.key))
    }
    case 'scope': {
      const where = 'scope >= ?1 AND scope < ?2 AND (scope, key) > (?3, ?4)'
      const text = pageText(source, 'scope', 'key', where, limit)
      return ask(text)(db, `${organizationId}/`, `${organizationId}0`, after?.[0] ?? '', after?.[1] ?? '')
    }
    default: {
      if (after === null) return null
      const { owner, key } = ownersOf(source)
      return ask(pageText(source, owner, key, `${owner} = ?1 AND ${key} > ?2`, limit))(db, ...after)
    }
  }
}

/** The rows of the things that come after that. Null where nothing does. */
export function selectNext(
  db: Db,
  source: Source,
  organizationId: string,
  after: After | null,
  limit: number,
) {
  if (!hasOwners(source)) return null
  const { owner, key, owners, prefix } = ownersOf(source)
  const where = `${owner} IN (SELECT ${prefix}id FROM ${owners} WHERE organization_id = ?1 AND ${prefix}id > ?2)`
  return ask(pageText(source, owner, key, where, limit))(db, organizationId, after?.[0] ?? '')
}

type Owned = Extract<Source, { readonly owner: string } | { readonly by: 'public-scope' }>

function hasOwners(source: Source): source is Owned {
  return 'owner' in source || source.by === 'public-scope'
}

function ownersOf(source: Owned) {
  if (source.by === 'public-scope') {
    return { owner: 'scope', key: 'key', owners: 'event_types', prefix: "'public/' || " }
  }
  return { owner: source.owner, key: source.key, owners: source.by, prefix: '' }
}

/** What belongs to rows of a page. */
export function selectChildren(
  db: Db,
  { table, of, besides }: { readonly table: MovedTable } & Pick<Child, 'of' | 'besides'>,
  ids: readonly Bound[],
) {
  const rest = besides ? ` AND NOT EXISTS (SELECT 1 FROM "${getTableName(besides)}" WHERE id = ${of})` : ''
  const text = `SELECT ${quoted(table)}, NULL AS at_owner, NULL AS at_key FROM "${table.name}"
    WHERE ${of} IN (SELECT value FROM json_each(?1))${rest} ORDER BY ${of}`
  return ask(text)(db, JSON.stringify(ids))
}

/**
 * What changes with every change of an organization that can be seen: two of them alike, and what was read in between is a
 * picture of one moment.
 */
export const selectState = preparedQuery<{ readonly state: string }, readonly [organizationId: string]>(
  `SELECT json_array(o.live_version, o.test_version, o.hours_version, o.updated_at,
    (SELECT sum(version) FROM event_types WHERE organization_id = o.id),
    (SELECT max(id) FROM activity WHERE organization_id = o.id AND is_test = 0),
    (SELECT max(id) FROM activity WHERE organization_id = o.id AND is_test = 1),
    (SELECT max(sequence) FROM events WHERE organization_id = o.id AND is_test = 0),
    (SELECT max(sequence) FROM events WHERE organization_id = o.id AND is_test = 1)) AS state
  FROM organizations o WHERE o.id = ?1`,
)

/** Since when an organization moves; null where it does not. */
export async function findMove(db: Db, organizationId: string) {
  const [move] = await db.select().from(moves).where(eq(moves.organizationId, organizationId))
  return move ?? null
}

/** Whether there is such an organization, or something of one that is being deleted. */
export async function isThere(db: Db, organizationId: string): Promise<boolean> {
  const found = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .unionAll(
      db
        .select({ id: deletions.organizationId })
        .from(deletions)
        .where(eq(deletions.organizationId, organizationId)),
    )
  return found.length > 0
}

/** The organization whose id follows, but none that is half gone. */
export function findNextOrganization(db: Db, after: string) {
  const { id } = organizations
  const isWhole = sql`NOT EXISTS (SELECT 1 FROM deletions WHERE organization_id = ${id} AND begun_at IS NOT NULL)`
  return db
    .select({ id })
    .from(organizations)
    .where(and(gt(id, after), isWhole))
    .orderBy(id)
    .limit(1)
}
