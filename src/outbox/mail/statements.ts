import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { type At, builtOnce, named, preparedStatement } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { emails, letterCounts, letterKeys } from '../../platform/db/schema/mail.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Caused } from './caused-emails.ts'
import { type Addressed, type Counted, DAILY_LIMIT, dayOf } from './daily-limit.ts'
import type { Mailing } from './enqueued.ts'
import type { EmailRow } from './queries.ts'

type NewEmail = Addressed &
  Pick<EmailRow, 'id' | 'recipientId' | 'recipient'> & {
    /** Emails to members and to the operator do not count, and neither do those that were already counted. */
    readonly isCounted: boolean
    readonly message?: string
    readonly lastError?: string
  }
export type NewEmails = Pick<EmailRow, 'kind' | 'subjectId' | 'occasion'> & {
  /** Null if the batch itself runs only once. */
  readonly onceKey: string | null
  readonly letters: readonly NewEmail[]
  /** When their second attempt is due, if the first has failed. */
  readonly secondTryAt?: number
}

type Posted = Counted &
  Pick<EmailRow, 'kind' | 'subjectId' | 'occasion' | 'attempts'> & {
    readonly onceKey: string
    readonly dueAt: number
    readonly now: RealMs
  }

const countPosted = builtOnce((db, at: At<Counted & { onceKey: string }>) =>
  db
    .insert(letterCounts)
    .select(
      sql`SELECT ${at.day}, ${at.organizationId}, ${at.isTest}, value ->> 'address', 1 FROM json_each(${at.letters})
        WHERE value ->> 'isCounted' AND NOT EXISTS (SELECT 1 FROM letter_keys WHERE once_key = ${at.onceKey})`,
    )
    .onConflictDoUpdate({
      target: [letterCounts.day, letterCounts.organizationId, letterCounts.isTest, letterCounts.address],
      set: { letters: sql`${letterCounts.letters} + 1` },
    }),
)

type Day = Tenant & Addressed & { readonly day: number }

const countOne = builtOnce((db, at: At<Day>) =>
  db
    .insert(letterCounts)
    .values({
      ...{ day: at.day, organizationId: at.organizationId, isTest: at.isTest, address: at.address },
      letters: 1,
    })
    .onConflictDoUpdate({
      target: [letterCounts.day, letterCounts.organizationId, letterCounts.isTest, letterCounts.address],
      set: { letters: sql`${letterCounts.letters} + 1` },
    }),
)

const rememberKey = builtOnce((db, at: At<{ onceKey: string }>) =>
  db.insert(letterKeys).values({ onceKey: at.onceKey }).onConflictDoNothing(),
)

/** Notes that nobody got an email about this revision of a booking, so that its meeting link is not emailed either. */
export function markQuiet(db: Db, bookingId: string, revision: number): Statement {
  return rememberKey(db, { onceKey: `${bookingId}/quiet/${revision}` })
}

const rememberKeys = preparedStatement<readonly [onceKeys: string]>(
  'INSERT INTO letter_keys (once_key) SELECT value FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING',
)

/** The same for several bookings. */
export function markEachQuiet(
  db: Db,
  changed: readonly { readonly id: string; readonly revision: number }[],
): Statement {
  return rememberKeys(db, JSON.stringify(changed.map(({ id, revision }) => `${id}/quiet/${revision}`)))
}

/** Whether nobody got an email about the current revision: of `bookings` in a query. */
export function isQuietColumn() {
  const key = sql`${bookings.id} || '/quiet/' || ${bookings.revision}`
  return named(sql`EXISTS (SELECT 1 FROM letter_keys WHERE once_key = ${key})`, Boolean, 'is_quiet')
}

const noteSent = preparedStatement<
  readonly [bookingIds: string, onceKey: string, about: string, recipientIds: string, sentAt: number]
>(
  `INSERT INTO booking_emails (booking_id, once_key, about, recipient_ids, sent_at)
     SELECT value, ?2, ?3, ?4, ?5 FROM json_each(?1) WHERE true ON CONFLICT DO UPDATE SET sent_at = excluded.sent_at`,
)

/**
 * Notes emails in the history of their bookings; for the batch that enqueues or claims them. Of emails that are sent at once the
 * entry is the claim, from the instant it names.
 */
export function noteEmails(
  db: Db,
  { history, onceKey, to }: Pick<Mailing, 'history' | 'onceKey' | 'to'>,
  at: number | undefined = history?.at,
): Statement[] {
  if (!history || at === undefined || to.length === 0) return []
  const ids = JSON.stringify(to.map(({ id }) => id))
  return [noteSent(db, JSON.stringify(history.bookingIds), onceKey, history.about, ids, at)]
}

/** Counts emails that get no rows, one to each address. Their batch runs only once. */
export function countUnposted(
  db: Db,
  { organizationId, isTest }: Tenant,
  to: readonly Addressed[],
  now: RealMs,
): Statement[] {
  return to.map(({ address }) => countOne(db, { organizationId, isTest, address, day: dayOf(now) }))
}

