import { and, eq, sql } from 'drizzle-orm'
import { type Counted, dayOf } from '../../outbox/mail/daily-limit.ts'
import type { Mailing } from '../../outbox/mail/enqueued.ts'
import { countedOf } from '../../outbox/mail/send-at-once.ts'
import { countUnposted, noteEmails, selectBeyondDay } from '../../outbox/mail/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Lease } from '../../platform/db/leases.ts'
import { claimedUntil, EVENT_NOTED_AT, type FoundEvent } from '../../platform/db/noted-emails.ts'
import { type At, builtOnce, queryOnce } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { type EventRow, events } from '../../platform/db/schema/records.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

type Claimed = Pick<EventRow, 'claimedUntil'> & Pick<FoundEvent, 'notedAt'>

const guardClaim = builtOnce((db, at: At<Claimed & { id: string }>) =>
  refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM events WHERE id = ${at.id} AND handled_at IS NULL AND claimed_until IS ${at.claimedUntil}
      AND ${EVENT_NOTED_AT} IS ${at.notedAt})`,
  ),
)

const claim = builtOnce((db, at: At<{ id: string; until: number }>) =>
  db
    .update(events)
    .set({ claimedUntil: sql`${at.until}` })
    .where(eq(events.id, at.id)),
)

/** Writes nothing unless somebody gets no email. */
const keepHeldBack = queryOnce((db, at: At<Counted & { id: string }>) => {
  const beyond = sql`(${selectBeyondDay(at)})`
  const fields = { heldBack: events.heldBack }
  const query = db
    .update(events)
    .set({ heldBack: beyond })
    .where(and(eq(events.id, at.id), sql`${beyond} <> '[]'`))
    .returning(fields)
  return { fields, query }
})

/**
 * For the batch with everything that follows from the event except its emails: the first claim counts them, and `heldBack`
 * returns the rate-limited recipients, including those `leftOut`. It is refused if the event was handled or claimed since it
 * was read.
 */
export function claimEvent(
  db: Db,
  found: FoundEvent,
  mailing: Pick<Mailing, 'to' | 'history' | 'onceKey'> & { readonly leftOut: readonly string[] },
  { now, until }: Lease<RealMs>,
) {
  const { id, organizationId, isTest } = found.event
  const tenant = { organizationId, isTest }
  const letters = countedOf(mailing)
  const judged = [...letters, ...mailing.leftOut.map((id) => ({ id, isLeftOut: true }))]
  const isFirst = claimedUntil(found) === null
  const heldBack = isFirst
    ? keepHeldBack(db, { ...tenant, id, letters: JSON.stringify(judged), day: dayOf(now) })
    : null
  const claims = mailing.history ? noteEmails(db, mailing, now) : [claim(db, { id, until })]
  const guard = guardClaim(db, { id, claimedUntil: found.event.claimedUntil, notedAt: found.notedAt })
  const counts = isFirst ? countUnposted(db, tenant, letters, now) : []
  return { heldBack, statements: [guard, ...counts, ...(heldBack ? [heldBack] : []), ...claims] }
}

const holdBack = builtOnce((db, at: At<{ id: string; heldBack: string }>) =>
  db
    .update(events)
    .set({ heldBack: sql`${at.heldBack}` })
    .where(eq(events.id, at.id)),
)

/** For the batch that enqueues the emails of an event: who gets none. */
export function noteHeldBack(db: Db, id: string, leftOut: readonly string[]) {
  return leftOut.length === 0 ? [] : [holdBack(db, { id, heldBack: JSON.stringify(leftOut) })]
}
