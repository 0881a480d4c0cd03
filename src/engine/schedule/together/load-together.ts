import type { Interval } from '../../../core/interval.ts'
import { formatDate } from '../../../core/local-time.ts'
import type { OpenHours } from '../../../core/open-hours.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import type { Db } from '../../../platform/db/client.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import type { Calendar } from '../calendar.ts'
import { needsOf } from '../resources/rooms.ts'
import { monthOf, ownScheduleOf, type Room } from '../schedule.ts'
import { readHolds } from '../taken/read-times.ts'
import {
  decodeCalendar,
  decodeFeed,
  decodeOwnHours,
  decodePerson,
  decodeRoom,
  type KnownCalendar,
  type KnownPerson,
} from './decode-people.ts'
import { baseOf, decodeSpan, type KnownUnit, type Span } from './decode-span.ts'
import { decodeOffer, type Offer } from './offer.ts'
import {
  type RawCalendarOfPerson,
  type RawHours,
  type RawPerson,
  selectCalendars,
  selectCalendarsOfPeople,
  selectClosing,
  selectFeeds,
  selectHours,
  selectOffers,
  selectPeople,
  selectRooms,
  selectSpans,
  selectUnits,
} from './queries.ts'

/** Zones are at most 14 hours from UTC, and windows reach over one midnight. */
const DATE_MARGIN_MS = 2 * DAY_MS
/** Limit of people per round trip: each may have the dates of a year, and an answer must fit in memory. */
const MOST_PEOPLE = 200

/** The offers of event types, without those that do not exist. One round trip. */
export async function loadOffers(
  db: Db,
  eventTypeIds: readonly string[],
  now: AskedMs,
): Promise<ReadonlyMap<string, Offer>> {
  const found = await selectOffers(db, JSON.stringify(eventTypeIds), monthOf(now))
  return new Map(found.map((raw) => [raw.id, decodeOffer(raw, now)]))
}

/**
 * The schedules of the event types in `range`, in one round trip per 200 people: a person or a calendar is read once,
 * however many event types share them. An event type that has changed since its offer was read is left out.
 */
export async function loadSpans(
  db: Db,
  offers: readonly Offer[],
  range: Interval,
  now: AskedMs,
): Promise<ReadonlyMap<string, Span>> {
  const { start, end } = range
  const base = baseOf(range)
  const [first, last] = [formatDate(start - DATE_MARGIN_MS), formatDate(end + DATE_MARGIN_MS)]
  const people = valuesOf(offers, hostsIn)
  const shared = {
    people: new Map<string, KnownPerson>(),
    calendarsOfPeople: new Map<string, readonly KnownCalendar[]>(),
    calendars: new Map<string, KnownCalendar>(),
    hours: new Map<string, OpenHours>(),
    closing: new Map<string, Calendar>(),
    rooms: new Map<string, Room>(),
    units: new Map<string, KnownUnit>(),
  }
  const takeHours = (raw: RawHours) => {
    if (raw.schedule_id) shared.hours.set(raw.schedule_id, decodeOwnHours(raw, { first, last }))
  }
  const takePeople = (rows: readonly RawPerson[], theirs: readonly RawCalendarOfPerson[]) => {
    for (const raw of rows) {
      shared.people.set(raw.resource_id, decodePerson(raw, base))
      takeHours(raw)
    }
    for (const [resourceId, calendars] of Map.groupBy(theirs, (raw) => raw.resource_id)) {
      shared.calendarsOfPeople.set(
        resourceId,
        calendars.map((raw) => decodeCalendar(raw, base)),
      )
    }
  }
  const askPeople = (from: number) => {
    const asked = JSON.stringify(people.slice(from, from + MOST_PEOPLE))
    return [
      selectPeople(db, asked, start, end, first, last),
      selectCalendarsOfPeople(db, asked, start, end),
    ] as const
  }
  let at = 0
  for (; at + MOST_PEOPLE < people.length; at += MOST_PEOPLE) takePeople(...(await db.batch(askPeople(at))))
  const asked = JSON.stringify(offers.map(({ eventType, present }) => [eventType.id, present]))
  const calendarIds = JSON.stringify(valuesOf(offers, calendarsIn))
  const scheduleIds = JSON.stringify(valuesOf(offers, schedulesIn))
  const roomIds = valuesOf(offers, roomsIn)
  const askOfRooms = () => {
    const askRooms = JSON.stringify(roomIds)
    return [
      selectRooms(db, askRooms, start, end, first, last),
      selectUnits(db, askRooms, start, end),
      selectFeeds(db, askRooms, start, end),
    ] as const
  }
  const closingIds = [...new Set(offers.flatMap((offer) => offer.closingIds))]
  const [rows, calendarsOfPeople, calendars, hours, spans, rooms = [], units = [], feeds = [], closing = []] =
    await db.batch([
      ...askPeople(at),
      selectCalendars(db, calendarIds, start, end),
      selectHours(db, scheduleIds, first, last),
      // Read in one transaction: if a version is unchanged, everything was read as of it.
      selectSpans(db, asked, start, end, first, last),
      ...(closingIds.length > 0
        ? ([...askOfRooms(), selectClosing(db, JSON.stringify(closingIds), start, end)] as const)
        : roomIds.length > 0
          ? askOfRooms()
          : ([] as const)),
    ])
  takePeople(rows, calendarsOfPeople)
  for (const raw of calendars) {
    const known = decodeCalendar(raw, base)
    shared.calendars.set(known.calendar.connection.id, known)
  }
  for (const raw of closing) {
    const calendar = decodeFeed(raw)
    shared.closing.set(calendar.connection.id, calendar)
  }
  for (const raw of hours) takeHours(raw)
  for (const raw of rooms) takeHours(raw)
  const feedsOfRooms = Map.groupBy(feeds, ({ resource_id }) => resource_id)
  for (const raw of rooms)
    shared.rooms.set(raw.id, decodeRoom(raw, shared.hours, feedsOfRooms.get(raw.id) ?? []))
  for (const { id, holds, has_expired } of units) {
    shared.units.set(id, { holds: readHolds(holds, base, id), hasExpired: has_expired === 1 })
  }
  const offered = new Map(offers.map((offer) => [offer.eventType.id, offer]))
  return new Map(
    spans.flatMap((raw): [string, Span][] => {
      const offer = offered.get(raw.id)!
      const { own, shared: ofAll } = offer.version
      if (raw.own_version !== own || raw.shared_version !== ofAll) return []
      return [[raw.id, decodeSpan(offer, raw, shared, range, now)]]
    }),
  )
}

type Keyed<Value> = readonly (readonly [key: string, value: Value])[]

/** One value per key that the offers name. */
function valuesOf<Value>(offers: readonly Offer[], of: (offer: Offer) => Keyed<Value>): Value[] {
  return [...new Map(offers.flatMap(of)).values()]
}

/** All its hosts, in its mode. */
function hostsIn({ eventType, hosts, present }: Offer) {
  return hosts.map(
    ({ memberId, resourceId }) =>
      [resourceId, [memberId, present, Number(eventType.isTest), resourceId]] as const,
  )
}

function calendarsIn({ calendarIds, present }: Offer) {
  return calendarIds.map((id) => [id, [id, present]] as const)
}

function roomsIn({ eventType, present }: Offer) {
  return needsOf(eventType).flatMap(({ of }) => of.map((id) => [id, [id, present]] as const))
}

function schedulesIn({ eventType, hosts }: Offer) {
  const ids = [ownScheduleOf(eventType), ...hosts.map(({ scheduleId }) => scheduleId)]
  return ids.flatMap((id) => (id === null ? [] : [[id, id] as const]))
}
