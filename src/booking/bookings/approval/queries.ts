import { and, asc, eq, gt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/client.ts'
import { isCoHost } from '../../../platform/db/co-hosts.ts'
import { comesAfter, DUE_A_PAGE, isDueInSandbox, staysHere } from '../../../platform/db/due-page.ts'
import { memberName } from '../../../platform/db/member-name.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { members } from '../../../platform/db/schema/organizations.ts'
import { type SlotHoldRow, slotHolds } from '../../../platform/db/schema/slot-holds.ts'
import type { PresentMs, RealMs } from '../../../platform/limits/clock.ts'

/** What a booking that awaits approval held or holds. */
export function selectRequest(db: Db, bookingId: string) {
  return db
    .select()
    .from(slotHolds)
    .where(and(eq(slotHolds.id, bookingId), eq(slotHolds.purpose, 'approval')))
}

/** The requests of a series that can still be decided, by start. */
export function listPendingOf(db: Db, seriesId: string, now: PresentMs) {
  return db
    .select({
      id: bookings.id,
      start: bookings.startTime,
      end: bookings.endTime,
      expiresAt: slotHolds.expiresAt,
    })
    .from(bookings)
    .innerJoin(slotHolds, and(eq(slotHolds.id, bookings.id), eq(slotHolds.purpose, 'approval')))
    .where(
      and(
        eq(bookings.seriesId, seriesId),
        eq(bookings.status, 'pending_approval'),
        gt(slotHolds.expiresAt, now),
      ),
    )
    .orderBy(asc(bookings.startTime))
}

const isUndecided = sql`${slotHolds.purpose} = 'approval' AND ${slotHolds.status} IN ('held', 'expired')`
const columns = { id: slotHolds.id, eventTypeId: slotHolds.eventTypeId, expiresAt: slotHolds.expiresAt }

type Last = Pick<SlotHoldRow, 'expiresAt' | 'id'>

/** Live requests that expired undecided. */
export function selectUndecided(db: Db, now: RealMs, last?: Last) {
  return db
    .select(columns)
    .from(slotHolds)
    .where(
      and(
        isUndecided,
        eq(slotHolds.isTest, false),
        lte(slotHolds.expiresAt, now),
        staysHere(slotHolds.organizationId),
        follows(last),
      ),
    )
    .orderBy(asc(slotHolds.expiresAt), asc(slotHolds.id))
    .limit(DUE_A_PAGE)
}

/** The same for one sandbox, in its present. */
export function selectUndecidedInSandbox(db: Db, organizationId: string, now: PresentMs, last?: Last) {
  return db
    .select(columns)
    .from(slotHolds)
    .where(
      and(
        isUndecided,
        isDueInSandbox(slotHolds.expiresAt, organizationId, now),
        eq(slotHolds.organizationId, organizationId),
        sql`${slotHolds.isTest} = 1`,
        follows(last),
      ),
    )
    .orderBy(asc(slotHolds.expiresAt), asc(slotHolds.id))
    .limit(DUE_A_PAGE)
}

function follows(last: Last | undefined) {
  return comesAfter([slotHolds.expiresAt, slotHolds.id], last && [last.expiresAt, last.id])
}

/** Those of these bookings that a user hosts, alone or with others. */
export function selectHosted(db: Db, userId: string, ids: readonly string[]) {
  return db
    .select({ id: bookings.id })
    .from(bookings)
    .innerJoin(members, and(eq(members.organizationId, bookings.organizationId), eq(members.userId, userId)))
    .where(
      and(
        sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        or(eq(bookings.assignedHostId, members.id), isCoHost(sql`${bookings.coHosts}`, sql`${members.id}`)),
      ),
    )
}

/** The member for whom a decision link was made. */
export function selectDecider(db: Db, memberId: string) {
  return db
    .select({ userId: members.userId, role: members.role, name: memberName().as('called') })
    .from(members)
    .where(eq(members.id, memberId))
}
