import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { TOLD_AFTER_MS } from '../sync/sync-outcome.ts'
import { hasEnded, loseCalendars } from './lose-calendars.ts'
import { type Affected, findAffectedOf } from './queries.ts'

type Due = { readonly id: string; readonly accountId: string }

/** The limit of accounts at a time. */
const TOGETHER = 8

/** Notifies about calendars that could not be read for an hour, and ends those that were refused for a day. */
export async function followLosses(env: Env, db: Db, due: readonly Due[], now: RealMs): Promise<void> {
  const accounts = [...Map.groupBy(due, ({ accountId }) => accountId).values()].values()
  const inTurn = async () => {
    for (const calendars of accounts) await followAccount(env, db, calendars, now)
  }
  await Promise.all(Array.from({ length: TOGETHER }, inTurn))
}

/** The calendars of an account are asked one after the other, and fail as far apart. */
const APART_MS = 15 * MINUTE_MS

async function followAccount(env: Env, db: Db, due: readonly Due[], now: RealMs): Promise<void> {
  const ids = due.map(({ id }) => id)
  const affected = await findAffectedOf(db, due[0]!.accountId, now)
  const losses = affected
    .filter(({ connection }) => isDue(connection, now))
    .map((each) => ({ affected: each, changes: changesOf(each, now) }))
  if (losses.length === 0) return
  // One email names them all, also those that would soon need another email.
  const isSoon = ({ connection: { tellAt } }: Affected, at: number) =>
    tellAt !== null && tellAt > at && tellAt <= at + APART_MS
  const soon = affected.filter((each) => isSoon(each, now))
  const letters = emailsOf(affected)
  const isNamed = (each: Affected) => letters.some((at) => isSoon(each, at))
  const told = await loseCalendars(env, db, losses, now, { soon, isNamed })
  try {
    await commitBatch(db, told.statements)
  } catch (error) {
    // A calendar was read, notified about or connected again since then; what is still due is found again.
    if (fenceOf(error) !== 'STALE')
      console.error(JSON.stringify({ lost: ids, cause: bareError(error).stack }))
    return
  }
  await told.announce()
}

/**
 * When emails about lost calendars were sent. A calendar that was due soon after an email was named in it; in doubt it is named
 * twice rather than never.
 */
function emailsOf(affected: readonly Affected[]): readonly number[] {
  const lost = affected
    .flatMap(({ connection: { lostAt, failingAt } }) =>
      lostAt === null ? [] : [{ lostAt, dueAt: (failingAt ?? 0) + TOLD_AFTER_MS }],
    )
    .toSorted((one, other) => one.lostAt - other.lostAt)
  const letters: number[] = []
  for (const { lostAt, dueAt } of lost) {
    const last = letters.at(-1)
    if (last === undefined || dueAt > last + APART_MS) letters.push(lostAt)
  }
  return letters
}

function isDue({ tellAt, endsAt }: ConnectionRow, now: RealMs): boolean {
  return (tellAt !== null && tellAt <= now) || (endsAt !== null && endsAt <= now)
}

function changesOf({ connection: { status, endsAt } }: Affected, now: RealMs): Partial<ConnectionRow> {
  if (hasEnded({ status })) return { endsAt: null }
  if (endsAt !== null && endsAt <= now) return { status: 'revoked', syncStatus: 'error', endsAt: null }
  return { status: status === 'active' ? 'error' : status, syncStatus: 'error' }
}
