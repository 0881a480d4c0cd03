import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { HOUR_MS } from '../../../core/time-units.ts'
import { aboutColumn, peopleColumn } from '../../../outbox/mail/about/statements.ts'
import type { Caused } from '../../../outbox/mail/caused-emails.ts'
import { type Counted, dayOf } from '../../../outbox/mail/daily-limit.ts'
import type { Mailing } from '../../../outbox/mail/enqueued.ts'
import { countedOf } from '../../../outbox/mail/send-at-once.ts'
import {
  causedColumn,
  countCaused,
  countUnposted,
  noteEmails,
  selectBeyondDay,
} from '../../../outbox/mail/statements.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, isDueInSandbox } from '../../../platform/db/due-page.ts'
import { type At, builtOnce, named, queryOnce } from '../../../platform/db/prepared.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { type BookingRow, bookings } from '../../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { emails } from '../../../platform/db/schema/mail.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import { othersWaitColumn } from '../../../platform/db/waiting-emails.ts'
import type { PresentMs, RealMs } from '../../../platform/limits/clock.ts'
import { type Reminders, UNDER_WAY_MS } from './plan-reminders.ts'
import { isReminderDue } from './statements.ts'

export type DueReminders = Awaited<ReturnType<typeof selectDueInSandbox>>[number]

/** How many reminders of a sandbox are sent together. */
const SANDBOX_PAGE = 50

/**
 * Live bookings with a due reminder for which the queue gets a message: those after the last one that was enqueued, and those
 * that are overdue. A clock that was set back makes the last one unknown.
 */
export function selectDueReminders(db: Db, now: RealMs, last?: Pick<BookingRow, 'id' | 'nextReminderAt'>) {
  const order = [bookings.nextReminderAt, bookings.id]
  const isNext = comesAfter(order, last && [last.nextReminderAt, last.id])
  const { tellRemindersAgainAt: announceAgainAt } = bookings
  const isNew = sql`NOT EXISTS (SELECT 1 FROM sweeps WHERE name = 'sweep' AND last_due_at <= ${now}
    AND (last_due_at, last_id) >= (${bookings.nextReminderAt}, ${bookings.id}))`
  const isOverdue = lte(bookings.nextReminderAt, now - UNDER_WAY_MS)
  return db
    .select({ id: bookings.id, nextReminderAt: bookings.nextReminderAt })
    .from(bookings)
    .where(
      and(
        isReminderDue(now),
        or(isNew, and(isOverdue, or(isNull(announceAgainAt), lte(announceAgainAt, now)))),
        isNext,
      ),
    )
    .orderBy(...order)
    .limit(DUE_A_PAGE)
}

const LONGEST_PAUSE_MS = HOUR_MS

/**
 * The sweep sends no more messages about these for as long as they are overdue, up to an hour, so that a queue that is
 * behind does not fill up. Handling them ends the pause.
 */
export async function putOffReminders(db: Db, ids: readonly string[], now: RealMs): Promise<void> {
  // Numbers are bound as if they had a fraction.
  const pauseEnds = sql`CAST(${now} + min(${now} - ${bookings.nextReminderAt}, ${LONGEST_PAUSE_MS}) AS INTEGER)`
  await db
    .update(bookings)
    .set({ tellRemindersAgainAt: pauseEnds })
    .where(
      and(
        sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        lte(bookings.nextReminderAt, now - UNDER_WAY_MS),
      ),
    )
}

type Day = Parameters<typeof causedColumn>[0]

/** Reminders are sent before the start, the follow-up after the end. */
function kindAt(now: RealMs | PresentMs | At<{ now: RealMs }>['now']) {
  return sql`CASE WHEN ${bookings.startTime} > ${now} THEN 'reminder' ELSE 'follow_up' END`
}

function dueFields(day: Day, now: Parameters<typeof kindAt>[0]) {
  return {
    booking: bookings,
    about: aboutColumn(kindAt(now), bookings.zoneUnknown),
    people: peopleColumn(),
    causedToday: causedColumn(day),
    othersWait: othersWaitColumn(),
    /** When its reminders and its follow-up were noted, by their keys. */
    noted: named(NOTED, (text: string) => JSON.parse(text) as Readonly<Record<string, number>>, 'noted'),
  }
}

/** Keys of emails about an event begin with the event's id instead. */
const NOTED = sql.raw(`(SELECT json_group_object(once_key, sent_at) FROM booking_emails
  WHERE booking_id = bookings.id AND once_key >= bookings.id || '/' AND once_key < bookings.id || '0')`)

function selectDue(db: Db, day: Day, now: Parameters<typeof kindAt>[0]) {
  return db
    .select(dueFields(day, now))
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
}

const remindersToSend = queryOnce((db, at: At<{ id: string; now: RealMs; day: number }>) => ({
  fields: dueFields(at.day, at.now),
  query: selectDue(db, at.day, at.now).where(and(eq(bookings.id, at.id), isReminderDue(at.now))),
}))

/** One of them with the contents of its emails; no row if it is leased or nothing is due any more. */
export function selectRemindersToSend(db: Db, id: string, now: RealMs) {
  return remindersToSend(db, { id, now, day: dayOf(now) })
}

export function selectDueInSandbox(db: Db, organizationId: string, now: PresentMs) {
  return (
    selectDue(db, dayOf(Date.now()), now)
      // A literal, so that the index of the sandboxes is used.
      .where(
        and(
          eq(bookings.organizationId, organizationId),
          sql`${bookings.isTest} = 1`,
          isDueInSandbox(bookings.nextReminderAt, organizationId, now),
        ),
      )
      .orderBy(asc(bookings.nextReminderAt))
      .limit(SANDBOX_PAGE)
  )
}

