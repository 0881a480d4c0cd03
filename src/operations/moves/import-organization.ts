import { moveAddresses } from '../../booking/images/statements.ts'
import { type Env, urlAt } from '../../env.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOf } from '../../platform/auth/forget-keys.ts'
import { keyVersions } from '../../platform/auth/secret.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { takeTime } from '../../platform/db/deadline.ts'
import { newId, shardOf } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { homeOf, shardOfEnv } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid, refuse } from '../../platform/http/errors.ts'
import type { WholeAnswer } from '../../platform/http/route.ts'
import { claimFor, NO_CLAIM } from '../../platform/names/claim-names.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { assertImage } from './check-image.ts'
import { fieldsOf } from './check-line.ts'
import { importOnce } from './import-once.ts'
import { takeInAll } from './insert-rows.ts'
import { Keeping } from './keeping.ts'
import { Gatherer, type Header, headerOf } from './parse-rows.ts'
import { isThere } from './queries.ts'
import { drainBody, readLines } from './read-lines.ts'
import type { Imported } from './schema.ts'
import { beginImport } from './statements.ts'

/** How many left-out things an answer names. */
const MOST_NAMED = 1_000

/** Takes in an organization of another deployment: all of it, or nothing. */
export async function importOrganization(
  ctx: Context<OperatorCaller>,
  isTrusted: boolean,
): Promise<Imported | WholeAnswer> {
  const { body } = ctx.request
  if (!body) throw invalid({ body: problem('required') })
  takeTime(ctx.env)
  return importOnce(ctx, body, 201, async (lines) => {
    try {
      return await importLines(ctx.env, lines, isTrusted)
    } catch (error) {
      await drainBody(lines)
      throw error
    }
  })
}

async function importLines(
  env: Env,
  given: ReadableStream<Uint8Array>,
  isTrusted: boolean,
): Promise<Imported> {
  const versions = await keyVersions(env.ENCRYPTION_KEY)
  let keeping: Keeping | null = null
  let gatherer: Gatherer | null = null
  let header: Header | null = null
  try {
    for await (const line of readLines(given)) {
      const fields = fieldsOf(line)
      if (header === null || gatherer === null || keeping === null) {
        header = headerOf(line.number, fields)
        gatherer = new Gatherer(header, versions, isTrusted)
        keeping = await begin(env, header.organizationId)
        continue
      }
      const row = gatherer.take(line.number, fields)
      if (row?.table.name === 'images') await assertImage(line.number, fields)
      if (row) await keeping.add(line.number, row.table.name, row.values)
    }
    if (header === null || gatherer === null || keeping === null || !gatherer.isOver) {
      throw invalid({ body: problem('no_end') })
    }
    const { organizationId, keyVersion } = header
    keeping.clearDefaultCalendar((id) => gatherer!.isMissing(id))
    const chunks = await keeping.keepAll()
    const { eventTypeIds, counts, leftOut } = gatherer
    const { db, importId } = keeping
    const all = [
      ...takeInAll(db, { importId, organizationId, eventTypeIds, chunks }),
      ...(counts.image ? moveAddresses(db, organizationId, urlAt(env, '')) : []),
    ]
    await commit(db, all, () => claimFor(env, organizationId, gatherer!.names))
    // Callers who used one of its keys before got the answer that there is no such key.
    await forgetKeysOf(env, db, organizationId)
    const body: Imported = {
      organization_id: organizationId,
      rows: counts,
      left_out: leftOut.slice(0, MOST_NAMED),
      left_out_count: leftOut.length,
      keeps_tokens: versions.includes(keyVersion),
    }
    return body
  } finally {
    // What cannot be deleted now, the sweep deletes.
    await keeping?.forget().catch(() => {})
  }
}

/** Ids lead to a database, and there it goes. */
async function begin(env: Env, organizationId: string): Promise<Keeping> {
  const home = homeOf(env, organizationId)
  const shard = shardOf(organizationId)
  if (shard !== shardOfEnv(home)) {
    throw refuse('shard_missing', { shard })
  }
  const db = openDb(home, 'decide')
  if (await isThere(db, organizationId)) throw refuse('organization_here')
  const importId = newId(organizationId)
  await db.batch([beginImport(db, importId, organizationId, Date.now())])
  return new Keeping(db, importId)
}

async function commit(
  db: Db,
  statements: ReturnType<typeof takeInAll>,
  claim: () => ReturnType<typeof claimFor>,
): Promise<void> {
  let giveUp = NO_CLAIM
  try {
    giveUp = await claim()
    await db.batch(statements)
  } catch (error) {
    await giveUp(error)
    const taken = uniqueOf(error)
    if (taken) throw refuse('row_taken', { column: taken })
    if (fenceOf(error) === null) throw error
    throw refuse('file_contradicts')
  }
}

/** The duplicate that the database names, however the error is wrapped. */
function uniqueOf(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const found = /UNIQUE constraint failed: ([^:]+)/.exec(cause.message)?.[1]
    if (found) return found.trim()
  }
  return null
}
