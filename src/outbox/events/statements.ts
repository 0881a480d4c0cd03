import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import { asWitness, type Db, type Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { listsToBind } from '../../platform/db/insert-each.ts'
import { EVENT_NOTED_AT } from '../../platform/db/noted-emails.ts'
import { type At, builtOnce, preparedStatement } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import type { Actor } from '../../platform/db/schema/bookings.ts'
import {
  type Beside,
  type EventKind,
  events,
  type Follows,
  type Left,
  type OfSeries,
  type OfSession,
  type Previous,
} from '../../platform/db/schema/records.ts'
import { markEachQuiet, markQuiet } from '../mail/statements.ts'

type NewEvent = {
  readonly kind: EventKind
  /** The changed object, as the API presents it and without tokens. */
  readonly data: Readonly<Record<string, unknown>>
  readonly revision: number
  readonly previous?: Previous
  /** What endpoints get beside `data`. */
  readonly beside?: Beside
  readonly session?: OfSession | undefined
  readonly series?: OfSeries | undefined
  /** For `booking.updated`: whether everybody gets an email, and who was in it before. */
  readonly emailed?: { readonly is_emailed: boolean; readonly left: readonly Left[] }
  readonly follows?: Follows['follows']
  /** Whether invitees, attendees and guests get no email about it. */
  readonly isQuiet?: boolean | undefined
  /** Of a new booking: the actor, who gets no email about it. */
  readonly madeBy?: Actor | undefined
}

export type RecordedEvent = { readonly id: string; readonly statements: readonly Statement[] }

type NewRow = Omit<
  typeof events.$inferSelect,
  'sequence' | 'handledAt' | 'retryAt' | 'claimedUntil' | 'heldBack'
>

const insertEvent = builtOnce((db, at: At<NewRow>) => {
  const { id, organizationId, isTest, kind, data, revision, previous, createdAt } = at
  const ofTenant = sql`organization_id = ${organizationId} AND is_test = ${isTest}`
  const sequence = sql`1 + max(coalesce((SELECT max(sequence) FROM events WHERE ${ofTenant}), 0),
    coalesce((SELECT last FROM event_sequences WHERE ${ofTenant}), 0))`
  return db
    .insert(events)
    .values({ id, organizationId, isTest, sequence, kind, data, revision, previous, createdAt })
})

/**
 * Puts an event into the outbox, by statements for the batch that makes it happen. The sequence is taken
 * inside the batch, so the feed of an organization has neither gaps nor doubles.
 */
export function recordEvent(db: Db, tenant: Tenant, event: NewEvent): RecordedEvent {
  const { organizationId, isTest } = tenant
  const id = newId(organizationId)
  const { kind, data, revision, isQuiet = false } = event
  const previous = aroundOf(event)
  const row = { id, organizationId, isTest, kind, data, revision, previous, createdAt: Date.now() }
  return {
    id,
    statements: [
      asWitness(insertEvent(db, row), events, () => eq(events.id, id)),
      ...(isQuiet ? [markQuiet(db, String(data.id), revision)] : []),
    ],
  }
}

/** Null if it has nothing beside its data. */
function aroundOf({ previous, beside, session, series, emailed, ...others }: NewEvent) {
  const { follows, isQuiet = false, madeBy } = others
  const quiet = isQuiet && { is_quiet: true as const }
  const made = madeBy?.type === 'member' && madeBy.id !== null && { maker_id: madeBy.id }
  const around = {
    ...previous,
    ...beside,
    ...session,
    ...series,
    ...emailed,
    ...quiet,
    ...made,
    ...(follows && { follows }),
  }
  return Object.keys(around).length === 0 ? null : around
}

type Recorded = Pick<NewRow, 'id' | 'kind' | 'revision'> & {
  readonly data: string
  readonly previous: string | null
}

const insertList = preparedStatement<
  readonly [events: string, organizationId: string, isTest: number, now: number]
>(
  `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, revision, previous, created_at)
   SELECT value ->> 'id', ?2, ?3, key + 1 + max(
       coalesce((SELECT max(sequence) FROM events WHERE organization_id = ?2 AND is_test = ?3), 0),
       coalesce((SELECT last FROM event_sequences WHERE organization_id = ?2 AND is_test = ?3), 0)),
     value ->> 'kind', value ->> 'data', value ->> 'revision', value ->> 'previous', ?4
   FROM json_each(?1)`,
)

/** The same for several events in their order, by one statement unless they are very large. */
export function recordEvents(
  db: Db,
  { organizationId, isTest }: Tenant,
  news: readonly NewEvent[],
): { readonly ids: readonly string[]; readonly statements: readonly Statement[] } {
  const rows = news.map((event): Recorded => {
    const { kind, data, revision } = event
    const around = aroundOf(event)
    return {
      id: newId(organizationId),
      ...{ kind, revision, data: JSON.stringify(data) },
      previous: around && JSON.stringify(around),
    }
  })
  const now = Date.now()
  const [first] = rows
  const inserts: Statement[] = listsToBind(rows).map((list) =>
    insertList(db, list, organizationId, Number(isTest), now),
  )
  if (first && inserts[0]) asWitness(inserts[0], events, () => eq(events.id, first.id))
  const quiet = news.filter(({ isQuiet }) => isQuiet)
  const marks = quiet.map(({ data, revision }) => ({ id: String(data.id), revision }))
  return {
    ids: rows.map(({ id }) => id),
    statements: [...inserts, ...(marks.length > 0 ? [markEachQuiet(db, marks)] : [])],
  }
}

const guardUnhandled = builtOnce((db, at: At<{ id: string }>) =>
  refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM events WHERE id = ${at.id} AND handled_at IS NULL)`),
)

const handle = builtOnce((db, at: At<{ id: string; handledAt: number }>) =>
  db
    .update(events)
    .set({ handledAt: sql`${at.handledAt}` })
    .where(eq(events.id, at.id)),
)

/** For the batch with all that follows from the event, which is refused when the event is handled already. */
export function markHandled(db: Db, id: string, handledAt: number): Statement[] {
  return [guardUnhandled(db, { id }), endClaim(db, id, handledAt)]
}

/** Refuses the batch where one of the events is handled, or somebody is at it. */
export function guardUnhandledEvents(db: Db, ids: readonly string[]): Statement {
  const isTold = sql`(handled_at IS NOT NULL OR claimed_until IS NOT NULL OR ${EVENT_NOTED_AT} IS NOT NULL)`
  const theirs = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  return refuseWhen(db, 'STALE', sql`EXISTS (SELECT 1 FROM events WHERE id IN ${theirs} AND ${isTold})`)
}

/** For a part of that: it is refused when the event is handled already. */
export function guardToHandle(db: Db, id: string): Statement {
  return guardUnhandled(db, { id })
}

/** The same for an event that was claimed for this. */
export function endClaim(db: Db, id: string, handledAt: number): Statement {
  return handle(db, { id, handledAt })
}

/** The event of a new booking, while it is not handled. */
export function selectUnhandledBooking(db: Db, bookingId: string) {
  const isOfBooking = sql`json_extract(${events.data}, '$.id') = ${bookingId}`
  return db
    .select({ id: events.id })
    .from(events)
    .where(and(isNull(events.handledAt), eq(events.kind, 'booking.created'), isOfBooking))
}
