import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { Db, Statement } from '../db/client.ts'
import { comesAfter, DUE_A_PAGE } from '../db/due-page.ts'
import { names } from '../db/schema/directory.ts'

export type NameRow = typeof names.$inferSelect
export type UnsureName = NameRow & { readonly unsureSince: number }

/** Claims names for an organization; those it had of the same kinds are unsure from now on. */
export function claimNames(
  db: Db,
  organizationId: string,
  claimed: readonly Pick<NameRow, 'kind' | 'name'>[],
  now: number,
): Statement[] {
  const kinds = claimed.map(({ kind }) => kind)
  const isTheirs = and(eq(names.organizationId, organizationId), inArray(names.kind, kinds))
  return [
    db.update(names).set({ unsureSince: now }).where(isTheirs),
    ...claimed.map((claim) =>
      db
        .insert(names)
        .values({ ...claim, organizationId, unsureSince: now })
        .onConflictDoUpdate({ target: [names.kind, names.name], set: { unsureSince: now } }),
    ),
  ]
}

export function selectUnsureNames(db: Db, before: number, last?: UnsureName) {
  const { unsureSince, kind, name } = names
  return db
    .select()
    .from(names)
    .where(
      and(
        lte(unsureSince, before),
        comesAfter([unsureSince, kind, name], last && [last.unsureSince, last.kind, last.name]),
      ),
    )
    .orderBy(asc(unsureSince), asc(kind), asc(name))
    .limit(DUE_A_PAGE) as unknown as PromiseLike<UnsureName[]>
}

/** Keeps a name that its organization has, and gives up one that it has not, unless it was claimed again since it was read. */
export function settleName(
  db: Db,
  { kind, name, organizationId, unsureSince }: UnsureName,
  isTrue: boolean,
): Statement {
  const isAsRead = and(
    eq(names.kind, kind),
    eq(names.name, name),
    eq(names.organizationId, organizationId),
    eq(names.unsureSince, unsureSince),
  )
  return isTrue
    ? db.update(names).set({ unsureSince: null }).where(isAsRead)
    : db.delete(names).where(isAsRead)
}
