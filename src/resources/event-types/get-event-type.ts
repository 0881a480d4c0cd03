import type { Tenant } from '../../auth/caller.ts'
import type { Db } from '../../db/client.ts'
import { notFound } from '../../http/errors.ts'
import { type EventTypeRow, findEventTypeInTenant } from './queries.ts'

export async function getEventTypeInTenant(db: Db, tenant: Tenant, id: string): Promise<EventTypeRow> {
  const row = await findEventTypeInTenant(db, tenant, id)
  if (!row) throw notFound('event type')
  return row
}
