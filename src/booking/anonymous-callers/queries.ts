import { eq, type SQL, sql } from 'drizzle-orm'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { type At, builtOnce } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { publicCounts } from '../../platform/db/schema/public-counts.ts'
import { isInTime, WAITS_UNTIL } from '../../platform/db/waits-until.ts'
import type { PublicLimits } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'

/** Their number, and when the first of them ends. */
type Tally = readonly [count: number, first: number | null]

type Place = { readonly organizationId: SQL; readonly isTest: SQL; readonly eventTypeId: SQL }

const COUNT = sql`count(*)`
/** Of bookings: a series counts once. */
const COUNT_ACTIVE = sql`count(DISTINCT coalesce(b.series_id, b.id))`

/** Columns of `event_types` in a query about it, or known values. */
const ASKED: Place = {
  organizationId: sql`event_types.organization_id`,
  isTest: sql`event_types.is_test`,
  eventTypeId: sql`event_types.id`,
}

export type Known = {
  readonly organizationId: string
  readonly isTest: boolean
  readonly eventTypeId: string
}

/** The mode is text, because a bound number becomes `1.0` when it is concatenated. */
function known({ organizationId, isTest, eventTypeId }: Known): Place {
  return {
    organizationId: sql`${organizationId}`,
    isTest: sql`${isTest ? '1' : '0'}`,
    eventTypeId: sql`${eventTypeId}`,
  }
}

/** Live and test data are counted separately. */
function subjectOf(what: 'booked' | 'mailed', { organizationId, isTest }: Place, mark: string): SQL {
  return sql`${what} || '/' || ${organizationId} || '/' || ${isTest} || '/' || ${mark}`
}

function made(
  what: 'booked' | 'mailed',
  place: Place,
  mark: string,
  { hourEndsAt }: AnonymousCaller,
): SQL<number> {
  return sql<number>`coalesce((SELECT made FROM public_counts
    WHERE ends_at = ${hourEndsAt} AND subject = ${subjectOf(what, place, mark)}), 0)`
}

/** The network's unpaid bookings or holds that still reserve their time. */
function unpaidOf(
  of: SQL,
  { organizationId, isTest }: Place,
  { networkMark }: AnonymousCaller,
  now: SQL,
): SQL {
  return sql`(SELECT ${of} FROM bookings b WHERE b.organization_id = ${organizationId} AND b.is_test = ${isTest}
    AND b.network_mark = ${networkMark} AND b.status = 'pending_payment' AND ${isInTime(now)})`
}

function heldOf(of: SQL, { organizationId, isTest }: Place, { networkMark }: AnonymousCaller, now: SQL): SQL {
  return sql`(SELECT ${of} FROM slot_holds w WHERE w.organization_id = ${organizationId} AND w.is_test = ${isTest}
    AND w.network_mark = ${networkMark} AND w.status = 'held' AND w.expires_at > ${now})`
}

/** The number of both, at `now`. */
function openOf(place: Place, anonymous: AnonymousCaller, now: SQL): SQL {
  return sql`(${unpaidOf(COUNT, place, anonymous, now)} + ${heldOf(COUNT, place, anonymous, now)})`
}

/** The same, with the instant at which the first of them ends. */
function tallyOpen(place: Place, anonymous: AnonymousCaller, now: SQL) {
  // The end of a payment that takes days is unknown.
  const over = sql`min(nullif(${sql.raw(WAITS_UNTIL)}, ${sql.raw(String(LAST_INSTANT))}))`
  const unpaid = unpaidOf(over, place, anonymous, now)
  const held = heldOf(sql`min(w.expires_at)`, place, anonymous, now)
  const first = sql`min(coalesce(${unpaid}, ${held}), coalesce(${held}, ${unpaid}))`
  return sql`json_array(${openOf(place, anonymous, now)}, ${first})`.mapWith(
    (text: string) => JSON.parse(text) as Tally,
  )
}

function activeBookings(of: SQL, { eventTypeId }: Place, { addressMark }: AnonymousCaller, now: SQL): SQL {
  return sql`(SELECT ${of} FROM bookings b WHERE b.event_type_id = ${eventTypeId}
    AND b.address_mark = ${addressMark} AND b.status <> 'cancelled' AND ${isInTime(now)} AND b.start_time > ${now})`
}

function waitingEntries(of: SQL, { eventTypeId }: Place, { addressMark }: AnonymousCaller): SQL {
  return sql`(SELECT ${of} FROM waitlist_entries w WHERE w.event_type_id = ${eventTypeId}
    AND w.address_mark = ${addressMark} AND w.status = 'waiting')`
}

function tally(query: (of: SQL) => SQL, first: string, count = COUNT) {
  return query(sql`json_array(${count}, min(${sql.raw(first)}))`).mapWith(
    (text: string) => JSON.parse(text) as Tally,
  )
}

/** What an anonymous caller who books has made here so far. */
export function selectBookingCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller, now: number) {
  const present = sql`CASE WHEN event_types.is_test THEN coalesce(organizations.sandbox_now, ${now}) ELSE ${now} END`
  return db
    .select({
      made: made('booked', ASKED, anonymous.networkMark, anonymous).as('made'),
      pending: tallyOpen(ASKED, anonymous, present).as('pending'),
      active: tally(
        (what) => activeBookings(what, ASKED, anonymous, present),
        'b.start_time',
        COUNT_ACTIVE,
      ).as('active'),
    })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(eq(eventTypes.id, eventTypeId))
}

/** What an anonymous caller who wants to hold a slot has made and holds here. */
export function selectHoldCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller, now: number) {
  const present = sql`CASE WHEN event_types.is_test THEN coalesce(organizations.sandbox_now, ${now}) ELSE ${now} END`
  return db
    .select({
      made: made('booked', ASKED, anonymous.networkMark, anonymous).as('made'),
      pending: tallyOpen(ASKED, anonymous, present).as('pending'),
    })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(eq(eventTypes.id, eventTypeId))
}

