import { and, asc, eq, getTableColumns, gt, gte, lt, lte } from 'drizzle-orm'
import { DAY_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { seal, unseal } from '../auth/secret.ts'
import { commitBatch, type Db, openDb, type Statement } from '../db/client.ts'
import { deleteOld } from '../db/delete-old.ts'
import { type At, builtOnce, insertOnce, queryOnce } from '../db/prepared.ts'
import { fenceOf } from '../db/refusals.ts'
import { idempotencyKeys } from '../db/schema/records.ts'
import { type Answer, inRequest } from './answer.ts'
import type { Context } from './context.ts'
import { because, type Refusal, Refused, refuse } from './errors.ts'
import { type IdempotencyClaim, isSameRequest, scopedTo } from './idempotency-claim.ts'
import { WholeAnswer } from './route.ts'

const KEPT_MS = DAY_MS

/** The query for a stored response, for any batch of reads; `openStored` reads its rows. */
export function selectStored(db: Db, claim: IdempotencyClaim | null) {
  return keptFor(db, { scope: claim?.scope ?? '', key: claim?.key ?? '', now: Date.now() })
}

type AskedAt = { readonly scope: string; readonly key: string; readonly now: number }

const keptFor = queryOnce((db, at: At<AskedAt>) => ({
  fields: getTableColumns(idempotencyKeys),
  query: db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.scope, at.scope),
        eq(idempotencyKeys.key, at.key),
        gt(idempotencyKeys.expiresAt, at.now),
      ),
    ),
}))

const deleteExpired = builtOnce((db, at: At<AskedAt>) =>
  db
    .delete(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.scope, at.scope),
        eq(idempotencyKeys.key, at.key),
        lte(idempotencyKeys.expiresAt, at.now),
      ),
    ),
)

const insertKept = insertOnce(idempotencyKeys)

type KeptRow = typeof idempotencyKeys.$inferSelect

/** The answer to repeat, a refusal when the key was used for another request, or null when nothing is kept. */
export async function openStored(
  env: Env,
  claim: IdempotencyClaim,
  rows: readonly KeptRow[],
): Promise<{ readonly replay: Answer } | { readonly refusal: Refusal } | null> {
  const [row] = rows
  if (!row) return null
  if (!isSameRequest(claim, row.requestHash)) return { refusal: because('other_request') }
  return { replay: { status: row.status, body: JSON.parse(await unseal(env.ENCRYPTION_KEY, row.answer)) } }
}

/** The same, in a query of its own. */
export async function findStored(env: Env, claim: IdempotencyClaim) {
  return openStored(env, claim, await selectStored(openDb(env, 'decide'), claim))
}

/** What was done under keys that begin with `prefix`, which ends in a slash: the bodies of the answers. */
export async function findDoneUnder(env: Env, scope: string, prefix: string): Promise<unknown[]> {
  const rows = await selectKeptUnder(openDb(env, 'decide'), scope, prefix, Date.now())
  const done = rows.filter(({ status }) => status < 400)
  return Promise.all(done.map(async ({ answer }) => JSON.parse(await unseal(env.ENCRYPTION_KEY, answer))))
}

const MOST_UNDER = 10

function selectKeptUnder(db: Db, scope: string, prefix: string, now: number) {
  const { key, expiresAt } = idempotencyKeys
  // Behind the slash comes the zero.
  const isUnder = and(gte(key, prefix), lt(key, `${prefix.slice(0, -1)}0`))
  return db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.scope, scope), isUnder, gt(expiresAt, now)))
    .orderBy(asc(key))
    .limit(MOST_UNDER)
}

/** Kept instead of a body where nothing was changed: the same request again gets the row as it is then. */
export const AS_IT_IS = null

/** Statements that keep `answer`. In a batch with the change itself, both happen or neither does. */
export async function keepStatements(
  env: Env,
  db: Db,
  claim: IdempotencyClaim | null,
  answer: Answer,
): Promise<Statement[]> {
  if (!claim) return []
  const now = Date.now()
  const { scope, key, requestHash, requestId, keptMs = KEPT_MS } = claim
  const { status, body } = requestId === undefined ? answer : inRequest(answer, requestId)
  const sealed = await seal(env.ENCRYPTION_KEY, JSON.stringify(body ?? null))
  return [
    deleteExpired(db, { scope, key, now }),
    insertKept(db, { scope, key, requestHash, status, answer: sealed, expiresAt: now + keptMs }),
  ]
}

/** A stored response that was not returned yet, as `change` completes it; nothing when it is gone. */
export async function completeStored(
  env: Env,
  db: Db,
  scope: string,
  key: string,
  change: (body: unknown) => unknown,
): Promise<Statement[]> {
  const isThis = and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, key))
  const [row] = await db.select().from(idempotencyKeys).where(isThis)
  if (!row) return []
  const body = change(JSON.parse(await unseal(env.ENCRYPTION_KEY, row.answer)))
  const answer = await seal(env.ENCRYPTION_KEY, JSON.stringify(body))
  return [db.update(idempotencyKeys).set({ answer }).where(isThis)]
}

export function deleteExpiredKeys(db: Db, now: number, limit: number) {
  const { scope, key, expiresAt } = idempotencyKeys
  const expired = db
    .select({ scope, key })
    .from(idempotencyKeys)
    .where(lte(expiresAt, now))
    .orderBy(asc(expiresAt))
    .limit(limit)
  return deleteOld(db, idempotencyKeys, [scope, key], expired)
}

/**
 * Keeps an answer that changed nothing else, and says whether it did: when another request kept one first, that one
 * stays.
 */
export async function storeResponse(env: Env, claim: IdempotencyClaim, answer: Answer): Promise<boolean> {
  const db = openDb(env, 'decide')
  try {
    await commitBatch(db, await keepStatements(env, db, claim, answer))
    return true
  } catch (error) {
    if (fenceOf(error) !== 'KEY_IN_USE') throw error
    return false
  }
}

/** Stores the answer to a finished request, and returns the first one if another request stored it in the meantime. */
export async function answerFirst<T>({ env, claim }: Context, status: number, body: T) {
  if (!claim || (await storeResponse(env, claim, { status, body }))) return body
  const kept = await findStored(env, claim)
  return kept && 'replay' in kept ? new WholeAnswer(kept.replay, true) : body
}

/** A notification from outside is handled and answered once: the same key about the same `subject` gets that answer again. */
export async function answerOnce<T>(
  ctx: Context,
  subject: string,
  status: number,
  act: () => Promise<T>,
): Promise<T | WholeAnswer> {
  const claim = scopedTo(ctx.claim, subject)
  const kept = claim && (await findStored(ctx.env, claim))
  if (kept && 'refusal' in kept) throw new Refused(kept.refusal)
  if (kept) return new WholeAnswer(kept.replay, true)
  const body = await act()
  if (claim) await storeResponse(ctx.env, claim, { status, body })
  return body
}

/** Commits a change together with the answer it gives, so that a repeated request can never repeat the change. */
export async function commit(
  ctx: Context,
  db: Db,
  statements: readonly Statement[],
  answer: Answer,
): Promise<void> {
  try {
    const all = [...(await keepStatements(ctx.env, db, ctx.claim, answer)), ...statements]
    if (all.length > 0) await commitBatch(db, all)
  } catch (error) {
    if (fenceOf(error) === 'KEY_IN_USE') throw refuse('still_running')
    throw error
  }
}
