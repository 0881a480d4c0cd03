import { sql } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import { asWitness, type Db, type Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { type EventKind, eventSequences, events } from '../../db/schema/records.ts'

export type NewEvent = {
  readonly kind: EventKind
  /** The changed object, as the API presents it and without tokens. */
  readonly data: Readonly<Record<string, unknown>>
  readonly revision: number
  readonly previous?: { readonly start_time: string; readonly end_time: string }
}

export type RecordedEvent = { readonly id: string; readonly statements: readonly Statement[] }

/**
 * Puts an event into the outbox, by statements for the batch that makes it happen. The sequence is taken
 * inside the batch, so the feed of an organization has neither gaps nor doubles.
 */
export function recordEvent(db: Db, tenant: Tenant, event: NewEvent): RecordedEvent {
  const id = newId()
  const { organizationId, isTest } = tenant
  const last = sql`(SELECT last FROM event_sequences
    WHERE organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0})`
  const data = { ...event.data }
  const row = { id, organizationId, isTest, sequence: last, ...event, data, createdAt: Date.now() }
  const statements = [
    db
      .insert(eventSequences)
      .values({ organizationId, isTest, last: 1 })
      .onConflictDoUpdate({
        target: [eventSequences.organizationId, eventSequences.isTest],
        set: { last: sql`${eventSequences.last} + 1` },
      }),
    asWitness(db.insert(events).values(row), events, id),
  ]
  return { id, statements }
}
