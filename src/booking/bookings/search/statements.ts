import { and, eq, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { preparedStatement } from '../../../platform/db/prepared.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { bookingSearches, bookingWords } from '../../../platform/db/schema/searches.ts'
import { WORDS_VERSION } from './words.ts'

/** A row with more characters gets no more lines. */
const FULL = 100_000

const append = preparedStatement<readonly [organizationId: string, isTest: number, lines: string]>(
  `INSERT INTO booking_words (organization_id, is_test, bucket, part, lines)
  SELECT ?1, ?2, one.value ->> 0, coalesce((SELECT w.part + (length(w.lines) > ${FULL}) FROM booking_words w
    WHERE w.organization_id = ?1 AND w.is_test = ?2 AND w.bucket = one.value ->> 0 ORDER BY w.part DESC LIMIT 1), 0),
    one.value ->> 1
  FROM json_each(?3) one WHERE true
  ON CONFLICT DO UPDATE SET lines = lines || excluded.lines`,
)

export function appendLines(db: Db, tenant: Tenant, lines: ReadonlyMap<string, string>): Statement[] {
  if (lines.size === 0) return []
  return [append(db, tenant.organizationId, Number(tenant.isTest), JSON.stringify([...lines]))]
}

/** Refuses lines of bookings that have changed since they were read. */
export function guardRevisions(db: Db, rows: readonly Pick<BookingRow, 'id' | 'revision'>[]): Statement {
  const read = JSON.stringify(rows.map(({ id, revision }) => [id, revision]))
  return refuseWhen(
    db,
    'STALE',
    sql`EXISTS (SELECT 1 FROM json_each(${read}) one CROSS JOIN bookings b ON b.id = one.value ->> 0
      WHERE b.revision <> one.value ->> 1)`,
  )
}

export type SearchState = Pick<typeof bookingSearches.$inferSelect, 'sequence' | 'filledTo'>

/** Moves on from the state that was read; refused if another process was faster. */
export function moveOn(
  db: Db,
  tenant: Tenant,
  read: SearchState | undefined,
  next: SearchState,
): Statement[] {
  const { organizationId, isTest } = tenant
  const current = sql`(SELECT sequence || '/' || coalesce(filled_to, '-') FROM booking_searches
    WHERE organization_id = ${organizationId} AND is_test = ${Number(isTest)})`
  const known = read === undefined ? null : `${read.sequence}/${read.filledTo ?? '-'}`
  return [
    refuseWhen(db, 'STALE', sql`${current} IS NOT ${known}`),
    db
      .insert(bookingSearches)
      .values({ organizationId, isTest, ...next, version: WORDS_VERSION })
      .onConflictDoUpdate({
        target: [bookingSearches.organizationId, bookingSearches.isTest],
        set: { sequence: next.sequence, filledTo: next.filledTo, version: WORDS_VERSION },
      }),
  ]
}

/** Without its words a tenant is read anew, from the first booking on. */
export function dropWords(db: Db, { organizationId, isTest }: Tenant): Statement {
  return db
    .delete(bookingWords)
    .where(and(eq(bookingWords.organizationId, organizationId), eq(bookingWords.isTest, isTest)))
}

/** Makes the sweep read all bookings, because they came without events. */
export function readAnew(db: Db, { organizationId, isTest }: Tenant): Statement {
  const values = { organizationId, isTest, sequence: 0, filledTo: '' }
  return db
    .insert(bookingSearches)
    .values(values)
    .onConflictDoUpdate({
      target: [bookingSearches.organizationId, bookingSearches.isTest],
      set: { sequence: 0, filledTo: '' },
    })
}

/** Not if lines were added since they were read. */
export function rewriteLines(
  db: Db,
  tenant: Tenant,
  read: { readonly bucket: string; readonly part: number; readonly lines: string },
  lines: string,
) {
  const { bucket, part } = bookingWords
  return db
    .update(bookingWords)
    .set({ lines })
    .where(
      and(
        eq(bookingWords.organizationId, tenant.organizationId),
        eq(bookingWords.isTest, tenant.isTest),
        eq(bucket, read.bucket),
        eq(part, read.part),
        sql`length(lines) = ${[...read.lines].length}`,
      ),
    )
    .returning({ part })
}
