import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { senderColumn } from '../../outbox/mail/about/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, staysHere } from '../../platform/db/due-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

export const AGENDAS_A_PAGE = 50

export type DueAgenda = Awaited<ReturnType<typeof selectDueAgendas>>[number]
type Last = { readonly member: Pick<typeof members.$inferSelect, 'id' | 'nextAgendaAt'> }

/** Members whose daily agenda is due. */
export function selectDueAgendas(db: Db, now: RealMs, last?: Last) {
  const order = [members.nextAgendaAt, members.id]
  const isNext = comesAfter(order, last && [last.member.nextAgendaAt, last.member.id])
  const isOwner = sql<boolean>`${members.userId} IS ${organizations.ownerUserId}`
  return db
    .select({ member: members, isOwner: isOwner.mapWith(Boolean).as('is_owner'), sender: senderColumn() })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(lte(members.nextAgendaAt, now), staysHere(members.organizationId), isNext))
    .orderBy(asc(members.nextAgendaAt), asc(members.id))
    .limit(AGENDAS_A_PAGE)
}

/**
 * The live bookings that begin in `day` and hold the member's time; the owner's are also those of event types without
 * hosts. Found by what they hold, so that no history is read.
 */
export function selectDay(db: Db, { member, isOwner }: Pick<DueAgenda, 'member' | 'isOwner'>, day: Interval) {
  const own = sql`SELECT ${member.id}`
  const ofEventTypes = sql`SELECT id FROM event_types WHERE organization_id = ${member.organizationId} AND is_test = 0`
  const resources = isOwner ? sql`${own} UNION ALL ${ofEventTypes}` : own
  const holders = sql`SELECT holder_id FROM holds WHERE resource_id IN (${resources}) AND kept_by = ''
    AND starts_at > ${day.start - MAX_HOLD_MS} AND starts_at < ${day.end}`
  const ids = (isTheirs: SQL) => sql`SELECT id FROM bookings WHERE ${isTheirs}`
  return db
    .select({
      booking: bookings,
      title: eventTypes.title,
      zone: sql<string>`${eventTypes.timezone}`.as('zone'),
      provider: sql<string | null>`${eventTypes.conferencingProvider}`.as('provider'),
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .where(
      and(
        sql`${bookings.id} IN (${ids(sql`id IN (${holders}) AND session_id IS NULL`)} UNION ${ids(sql`session_id IN (${holders})`)})`,
        sql`${bookings.status} IN ('confirmed', 'rescheduled')`,
        sql`${bookings.startTime} >= ${day.start} AND ${bookings.startTime} < ${day.end}`,
      ),
    )
    .orderBy(asc(bookings.startTime), asc(bookings.id))
}

/** Sets when the next one is due; a batch that was prepared for another day is refused. */
export function moveAgenda(
  db: Db,
  { id, nextAgendaAt }: Pick<typeof members.$inferSelect, 'id' | 'nextAgendaAt'>,
  next: number,
): Statement[] {
  const isOther = sql`NOT EXISTS (SELECT 1 FROM members WHERE id = ${id} AND next_agenda_at = ${nextAgendaAt})`
  return [
    refuseWhen(db, 'STALE', isOther),
    db.update(members).set({ nextAgendaAt: next }).where(eq(members.id, id)),
  ]
}
