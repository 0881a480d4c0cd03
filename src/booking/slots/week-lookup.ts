import type { Interval } from '../../core/interval.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { loadSchedule } from '../../engine/schedule/load-schedule.ts'
import type { CurrentVersion } from '../../engine/schedule/schedule.ts'
import { nowIn, type Schedule } from '../../engine/schedule/schedule.ts'
import { selectVersion } from '../../engine/schedule/statements.ts'
import { loadOffers, loadSpans } from '../../engine/schedule/together/load-together.ts'
import type { Offer } from '../../engine/schedule/together/offer.ts'
import { concernsOf } from '../../engine/schedule/version.ts'
import type { Db } from '../../platform/db/client.ts'
import { notFound } from '../../platform/http/errors.ts'
import { LATEST_START } from '../../platform/http/instants.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { servedButClaimed } from '../waitlist/serve-waitlist.ts'
import { type OpenSlots, openStartsOf, openToBook } from './open-slots.ts'
import { isWeekRemembered, recallWeek, rememberWeek } from './week-memory.ts'
import { SPAN_MS } from './weeks.ts'

/** What a search does not need. */
const NOT_SEARCHED = {
  fullStarts: null,
  isCapped: false,
  isClosed: false,
  isMonthFull: false,
  nextAvailable: null,
}

/**
 * How often event types are read together if they change while they are read; then each is read alone, in one statement.
 */
const MOST_READS = 3

/** A part of a week: it is read with other weeks, and its starts are found once those before it are known. */
export type WeekPart = Interval & { readonly week: number; readonly weeks: readonly number[] }

/** What was found of a week so far. */
type Searched = { readonly schedule: Schedule; readonly starts: readonly number[]; readonly until: number }

/** The open starts of some event types of one database, a few weeks at a time. */
export class WeekLookup {
  readonly #db: Db
  readonly #ids: readonly string[]
  readonly #now: AskedMs
  readonly #offers = new Map<string, Offer>()
  /** The schedules that were read, which have all weeks of the part that they were read for. */
  readonly #schedules = new Map<string, Schedule>()
  readonly #parts = new Map<string, Searched>()
  /** As they were last read. */
  #versions: Map<string, CurrentVersion> | null = null

  constructor(db: Db, ids: readonly string[], now: AskedMs) {
    this.#db = db
    this.#ids = ids
    this.#now = now
  }

  /** Whether a week of all of them is remembered until this instant and still true. */
  async knows(week: number, until: number): Promise<boolean> {
    this.#versions ??= await this.#askVersions(week)
    return this.#ids.every((id) => this.#recall(id, week, until) !== null)
  }

