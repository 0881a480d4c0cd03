import { deleteObjects } from '../../../booking/images/bucket.ts'
import { askAccount, askMeetingAccount } from '../../../calendars/accounts/ask-account.ts'
import { findClosing } from '../../../calendars/channels/close-channels.ts'
import { giveBack } from '../../../calendars/leave-accounts.ts'
import { prepareToGiveBack } from '../../../calendars/meetings/accounts/give-back.ts'
import { forgetEventType } from '../../../engine/turn/command.ts'
import type { Env } from '../../../env.ts'
import { endWaysIn } from '../../../people/sign-in/ways-in/forget-ways-in.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import { shardsOf } from '../../../platform/db/shards.ts'
import { keyCounterOf } from '../../../platform/limits/key-counter.ts'
import type { DeletionRow } from '../queries.ts'
import { leaveSessions } from '../statements.ts'
import {
  selectAddresses,
  selectCalendarAccounts,
  selectConnections,
  selectHashes,
  selectKept,
  selectMeetingAccounts,
} from './queries.ts'
import type { KeyRow } from './statements.ts'
import type { Step } from './tables.ts'

type Leaving = { readonly env: Env; readonly db: Db; readonly deletion: DeletionRow }
/** What is done before the rows with these keys go; and what it returns, once they are gone. */
type Preparation = (leaving: Leaving, rows: readonly KeyRow[]) => Promise<(() => Promise<void>) | undefined>

/** What lives outside the database and belongs to rows. Each step can run twice: after a crash, the page starts again. */
export const PREPARATIONS: Readonly<Record<NonNullable<Step['before']>, Preparation>> = {
  keys: async ({ env, db }, rows) => {
    const hashes = await selectHashes(db, idsOf(rows))
    await Promise.all(hashes.map(({ hash }) => keyCounterOf(env, hash).erase()))
    return undefined
  },
  members: forgetPeople,
  channels: async ({ env, db }, rows) => {
    const connections = await selectConnections(db, idsOf(rows))
    const closing = await Promise.all(connections.map(({ id }) => findClosing(env, db, { connectionId: id })))
    await Promise.all(closing.map((close) => close()))
    return undefined
  },
  'calendar-accounts': async ({ env, db, deletion }, rows) => {
    const accounts = await selectCalendarAccounts(db, idsOf(rows))
    // Where it moved, the new place lives by the same permissions.
    const isLeaving = deletion.kind === 'closed'
    if (isLeaving) await Promise.all(accounts.map((one) => giveBack(env, one, deletion.organizationId)))
    await Promise.all(accounts.map(({ id }) => askAccount(env, id).erase()))
    return undefined
  },
  conferencing: async ({ env, db, deletion }, rows) => {
    const accounts = await selectMeetingAccounts(db, idsOf(rows))
    const isLeaving = deletion.kind === 'closed'
    const all = await Promise.all(accounts.map((one) => (isLeaving ? prepareToGiveBack(env, one) : null)))
    await Promise.all(accounts.map(({ id }) => askMeetingAccount(env, id).erase()))
    return async () => {
      for (const giveItBack of all) await giveItBack?.()
    }
  },
  'event-types': async ({ env }, rows) => {
    await Promise.all(idsOf(rows).map((id) => forgetEventType(env, id)))
    return undefined
  },
  images: async ({ env, db }, rows) => {
    const kept = await selectKept(db, idsOf(rows))
    await Promise.all(kept.map((use) => deleteObjects(env, use)))
    return undefined
  },
}

function idsOf(rows: readonly KeyRow[]): string[] {
  return rows.map(({ key }) => key)
}

/** Members of other organizations stay signed in there; for everyone else, all ways to sign in are removed. */
async function forgetPeople({ env, db, deletion }: Leaving, rows: readonly KeyRow[]): Promise<undefined> {
  const memberIds = idsOf(rows)
  const emails = (await selectAddresses(db, memberIds)).map(({ email }) => email)
  await endWaysIn(env, { memberIds, emails })
  const homes = shardsOf(env).map((home) => openDb(home, 'decide'))
  await Promise.all(homes.map((home) => leaveSessions(home, JSON.stringify(emails), deletion.organizationId)))
}
