import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { OAuthState } from '../../platform/auth/oauth-state.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { guardMember } from '../../platform/db/guard-member.ts'
import { newId } from '../../platform/db/ids.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { originOfOwner } from '../../platform/http/oauth-return.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { openCredentials, sealCredentials } from '../accounts/credentials.ts'
import { findConnecting } from '../accounts/statements.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { tellOfEnd } from './accounts/notify-end.ts'
import {
  type AccountRow,
  deleteAccount,
  endAccount,
  guardAccount,
  selectAccountOf,
  selectAccountsOfUser,
  upsertAccount,
} from './accounts/queries.ts'
import { retryMeetingsOf } from './queries.ts'

/** What the owner of an account granted; no tokens in the sandbox. */
export type GrantedAccount = {
  readonly tokens: Tokens | null
  readonly externalId: string | null
  readonly accountEmail: string
}

type Prepared = {
  readonly statements: Statement[]
  /** The account that it becomes. */
  readonly connected: string
  /** Other accounts whose objects are to read their rows again. */
  readonly changed: readonly string[]
  /** Accounts that are deleted and whose permission is revoked. */
  readonly replaced: readonly AccountRow[]
  readonly announce: () => Promise<void>
}

const TAKEN_OVER =
  'This Zoom account was connected elsewhere, which ended its connection here; connect it once more.'

/** The batch that connects an account. A user is connected once: former connections end, and their records say so. */
export async function prepareAccount(
  ctx: Context,
  db: Db,
  state: OAuthState,
  granted: GrantedAccount,
): Promise<Prepared> {
  const { env, now } = ctx
  const { organizationId, isTest } = state
  const { memberId } = await findConnecting(db, organizationId, state.memberId)
  if (memberId === null) throw notFound('member')
  const [[known], users] = await Promise.all([
    selectAccountOf(db, { organizationId, isTest }, memberId),
    isTest ? [] : selectAccountsOfUser(db, granted),
  ])
  const formers = users.filter(({ id }) => id !== known?.id)
  const isSame = known !== undefined && isSameUser(known, granted)
  const replaced = known && !isSame ? [known] : []
  // One that a Worker without members connected becomes the owner's.
  const inTheWay = known && (!isSame || known.memberId !== memberId) ? [known] : []
  const row: AccountRow = {
    id: isSame ? known.id : newId(organizationId),
    organizationId,
    isTest,
    provider: 'video_a',
    memberId,
    externalId: granted.externalId,
    accountEmail: granted.accountEmail,
    credentials: await latestCredentials(env, granted.tokens, users),
    status: 'active',
    error: null,
    connectedAt: now,
    updatedAt: now,
  }
  const tellings = await Promise.all(
    formers.map((former) => tellOfEnd(env, db, former, TAKEN_OVER, realNow())),
  )
  const statements = [
    guardMember(db, memberId),
    ...users.map((read) => guardAccount(db, read)),
    ...formers.map(({ id }) => endAccount(db, id, { status: 'revoked', error: TAKEN_OVER }, now)),
    ...tellings.flatMap(({ statements }) => statements),
    ...inTheWay.map(({ id }) => deleteAccount(db, id)),
    upsertAccount(db, row),
    ...(isTest ? [] : [retryMeetingsOf(db, organizationId, now)]),
    recordActivity(db, row, originOfOwner(ctx), {
      action: 'conferencing.connected',
      resourceType: 'conferencing_connection',
      resourceId: row.id,
      changes: { provider: 'video_a', account_email: row.accountEmail },
    }),
  ]
  return {
    statements,
    connected: row.id,
    changed: formers.map(({ id }) => id),
    replaced,
    announce: async () => {
      for (const { announce } of tellings) await announce()
    },
  }
}

function isSameUser(row: AccountRow, { externalId, accountEmail }: GrantedAccount): boolean {
  return row.externalId === externalId || (row.externalId === null && row.accountEmail === accountEmail)
}

/** The newest tokens of the user, in sealed form, so that a renewal that is running finds them. */
async function latestCredentials(
  env: Env,
  tokens: Tokens | null,
  users: readonly AccountRow[],
): Promise<string> {
  if (tokens === null) return ''
  let [latest, expiresAt] = [await sealCredentials(env, tokens), tokens.expiresAt]
  for (const { credentials } of users) {
    const kept = await openCredentials<Tokens>(env, credentials).catch(() => null)
    if (kept && kept.expiresAt >= expiresAt) [latest, expiresAt] = [credentials, kept.expiresAt]
  }
  return latest
}
