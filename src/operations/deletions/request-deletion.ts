import { DAY_MS } from '../../core/time-units.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import { assertMemberMay } from '../../people/team/assert-member-may.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { looseId } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { presentDeletion } from './present.ts'
import { type DeletionRow, findDeletable } from './queries.ts'
import { type Deletion, GRACE_DAYS } from './schema.ts'
import { guardNoDeletion, insertDeletion, moveDeletion, suspendAsRead } from './statements.ts'

type Found = Awaited<ReturnType<typeof findDeletable>>

/**
 * Schedules the deletion of an organization. Unless it moved away, it is suspended from then on, and the sweep calls its
 * bookings off. Asking again changes nothing, but that the operator may change for how long it can be taken back.
 */
export async function requestDeletion(
  ctx: Context<OperatorCaller>,
  organizationId: string,
  graceDays: number | undefined,
): Promise<Deletion> {
  return runChange(ctx, async (db) => {
    const found = await findDeletable(db, organizationId)
    if (!found.organization && !found.deletion) throw notFound('organization')
    await assertMemberMay(db, ctx.caller, organizationId, 'own')
    if (ctx.caller.userId !== null && graceDays !== undefined) {
      throw refuse('grace_for_operator')
    }
    if (found.deletion) return askedAgain(db, found.deletion, graceDays)
    return schedule(ctx, db, found, graceDays ?? GRACE_DAYS)
  })
}

function askedAgain(db: Db, before: DeletionRow, graceDays: number | undefined): Change<Deletion> {
  if (graceDays === undefined || before.begunAt !== null)
    return { body: presentDeletion(before), statements: [] }
  const deletesAt = before.requestedAt + graceDays * DAY_MS
  return {
    body: presentDeletion({ ...before, deletesAt }),
    statements: [moveDeletion(db, before, deletesAt)],
  }
}

async function schedule(
  ctx: Context<OperatorCaller>,
  db: Db,
  { organization, hasMoved, told }: Found,
  graceDays: number,
): Promise<Change<Deletion>> {
  const { id: organizationId, suspendedAt } = organization!
  // Also where a sandbox has another clock.
  const now = Date.now()
  const row: DeletionRow = {
    organizationId,
    kind: hasMoved ? 'moved' : 'closed',
    requestedAt: now,
    deletesAt: now + graceDays * DAY_MS,
    suspendedBefore: hasMoved ? null : suspendedAt,
    nextAt: now,
    begunAt: null,
    requestedBy: ctx.caller.userId === null ? 'operator' : 'owner',
  }
  const guarded = [guardNoDeletion(db, organizationId), insertDeletion(db, row)]
  const body = presentDeletion(row)
  // Nothing of it changes here any more, its log neither.
  if (hasMoved) return { body, statements: guarded }
  const tenant = { organizationId, isTest: false }
  const { deletionEmail } = await import('./deletion-email.ts')
  const letters = await Promise.all(
    told!.people
      .filter(({ email }) => email !== '')
      .map((person) => {
        const letter = deletionEmail(ctx.env, told!.sender, person, row)
        return enqueueEmail(
          ctx.env,
          db,
          tenant,
          { onceKey: `${looseId()}/deletion`, ...letter },
          { isCounted: false },
        )
      }),
  )
  const statements = [
    ...suspendAsRead(db, organization!, suspendedAt ?? now, now),
    ...guarded,
    recordActivity(db, tenant, originOf(ctx), {
      action: 'organization.deletion_requested',
      resourceType: 'organization',
      resourceId: organizationId,
      changes: { deletes_at: new Date(row.deletesAt).toISOString() },
    }),
    ...letters.flatMap(({ statements }) => statements),
  ]
  return { body, statements, announce: () => Promise.all(letters.map(({ announce }) => announce())) }
}