const insertPosted = builtOnce((db, at: At<Posted>) =>
  db.insert(emails).select(
    sql`SELECT value ->> 'id', ${at.organizationId}, ${at.kind}, ${at.subjectId}, value ->> 'recipientId', ${at.occasion},
        value ->> 'recipient', value ->> 'message', 'pending', ${at.attempts}, ${at.dueAt}, value ->> 'lastError', ${at.now}
      FROM json_each(${at.letters})
      WHERE NOT EXISTS (SELECT 1 FROM letter_keys WHERE once_key = ${at.onceKey})
        AND (NOT value ->> 'isCounted' OR (SELECT letters FROM letter_counts WHERE day = ${at.day}
          AND organization_id = ${at.organizationId} AND is_test = ${at.isTest} AND address = value ->> 'address')
          <= ${sql.raw(String(DAILY_LIMIT))})`,
  ),
)

/** Enqueues emails once, except those over the daily limit of their address. */
export function insertEmails(db: Db, tenant: Tenant, posted: NewEmails, now: RealMs): Statement[] {
  const { onceKey, letters, kind, subjectId, occasion, secondTryAt } = posted
  const { organizationId, isTest } = tenant
  const values = {
    ...{ organizationId, isTest, kind, subjectId, occasion, now },
    letters: JSON.stringify(letters),
    onceKey: onceKey ?? '',
    day: dayOf(now),
    attempts: secondTryAt === undefined ? 0 : 1,
    dueAt: secondTryAt ?? now,
  }
  return [
    ...(letters.some(({ isCounted }) => isCounted) ? [countPosted(db, values)] : []),
    insertPosted(db, values),
    ...(onceKey === null ? [] : [rememberKey(db, { onceKey })]),
  ]
}

/** The `id` of each recipient who is left out anyway, or whose email, already counted, is over the limit. */
export function selectBeyondDay(at: At<Counted>): SQL {
  return sql`SELECT json_group_array(value ->> 'id') FROM json_each(${at.letters})
    WHERE value ->> 'isLeftOut' OR (SELECT letters FROM letter_counts WHERE day = ${at.day} AND organization_id = ${at.organizationId}
      AND is_test = ${at.isTest} AND address = value ->> 'address') > ${sql.raw(String(DAILY_LIMIT))}`
}

/** How many emails these mailboxes got from the organization today. */
export function selectLetterCounts(
  db: Db,
  { organizationId, isTest }: Tenant,
  addresses: readonly string[],
  now: RealMs,
) {
  const { address, letters, day } = letterCounts
  const isTheirs = and(
    eq(day, dayOf(now)),
    eq(letterCounts.organizationId, organizationId),
    eq(letterCounts.isTest, isTest),
    sql`${address} IN (SELECT value FROM json_each(${JSON.stringify(addresses)}))`,
  )
  return db.select({ address, letters }).from(letterCounts).where(isTheirs)
}

/** The prefix under which a booking's emails are counted. Addresses are counted in the same table and contain an @. */
const OF_BOOKING = 'booking/'

/**
 * How many emails the booking has caused that day, of `bookings` in a query. Null if they are not counted: it was made with
 * a key, or its invitee comes alone and always gets an email.
 */
export function causedColumn(day: SQL | At<{ day: number }>['day'] | number) {
  const { id, organizationId, isTest, isKeyless, attendees, guests } = bookings
  return sql<
    number | null
  >`CASE WHEN ${isKeyless} AND (json_array_length(${attendees}) > 1 OR ${guests} IS NOT NULL) THEN coalesce((SELECT letters
    FROM letter_counts WHERE day = ${day} AND organization_id = ${organizationId} AND is_test = ${isTest}
      AND address = ${sql.raw(`'${OF_BOOKING}'`)} || ${id}), 0) END`.as('caused_today')
}

const guardCaused = builtOnce((db, at: At<Day & { before: number }>) =>
  refuseWhen(
    db,
    'STALE',
    sql`coalesce((SELECT letters FROM letter_counts WHERE day = ${at.day} AND organization_id = ${at.organizationId}
      AND is_test = ${at.isTest} AND address = ${at.address}), 0) <> ${at.before}`,
  ),
)

const countEmails = builtOnce((db, at: At<Day & { emails: number }>) =>
  db
    .insert(letterCounts)
    .values({
      ...{ day: at.day, organizationId: at.organizationId, isTest: at.isTest, address: at.address },
      letters: at.emails,
    })
    .onConflictDoUpdate({
      target: [letterCounts.day, letterCounts.organizationId, letterCounts.isTest, letterCounts.address],
      set: { letters: sql`${letterCounts.letters} + ${at.emails}` },
    }),
)

/** Counts the emails that a booking causes, for their batch. The batch is refused if others were counted in between. */
export function countCaused(db: Db, tenant: Tenant, caused: Caused | null, now: RealMs): Statement[] {
  if (caused === null) return []
  const { organizationId, isTest } = tenant
  const { bookingId, before, emails } = caused
  const day = { organizationId, isTest, address: `${OF_BOOKING}${bookingId}`, day: dayOf(now) }
  return [guardCaused(db, { ...day, before }), countEmails(db, { ...day, emails })]
}
