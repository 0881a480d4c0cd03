import { recordActivity } from '../../outbox/activity/statements.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { inShard, othersOf, seek, shardOfEnv } from '../../platform/db/shards.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { Refused, refuse } from '../../platform/http/errors.ts'
import { commit, findStored } from '../../platform/http/idempotency.ts'
import { type HandlerResult, WholeAnswer } from '../../platform/http/route.ts'
import { claimFor, NO_CLAIM } from '../../platform/names/claim-names.ts'
import { chooseSlug } from './choose-slug.ts'
import { emptiestHome } from './emptiest-home.ts'
import { newOrganization } from './new-organization.ts'
import { presentOrganization } from './present.ts'
import { findOrganizationOfOwner, insertMember, insertOrganization } from './queries.ts'
import type { CreateOrganizationInput, Organization } from './schema.ts'

/** How often a derived slug is chosen again when another request took it in between. */
const MAX_ATTEMPTS = 20

export async function createOrganization(
  ctx: Context<OperatorCaller>,
  input: CreateOrganizationInput,
): Promise<HandlerResult<Organization>> {
  const { userId } = ctx.caller
  if (userId !== null && userId !== input.owner_user_id) throw refuse('owner_is_other')
  const home = await emptiestHome(ctx.env)
  const [directory, db] = [openDb(inShard(ctx.env, 0), 'decide'), openDb(home, 'decide')]
  const kept = await findKeptElsewhere(ctx)
  if (kept) return kept
  if (await findOrganizationOfOwner(directory, input.owner_user_id)) throw refuse('owns_one')

  for (let attempt = 1; ; attempt++) {
    const slug = input.slug ?? (await chooseSlug(directory, input.name, attempt))
    const row = newOrganization(shardOfEnv(home), ctx.now, slug, input)
    const organization = presentOrganization(ctx.env, row)
    const statements = [
      insertOrganization(db, row),
      insertMember(db, {
        id: newId(row.id),
        organizationId: row.id,
        userId: input.owner_user_id,
        userEmail: input.owner_email ?? '',
        role: 'owner',
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
      recordActivity(db, { organizationId: row.id, isTest: false }, originOf(ctx), {
        action: 'organization.created',
        resourceType: 'organization',
        resourceId: row.id,
        changes: { name: row.name, slug: row.slug },
      }),
    ]
    let giveUp = NO_CLAIM
    try {
      giveUp = await claimFor(ctx.env, row.id, { slug, owner: input.owner_user_id })
      await commit(ctx, db, statements, { status: 201, body: organization })
      return organization
    } catch (error) {
      await giveUp(error)
      const fence = fenceOf(error)
      if (fence === 'ORGANIZATION_SLUG_TAKEN' && !input.slug && attempt < MAX_ATTEMPTS) continue
      if (fence) throw refuse(fence === 'OWNER_TAKEN' ? 'owns_one' : 'slug_taken')
      throw error
    }
  }
}

/** What the same request made before, in whichever database was the emptiest then. */
async function findKeptElsewhere({ env, claim }: Context): Promise<WholeAnswer | null> {
  if (othersOf(env).length === 0) return null
  const sought = claim && (await seek(env, (home) => findStored(home, claim)))
  if (!sought) return null
  if ('refusal' in sought.found) throw new Refused(sought.found.refusal)
  return new WholeAnswer(sought.found.replay, true)
}
