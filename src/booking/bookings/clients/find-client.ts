import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { ClientRow } from '../../../platform/db/schema/clients.ts'
import { notFound } from '../../../platform/http/errors.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import { keepWords } from '../search/keep-words.ts'
import { selectSearch } from '../search/queries.ts'
import { guardRevisions } from '../search/statements.ts'
import { contactOf } from './contact.ts'
import { countBookings } from './count-bookings.ts'
import { selectClient, selectUncounted } from './queries.ts'
import { correctStarts } from './statements.ts'

type Asked = { readonly env: Env; readonly tenant: Tenant; readonly now: AskedMs }

export async function getClientRow(asked: Asked, db: Db, named: string): Promise<ClientRow> {
  const row = await findClientRow(asked, db, named)
  if (!row) throw notFound('client')
  return row
}

/** A client with all bookings that are committed now. */
export async function findClientRow(
  { env, tenant, now }: Asked,
  db: Db,
  named: string,
): Promise<ClientRow | null> {
  const contact = await contactOf(env, named)
  await keepWords(env, db, tenant)
  const read = async () => {
    const corrections = correctStarts(db, tenant, now)
    const all = await db.batch([...corrections, selectSearch(db, tenant), selectClient(db, tenant, contact)])
    const [[search], [row]] = all.slice(corrections.length) as [
      Awaited<ReturnType<typeof selectSearch>>,
      ClientRow[],
    ]
    return { isFilling: search != null && search.filledTo !== null, row }
  }
  let { isFilling, row } = await read()
  if (isFilling && contact.includes('@')) {
    // Existing bookings are still being counted, those of others first.
    await countOwn(env, db, tenant, contact)
    row = (await read()).row
  }
  return row ?? null
}

const AT_ONCE = 200
const MOST_ROUNDS = 50

async function countOwn(env: Env, db: Db, tenant: Tenant, address: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const rows = await selectUncounted(db, tenant, address, AT_ONCE)
    if (rows.length === 0) return
    try {
      await commitBatch(db, [guardRevisions(db, rows), ...(await countBookings(env, db, tenant, rows, []))])
    } catch (error) {
      if (fenceOf(error) !== 'STALE') throw error
    }
  }
}
