import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import type { Reason } from '../../schedule/reasons.ts'

/** What has the time of a holder: a booking, or what is held to become one; of a session, the first of them. */
export function selectHolders(db: Db, holderIds: readonly string[]) {
  const first = (rows: SQL) => sql`(SELECT min(id) FROM ${rows})`
  const found = sql`(SELECT one.value AS holder,
      coalesce(${first(sql`bookings WHERE id = one.value`)},
        ${first(sql`bookings WHERE session_id = one.value AND status <> 'cancelled'`)}) AS booking,
      coalesce(${first(sql`slot_holds WHERE id = one.value`)},
        ${first(sql`slot_holds WHERE session_id = one.value AND status = 'held'`)}) AS hold
    FROM json_each(${JSON.stringify(holderIds)}) one) found`
  return db
    .select({
      holder: sql<string>`holder`.as('holder'),
      booking: sql<string | null>`booking`.as('booking'),
      hold: sql<string | null>`hold`.as('hold'),
    })
    .from(found)
}

/** What callers know a holder by. */
export type HolderNames = ReadonlyMap<
  string,
  { readonly booking: string | null; readonly hold: string | null }
>

/** Asks nothing where nothing is taken. */
export async function namesOfHolders(db: Db, reasons: readonly Reason[]): Promise<HolderNames> {
  const ids = [...new Set(reasons.flatMap(({ holderId }) => holderId ?? []))]
  if (ids.length === 0) return new Map()
  return new Map((await selectHolders(db, ids)).map((row) => [row.holder, row]))
}
