import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { assertMemberMay } from '../../people/team/assert-member-may.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { presentDeletion } from './present.ts'
import { type DeletionRow, findDeletable, findDeletion } from './queries.ts'
import type { Deletion } from './schema.ts'
import { guardDeletion, suspendAsRead, withdraw } from './statements.ts'

export async function getDeletion(
  { env, caller }: Context<OperatorCaller>,
  organizationId: string,
): Promise<Deletion> {
  const db = openDb(env, 'decide')
  const row = await findDeletion(db, organizationId)
  if (!row) throw notFound('deletion')
  await assertMemberMay(db, caller, organizationId, 'read')
  return presentDeletion(row)
}

/** The organization stays as it was, except for the bookings that were cancelled. */
export async function withdrawDeletion(
  ctx: Context<OperatorCaller>,
  organizationId: string,
): Promise<undefined> {
  const decide = async (db: Db): Promise<Change<DeletionRow['kind']>> => {
    const { organization, deletion } = await findDeletable(db, organizationId)
    if (!deletion) throw notFound('deletion')
    await assertMemberMay(db, ctx.caller, organizationId, 'own')
    if (deletion.begunAt !== null || !organization) throw refuse('being_deleted')
    if (ctx.caller.userId !== null && deletion.requestedBy === 'operator') {
      throw refuse('deleted_by_operator')
    }
    const statements = [
      guardDeletion(db, deletion),
      withdraw(db, organizationId),
      ...(deletion.kind === 'moved'
        ? []
        : [
            ...suspendAsRead(db, organization, deletion.suspendedBefore, Date.now()),
            recordActivity(db, { organizationId, isTest: false }, originOf(ctx), {
              action: 'organization.deletion_taken_back',
              resourceType: 'organization',
              resourceId: organizationId,
            }),
          ]),
    ]
    return { body: deletion.kind, statements }
  }
  const kind = await runChange(ctx, decide, { refusesOn: { BEING_DELETED: refuse('being_deleted').refusal } })
  if (kind === 'closed') await offerFreedOf(ctx.env, openDb(ctx.env, 'decide'), organizationId)
}