type Read = Pick<BookingRow, 'id' | 'revision' | 'startTime' | 'nextReminderAt'>

/** The booking, if it has the start and the reminders that were read. */
const isDueAs = ({ id, startTime, nextReminderAt }: At<Omit<Read, 'revision'>>) =>
  sql`id = ${id} AND start_time = ${startTime} AND next_reminder_at = ${nextReminderAt}`

const guardReminders = builtOnce((db, at: At<Read>) =>
  refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM bookings WHERE ${isDueAs(at)} AND revision = ${at.revision})`,
  ),
)

const guardLease = builtOnce((db, at: At<Omit<Read, 'revision'>>) =>
  refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM bookings WHERE ${isDueAs(at)})`),
)

const leave = builtOnce(
  (
    db,
    at: At<Omit<Read, 'revision'> & { minutes: string | null; next: number | null; after: number | null }>,
  ) =>
    db
      .update(bookings)
      .set({
        reminderMinutes: sql`${at.minutes}`,
        nextReminderAt: sql`${at.next}`,
        followUpMinutes: sql`${at.after}`,
        tellRemindersAgainAt: null,
      })
      .where(isDueAs(at)),
)

/** Leaves a booking only these reminders, if it has the ones that were read. */
export function endReminders(
  db: Db,
  { id, startTime, nextReminderAt }: Omit<Read, 'revision'>,
  { reminderMinutes, nextReminderAt: next, followUpMinutes: after }: Reminders,
): Statement {
  const minutes = reminderMinutes && JSON.stringify(reminderMinutes)
  return leave(db, { id, startTime, nextReminderAt, minutes, next, after })
}

/** The same for a batch, which is refused if the booking was changed. */
export function takeReminders(db: Db, read: Read, rest: Reminders): Statement[] {
  const { id, revision, startTime, nextReminderAt } = read
  return [guardReminders(db, { id, revision, startTime, nextReminderAt }), endReminders(db, read, rest)]
}

const dropOtherEmails = builtOnce((db, at: At<{ id: string; letters: string }>) =>
  db.delete(emails).where(
    sql`id IN (SELECT value FROM json_each(${at.letters})) AND NOT EXISTS (SELECT 1
      FROM bookings booked, json_each(booked.attendees) seat WHERE booked.id = ${at.id}
        AND seat.value ->> 'id' = recipient_id AND seat.value ->> 'email' = recipient)`,
  ),
)

/**
 * Ends the lease, in the batch that enqueues these emails. If the booking changed in the meantime, attendees who got an
 * email get no other, and addresses that are in it get theirs.
 */
export function endLease(db: Db, read: Omit<Read, 'revision'>, rest: Reminders, emailIds: readonly string[]) {
  const { id, startTime, nextReminderAt } = read
  return [
    guardLease(db, { id, startTime, nextReminderAt }),
    endReminders(db, read, rest),
    dropOtherEmails(db, { id, letters: JSON.stringify(emailIds) }),
  ]
}

const beyondDay = queryOnce((db, at: At<Counted>) => {
  const beyond = sql`(${selectBeyondDay(at)})`
  const fields = { heldBack: named(beyond, (ids: string) => JSON.parse(ids) as string[], 'held_back') }
  return { fields, query: db.select(fields).from(sql`(SELECT 1)`) }
})

const guardToLease = builtOnce((db, at: At<Read & { onceKey: string; notedAt: number | null }>) => {
  const notedAt = sql`(SELECT sent_at FROM booking_emails WHERE booking_id = ${at.id} AND once_key = ${at.onceKey})`
  const isAsRead = sql`${isDueAs(at)} AND revision = ${at.revision} AND ${notedAt} IS ${at.notedAt}`
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM bookings WHERE ${isAsRead})`)
})

const endPause = builtOnce((db, at: At<{ id: string }>) =>
  db.update(bookings).set({ tellRemindersAgainAt: null }).where(eq(bookings.id, at.id)),
)

/**
 * Leases the due reminders of a booking for the time that sending them can take: the entry in its history is the lease. The
 * first one counts their emails and returns whose addresses are over the daily limit. A later lease sends to all, because that
 * is no longer known. Refused if the booking was changed since it was read, or somebody else has the lease.
 */
export function leaseReminders(
  db: Db,
  booking: BookingRow,
  mailing: Mailing,
  notedAt: number | null,
  caused: Caused | null,
  now: RealMs,
) {
  const { id, organizationId, isTest, revision, startTime, nextReminderAt } = booking
  const tenant = { organizationId, isTest }
  const isFirst = notedAt === null
  const counted = isFirst ? countedOf(mailing) : []
  const heldBack = beyondDay(db, { ...tenant, letters: JSON.stringify(counted), day: dayOf(now) })
  const statements = [
    guardToLease(db, { id, revision, startTime, nextReminderAt, onceKey: mailing.onceKey, notedAt }),
    ...countUnposted(db, tenant, counted, now),
    ...(isFirst ? countCaused(db, tenant, caused, now) : []),
    ...noteEmails(db, mailing),
    ...(booking.tellRemindersAgainAt === null ? [] : [endPause(db, { id })]),
    heldBack,
  ]
  return { heldBack, statements }
}