/** What an anonymous caller who joins the waitlist has made here so far. */
export function selectJoinCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller) {
  return db
    .select({
      made: made('booked', ASKED, anonymous.networkMark, anonymous).as('made'),
      waiting: tally((what) => waitingEntries(what, ASKED, anonymous), 'w.expires_at').as('waiting'),
    })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
}

/** The emails of this hour, to the caller's address and requested from the network. */
export function selectMailCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller) {
  const { networkMark, addressMark } = anonymous
  return db
    .select({
      toAddress: made('mailed', ASKED, addressMark, anonymous).as('to_address'),
      byNetwork: made('mailed', ASKED, networkMark, anonymous).as('by_network'),
    })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
}

/** Adds to the count of this hour. */
function countOne(db: Db, subject: SQL, { hourEndsAt }: AnonymousCaller, many: SQL = sql`1`) {
  return db
    .insert(publicCounts)
    .values({ endsAt: hourEndsAt, subject, made: many })
    .onConflictDoUpdate({
      target: [publicCounts.endsAt, publicCounts.subject],
      set: { made: sql`${publicCounts.made} + ${many}` },
    })
}

/** Refuses the batch if a limit is reached at the commit. */
function refuseOverLimit(db: Db, ...reached: readonly SQL[]) {
  return refuseWhen(db, 'PUBLIC_LIMIT', sql`(${sql.join([...reached], sql` OR `)})`)
}

type Counted = AnonymousCaller &
  Pick<Known, 'organizationId' | 'eventTypeId'> & {
    /** Text, as in the keys that it becomes part of. */
    readonly isTest: string
    readonly now: number
    readonly perHour: number
    readonly perAddress: number
    readonly pending: number
    /** How many bookings are made. */
    readonly many: number
  }

/** The positions of the values, of the type that the values have. */
function placed(at: At<Counted>) {
  const { organizationId, isTest, eventTypeId } = at
  const place: Place = {
    organizationId: sql`${organizationId}`,
    isTest: sql`${isTest}`,
    eventTypeId: sql`${eventTypeId}`,
  }
  return { place, anonymous: at as unknown as AnonymousCaller }
}

function guardBooking(isPending: boolean) {
  return builtOnce((db, at: At<Counted>) => {
    const { place, anonymous } = placed(at)
    const reached = [
      sql`${made('booked', place, anonymous.networkMark, anonymous)} >= ${at.perHour}`,
      sql`${activeBookings(COUNT_ACTIVE, place, anonymous, sql`${at.now}`)} >= ${at.perAddress}`,
      ...(isPending ? [sql`${openOf(place, anonymous, sql`${at.now}`)} >= ${at.pending}`] : []),
    ]
    return refuseOverLimit(db, ...reached)
  })
}

const guardPaid = guardBooking(true)
const guardFree = guardBooking(false)

const countBooked = builtOnce((db, at: At<Counted>) => {
  const { place, anonymous } = placed(at)
  return countOne(db, subjectOf('booked', place, anonymous.networkMark), anonymous, sql`${at.many}`)
})

export function countBooking(
  db: Db,
  { organizationId, eventTypeId, isTest, isPending }: Known & { readonly isPending: boolean },
  anonymous: AnonymousCaller,
  limits: PublicLimits,
  now: number,
  many = 1,
): Statement[] {
  const values = {
    ...{ organizationId, eventTypeId, ...anonymous, isTest: isTest ? '1' : '0', now },
    perHour: limits.bookings_per_network_hour - many + 1,
    many,
    perAddress: limits.active_per_email,
    pending: limits.pending_per_network,
  }
  return [(isPending ? guardPaid : guardFree)(db, values), countBooked(db, values)]
}

export function countHold(
  db: Db,
  hold: Known,
  anonymous: AnonymousCaller,
  limits: PublicLimits,
  now: number,
): Statement[] {
  const place = known(hold)
  const { networkMark } = anonymous
  return [
    refuseOverLimit(
      db,
      sql`${made('booked', place, networkMark, anonymous)} >= ${limits.bookings_per_network_hour}`,
      sql`${openOf(place, anonymous, sql`${now}`)} >= ${limits.pending_per_network}`,
    ),
    countOne(db, subjectOf('booked', place, networkMark), anonymous),
  ]
}

export function countJoin(
  db: Db,
  entry: Known,
  anonymous: AnonymousCaller,
  limits: PublicLimits,
): Statement[] {
  const place = known(entry)
  const { networkMark } = anonymous
  return [
    refuseOverLimit(
      db,
      sql`${made('booked', place, networkMark, anonymous)} >= ${limits.bookings_per_network_hour}`,
      sql`${waitingEntries(COUNT, place, anonymous)} >= ${limits.waiting_per_email}`,
    ),
    countOne(db, subjectOf('booked', place, networkMark), anonymous),
  ]
}

export function countMails(
  db: Db,
  eventType: Known,
  anonymous: AnonymousCaller,
  limits: { readonly toAddress: number; readonly byNetwork: number },
): Statement[] {
  const place = known(eventType)
  const { networkMark, addressMark } = anonymous
  return [
    refuseOverLimit(
      db,
      sql`${made('mailed', place, addressMark, anonymous)} >= ${limits.toAddress}`,
      sql`${made('mailed', place, networkMark, anonymous)} >= ${limits.byNetwork}`,
    ),
    countOne(db, subjectOf('mailed', place, addressMark), anonymous),
    countOne(db, subjectOf('mailed', place, networkMark), anonymous),
  ]
}
