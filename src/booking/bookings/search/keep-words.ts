import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { ClientBookingRow } from '../../../platform/db/schema/clients.ts'
import { countBookings } from '../clients/count-bookings.ts'
import { selectCounted } from '../clients/queries.ts'
import { readParts, selectByIds, selectNews, selectSearch, selectSequences, selectToFill } from './queries.ts'
import {
  appendLines,
  dropWords,
  guardRevisions,
  moveOn,
  readAnew,
  rewriteLines,
  type SearchState,
} from './statements.ts'
import { linesOf, SAME_VERSIONS, withoutLinesOf } from './words.ts'

/** A consumer adds words after so many events, so that a search has few to read. */
const EVENTS_A_ROUND = 128
const EVENTS_AT_ONCE = 128
const BOOKINGS_AT_ONCE = 200
/** The rest is left to the next call. */
const MOST_ROUNDS = 20

/** Whether words are added when this event is handled. */
export function endsRound(sequence: number): boolean {
  return sequence % EVENTS_A_ROUND === 0
}

/**
 * Adds the words of bookings that changed since, and of existing ones while these are read, and counts them for their clients.
 * Events say which bookings; what is added twice does no harm.
 */
export async function keepWords(
  env: Env,
  db: Db,
  tenant: Tenant,
  rounds: number = MOST_ROUNDS,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if (!(await addSome(env, db, tenant))) return
  }
}

/** Whether more may be left. */
async function addSome(env: Env, db: Db, tenant: Tenant): Promise<boolean> {
  const [[state], news, [sequences]] = await db.batch([
    selectSearch(db, tenant),
    selectNews(db, tenant, EVENTS_AT_ONCE),
    selectSequences(db, tenant),
  ])
  const { gone, newest } = sequences!
  const isOutdated = state !== undefined && !SAME_VERSIONS.includes(state.version)
  if (isOutdated || state?.filledTo === '' || (state?.filledTo == null && gone > (state?.sequence ?? 0))) {
    // What was deleted before it was read is in the bookings.
    return fill(env, db, tenant, state, { sequence: newest, filledTo: '' })
  }
  if (news.length > 0) {
    const ids = news.flatMap(({ bookingId }) => bookingId ?? [])
    const [rows, counted] = ids.length === 0 ? NOTHING : await readBookings(db, ids)
    const next = { sequence: news.at(-1)!.sequence, filledTo: state?.filledTo ?? null }
    await commit(env, db, tenant, { rows, counted }, state, next)
    return news.length === EVENTS_AT_ONCE || next.filledTo !== null
  }
  return state?.filledTo == null ? false : fill(env, db, tenant, state, state)
}

async function fill(env: Env, db: Db, tenant: Tenant, read: SearchState | undefined, from: SearchState) {
  const rows = await selectToFill(db, tenant, from.filledTo ?? '', BOOKINGS_AT_ONCE)
  const last = rows.length < BOOKINGS_AT_ONCE ? undefined : rows.at(-1)
  const filledTo = last ? `${last.status}/${last.id}` : null
  const counted =
    rows.length === 0
      ? []
      : await selectCounted(
          db,
          rows.map(({ id }) => id),
        )
  const next = { sequence: from.sequence, filledTo }
  await commit(env, db, tenant, { rows, counted }, read, next, from.filledTo === '')
  return filledTo !== null
}

type Read = { readonly rows: readonly BookingRow[]; readonly counted: readonly ClientBookingRow[] }
const NOTHING = [[], []] as const

/** Bookings, and what was counted of them. */
function readBookings(db: Db, ids: readonly string[]) {
  return db.batch([selectByIds(db, ids), selectCounted(db, ids)])
}

async function commit(
  env: Env,
  db: Db,
  tenant: Tenant,
  { rows, counted }: Read,
  read: SearchState | undefined,
  next: SearchState,
  isFirst = false,
): Promise<void> {
  try {
    await commitBatch(db, [
      ...moveOn(db, tenant, read, next),
      guardRevisions(db, rows),
      ...(isFirst ? [dropWords(db, tenant)] : []),
      ...appendLines(db, tenant, linesOf(rows)),
      ...(await countBookings(env, db, tenant, rows, counted)),
    ])
  } catch (error) {
    // Another process added them, or a booking changed: the next round reads again.
    if (fenceOf(error) !== 'STALE') throw error
  }
}

const EVERYTHING = { from: '', below: '\u{10ffff}' }
const MOST_TRIES = 5

/** Takes bookings out of the words while their people change without an event, and adds what is left of them. */
export async function withoutWords(
  env: Env,
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
  act: () => Promise<void>,
) {
  if (ids.length > 0) {
    await keepWords(env, db, tenant)
    await forgetWords(db, tenant, new Set(ids))
  }
  try {
    await act()
  } finally {
    await addWords(env, db, tenant, ids)
  }
}

async function addWords(env: Env, db: Db, tenant: Tenant, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BOOKINGS_AT_ONCE) {
    const [rows, counted] = await readBookings(db, ids.slice(at, at + BOOKINGS_AT_ONCE))
    const statements = [
      ...appendLines(db, tenant, linesOf(rows)),
      ...(await countBookings(env, db, tenant, rows, counted)),
    ]
    if (statements.length > 0) await commitBatch(db, statements)
  }
}

async function forgetWords(db: Db, tenant: Tenant, ids: ReadonlySet<string>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    let isDone = true
    for await (const part of readParts(db, tenant, EVERYTHING)) {
      const lines = withoutLinesOf(part.lines, ids)
      if (lines === part.lines) continue
      const [written] = await db.batch([rewriteLines(db, tenant, part, lines)])
      if (written.length === 0) isDone = false
    }
    if (isDone) return
  }
  // Lines are added faster than they are taken out: all are read anew.
  await commitBatch(db, [dropWords(db, tenant), readAnew(db, tenant)])
}