  /** The open starts of each until the end of a part. Throws if one of the event types takes no bookings. */
  async openIn({ week, end, weeks }: WeekPart): Promise<ReadonlyMap<string, OpenSlots>> {
    const open = new Map<string, OpenSlots>()
    for (const id of this.#ids) {
      const known = this.#recall(id, week, end)
      if (known) open.set(id, known)
    }
    const missing = this.#ids.filter((id) => !open.has(id))
    const unread = missing.filter((id) => !this.#hasRead(id, week))
    for (const schedule of unread.length === 0 ? [] : await this.#load(unread, weeks)) {
      this.#versions?.set(schedule.eventType.id, { ...schedule.version, changes: '' })
      this.#schedules.set(schedule.eventType.id, schedule)
    }
    for (const id of missing) open.set(id, this.#find(this.#schedules.get(id)!, week, end))
    return open
  }

  #hasRead(id: string, week: number): boolean {
    const range = this.#schedules.get(id)?.range
    return range !== undefined && week < range.end && week + SPAN_MS > range.start
  }

  #recall(id: string, week: number, until: number): OpenSlots | null {
    const version = this.#versions?.get(id)
    if (!version) return null
    const part = { start: week, end: until }
    return recallWeek({ id, version, now: this.#now }, week, part)?.slots ?? null
  }

  /** If nothing is remembered, reading the event types is cheaper than checking versions first. */
  async #askVersions(week: number): Promise<Map<string, CurrentVersion>> {
    const remembered = this.#ids.filter((id) => isWeekRemembered(id, week))
    const [first, ...others] = remembered.map((id) => selectVersion(this.#db, id))
    const found = first ? await this.#db.batch([first, ...others]) : []
    return new Map(remembered.flatMap((id, at) => (found[at]?.[0] ? [[id, found[at][0]] as const] : [])))
  }

  async #load(ids: readonly string[], weeks: readonly number[]): Promise<Schedule[]> {
    const loaded: Schedule[] = []
    let left = ids
    for (let reads = 0; left.length > 0 && reads < MOST_READS; reads++) {
      const offers = await this.#offersOf(left)
      const spans = await loadSpans(this.#db, offers, rangeOf(offers, weeks), this.#now)
      for (const { schedule, hasReservedTime } of spans.values()) {
        // Time reserved for the waitlist is loaded for this event type alone.
        loaded.push(hasReservedTime ? await this.#loadAlone(schedule.eventType.id, schedule.range) : schedule)
      }
      left = left.filter((id) => !spans.has(id))
      for (const id of left) this.#offers.delete(id)
    }
    const range = { start: weeks[0]!, end: endOf(weeks) }
    return [...loaded, ...(await Promise.all(left.map((id) => this.#loadAlone(id, range))))]
  }

  async #offersOf(ids: readonly string[]): Promise<Offer[]> {
    const unknown = ids.filter((id) => !this.#offers.has(id))
    if (unknown.length > 0) {
      for (const [id, offer] of await loadOffers(this.#db, unknown, this.#now)) this.#offers.set(id, offer)
    }
    return ids.map((id) => {
      const offer = this.#offers.get(id)
      if (!offer?.eventType.active) throw notFound('event type')
      return offer
    })
  }

  async #loadAlone(id: string, range: Interval): Promise<Schedule> {
    const { schedule } = await loadSchedule(this.#db, id, { range, seatsAt: null }, this.#now)
    if (!schedule?.eventType.active) throw notFound('event type')
    return servedButClaimed(this.#db, schedule, this.#now)
  }

  /** Finds and remembers the open starts of a week until an instant, after those that this search found before. */
  #find(schedule: Schedule, week: number, until: number): OpenSlots {
    const { eventType, organization, version, trueUntil } = schedule
    const { id, durationMinutes, minimumNoticeMinutes, isTest } = eventType
    const key = `${id} ${week}`
    const now = nowIn(schedule, this.#now)
    const before = this.#parts.get(key)
    const known = before?.schedule === schedule ? before : null
    const range = {
      start: Math.max(known?.until ?? week, schedule.range.start),
      end: Math.min(until, schedule.range.end),
    }
    const open = openStartsOf(schedule, { range, durationMinutes, now })
    const starts = known ? [...known.starts, ...open.starts] : open.starts
    this.#parts.set(key, { schedule, starts, until })
    const found = { ...open, eventTypeId: id, starts, ...NOT_SEARCHED }
    const slots = openToBook(schedule, found)
    const noticeMs = minimumNoticeMinutes * MINUTE_MS
    rememberWeek(
      {
        organizationId: eventType.organizationId,
        version,
        concerns: concernsOf(schedule),
        trueUntil,
        noticeMs,
        sandboxNow: isTest ? organization.sandboxNow : null,
        earliest: now + noticeMs,
        slots,
        part: { start: week, end: until, fullPeriods: null, later: null },
      },
      null,
      this.#now,
    )
    return slots
  }
}

function endOf(weeks: readonly number[]): number {
  return Math.min(weeks.at(-1)! + SPAN_MS, LATEST_START)
}

/** The weeks without those that have passed in every present. */
function rangeOf(offers: readonly Offer[], weeks: readonly number[]): Interval {
  const present = Math.min(...offers.map((offer) => offer.present))
  const end = endOf(weeks)
  return { start: Math.min(Math.max(weeks[0]!, present), end), end }
}
