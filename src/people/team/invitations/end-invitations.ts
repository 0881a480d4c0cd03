import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { Origin } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { type Inviter, listOpenInvitationsBy, revokeInvitationsBy } from './queries.ts'

/** In the batch that removes an admin or lowers their role: what they invited with it, also through their keys, ends. */
export async function endInvitationsBy(
  db: Db,
  inviter: Inviter,
  now: RealMs,
  origin: Origin,
): Promise<Statement[]> {
  const open = await listOpenInvitationsBy(db, inviter)
  return [
    // Also those that were made in the meantime.
    revokeInvitationsBy(db, inviter, now),
    ...open.map((invitation) =>
      recordActivity(db, invitation, origin, {
        action: 'invitation.revoked',
        resourceType: 'invitation',
        resourceId: invitation.id,
      }),
    ),
  ]
}
