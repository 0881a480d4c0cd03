import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { members } from '../../platform/db/schema/organizations.ts'

/**
 * For the batch that changes the organization's time zone: when members without a zone of their own get their next agenda
 * email.
 */
export function moveAgendas(db: Db, organizationId: string, nextAgendaAt: number): Statement {
  const livesThere = and(eq(members.organizationId, organizationId), isNull(members.timezone))
  return db
    .update(members)
    .set({ nextAgendaAt })
    .where(and(livesThere, isNotNull(members.nextAgendaAt)))
}
