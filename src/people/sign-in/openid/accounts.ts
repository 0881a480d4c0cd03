import type { Env } from '../../../env.ts'
import { sha256 } from '../../../platform/auth/secret.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import { newIdIn } from '../../../platform/db/ids.ts'
import { inShard, othersOf } from '../../../platform/db/shards.ts'
import { isEmailAddress } from '../../../platform/http/email-address.ts'
import { type Changing, changeAndNotify } from '../change-and-notify.ts'
import { addressOf } from '../code.ts'
import { membershipsOf } from '../memberships.ts'
import type { Person } from '../person.ts'
import { enqueueSecurityEmails, type SecurityChange } from '../security-email.ts'
import { type Entry, notedByOthers } from '../sessions.ts'
import type { Failed, Identity } from './at-provider.ts'
import * as queries from './queries.ts'
import type { OpenId } from './settings.ts'
import { spentBy, type Transaction } from './transaction.ts'

export type { AccountRow } from './queries.ts'

/** All of them are in the directory. */
function directory(env: Env): Db {
  return openDb(inShard(env, 0), 'decide')
}

function subjectHashOf({ key }: OpenId, { subject }: Identity): Promise<string> {
  return sha256(JSON.stringify([key, subject]))
}

/** An address that the provider says is verified; empty where it does not. */
function provenIn(email: Identity['email']): string {
  return email?.isVerified === true && isEmailAddress(email.address) ? addressOf(email.address) : ''
}

/**
 * Whom somebody comes in as. `used`: somebody came back with this before. `unverified`: the account is not known here, and
 * the provider does not say that its address is verified. `taken`: somebody else there has come in with the address.
 * `failed`: what came of asking the provider for the address.
 */
type Recognized =
  | { readonly is: 'person'; readonly person: Person; readonly entry: Entry }
  | { readonly is: 'used' }
  | { readonly is: 'failed'; readonly failed: Failed }
  | { readonly is: 'unverified' | 'taken'; readonly email: string }

/**
 * By the linked account; before it is linked, by an address that the provider says is verified. That links the account, and the
 * address gets an email.
 */
export async function recognize(
  env: Env,
  openId: OpenId,
  identity: Identity,
  transaction: Transaction,
  { device, now }: Pick<Changing, 'device' | 'now'>,
): Promise<Recognized> {
  const db = directory(env)
  const subjectHash = await subjectHashOf(openId, identity)
  const sought = { issuer: openId.key, subjectHash, email: provenIn(identity.email) }
  const spent = await spentBy(transaction)
  const found = await queries.spendAndFind(db, spent, sought)
  if (!found.isFirst) return { is: 'used' }
  const { account } = found
  // People who are signed in at the provider come in without a prompt, so this proves nothing for keys.
  const provenAt = Math.min(now, identity.authenticatedAt ?? 0)
  const isAlone = othersOf(inShard(env, 0)).length === 0
  if (account) {
    const { id, email, memberId } = account
    const person = { email, memberId }
    const memberships = isAlone ? found.memberships : await membershipsOf(env, person)
    const parts = [{ shard: 0, statements: (on: Db) => [queries.touchAccount(on, id, now)] }]
    return { is: 'person', person, entry: { memberships, provenAt, parts } }
  }
  const { emailAt } = await import('./at-provider.ts')
  const asked = await emailAt(identity)
  if (!asked.ok) return { is: 'failed', failed: asked }
  const email = provenIn(asked.value)
  if (email === '') return { is: 'unverified', email: asked.value ? addressOf(asked.value.address) : '' }
  const person: Person = { email, memberId: null }
  const isKnown = sought.email === email
  const other = isKnown ? found.ofAddress : await queries.findAccountOf(db, person, openId.key)
  if (other) return { is: 'taken', email }
  const memberships = isKnown && isAlone ? found.memberships : await membershipsOf(env, person)
  const row = { id: newIdIn(0), issuer: openId.key, subjectHash, ...person, usedAt: now, createdAt: now }
  const happened = { memberships, device, now }
  const told = await enqueueSecurityEmails(inShard(env, 0), happened, [{ to: email, news: linkedAt(openId) }])
  const link = (on: Db) => [...queries.putAccount(on, row), ...told.statements(on)]
  const parts = [{ shard: 0, isNeeded: true, statements: link }]
  const { announce } = told
  return {
    is: 'person',
    person,
    entry: { memberships, provenAt, parts, action: 'member.openid_linked', announce },
  }
}

function linkedAt({ name }: OpenId): SecurityChange {
  return { what: 'accountLinked', provider: name }
}

function unlinkedAt({ name }: OpenId): SecurityChange {
  return { what: 'accountUnlinked', provider: name }
}

type Seer = Pick<Changing, 'person' | 'memberships'>

function viewerOf({ person, memberships }: Seer): queries.Viewer {
  return { person, memberIds: memberships.map(({ memberId }) => memberId) }
}

/** Those that a person looks at and removes, which are more than let them in. */
export function accountsSeenBy(env: Env, seer: Seer, openId: OpenId): Promise<queries.AccountRow[]> {
  return queries.listSeenAccounts(directory(env), viewerOf(seer), openId.key)
}

/**
 * Links the account to the person who is signed in. If it was linked to somebody else, they get an email and a log entry. False
 * if they came back with this before, or have another account.
 */
export async function linkAccount(
  env: Env,
  openId: OpenId,
  identity: Identity,
  transaction: Transaction,
  by: Changing,
): Promise<boolean> {
  const subjectHash = await subjectHashOf(openId, identity)
  const spent = await spentBy(transaction)
  const { isFirst, account } = await queries.spendAndFindOwn(directory(env), spent, subjectHash)
  if (!isFirst) return false
  const { email, memberId } = by.person
  const former = account && account.email !== email ? account : null
  const told = await tellUnlinked(env, openId, former, by)
  const of = { issuer: openId.key, subjectHash, email, memberId }
  const row = { id: newIdIn(0), ...of, usedAt: null, createdAt: by.now }
  const put = (db: Db) => [...queries.putAccount(db, row), ...told.statements(db)]
  const isLinked = await changeAndNotify(env, by, linkedAt(openId), put, 'member.openid_linked', told.parts)
  if (isLinked) await told.announce()
  return isLinked
}

async function tellUnlinked(
  env: Env,
  openId: OpenId,
  former: Person | null,
  { device, now, ...origin }: Omit<Changing, 'person' | 'memberships'>,
) {
  const memberships = former ? await membershipsOf(env, former) : []
  const letters = former ? [{ to: former.email, news: unlinkedAt(openId) }] : []
  const told = await enqueueSecurityEmails(inShard(env, 0), { memberships, device, now }, letters)
  const parts = memberships.map((membership) => notedByOthers(membership, origin, 'member.openid_removed'))
  return { ...told, parts }
}

/** Whether the account belongs to the person who is signed in, and this response was not used before. */
export async function isOwnAccount(
  env: Env,
  openId: OpenId,
  identity: Identity,
  transaction: Transaction,
  person: Person,
): Promise<boolean> {
  const subjectHash = await subjectHashOf(openId, identity)
  const spent = await spentBy(transaction)
  const { isFirst, account } = await queries.spendAndFindOwn(directory(env), spent, subjectHash)
  return isFirst && account?.email === person.email && account.memberId === person.memberId
}

/** False where they have no such account. */
export function unlinkAccount(env: Env, openId: OpenId, by: Changing, id: string): Promise<boolean> {
  const remove = (db: Db) => queries.deleteAccount(db, viewerOf(by), id)
  return changeAndNotify(env, by, unlinkedAt(openId), remove, 'member.openid_removed')
}
