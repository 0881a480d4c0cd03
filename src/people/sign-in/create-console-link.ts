import { urlAt } from '../../env.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { randomSecret, sha256 } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { newIdIn } from '../../platform/db/ids.ts'
import { shardOfEnv } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid, notFound, refuse } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { LINK_LIFE_MS } from './code.ts'
import { findLinkable, insertLink } from './links/queries.ts'
import type { ConsoleLink, CreateConsoleLinkInput } from './schema.ts'

/** A link proves nothing beyond the service key's word. */
export async function createConsoleLink(
  ctx: Context<OperatorCaller>,
  { organization_id: organizationId, user_id: userId }: CreateConsoleLinkInput,
): Promise<ConsoleLink> {
  const { userId: actor } = ctx.caller
  if (userId !== undefined && organizationId === undefined)
    throw invalid({ organization_id: problem('required') })
  if (actor !== null && actor !== userId) throw refuse('link_for_other')
  const db = openDb(ctx.env, 'decide')
  const found = organizationId === undefined ? null : await findLinkable(db, organizationId, userId)
  if (organizationId !== undefined && !found) throw notFound('organization')
  if (found && found.memberId === null) throw notFound('member')
  const shard = shardOfEnv(ctx.env)
  const token = randomSecret(shard)
  const expiresAt = ctx.now + LINK_LIFE_MS
  const created = {
    url: urlAt(ctx.env, `/console/link?token=${token}`),
    expires_at: formatInstant(expiresAt),
    created_by:
      actor === null
        ? { type: 'service' as const, id: null, name: null }
        : { type: 'member' as const, id: found?.memberId ?? null, name: found?.name ?? null },
  }
  const row = {
    id: newIdIn(shard),
    tokenHash: await sha256(token),
    memberId: found?.memberId ?? null,
    usedAt: null,
  }
  const statement = insertLink(db, { ...row, expiresAt, createdAt: ctx.now })
  await commit(ctx, db, [statement], { status: 201, body: created })
  return created
}
