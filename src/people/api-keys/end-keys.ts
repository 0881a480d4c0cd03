import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { listOpenKeysOfMember, revokeKeysOfMember } from './queries.ts'

/** Statements that end the keys of a member who leaves; to go into the batch that removes them. */
export async function endKeysOf(db: Db, memberId: string, now: number, origin: Origin): Promise<Statement[]> {
  const keys = await listOpenKeysOfMember(db, memberId)
  return [
    revokeKeysOfMember(db, memberId, now),
    ...keys.map((key) =>
      recordActivity(db, key, origin, {
        action: 'api_key.revoked',
        resourceType: 'api_key',
        resourceId: key.id,
      }),
    ),
  ]
}
