import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { loadSchedule } from '../../engine/schedule/load-schedule.ts'
import { reloadHosts } from '../../engine/schedule/reload-hosts.ts'
import { isReloadable, reloadSchedule } from '../../engine/schedule/reload-schedule.ts'
import type { CurrentVersion, Schedule } from '../../engine/schedule/schedule.ts'
import { latestChanges } from '../../engine/schedule/version.ts'
import type { Db } from '../../platform/db/client.ts'
import { type AskedMs, type RealMs, realNow } from '../../platform/limits/clock.ts'
import { MAX_DAYS } from '../hours/event-type/schema.ts'
import { packTeam } from './pack-team.ts'
import { SharedTimes } from './shared-times.ts'

/** An isolate has 128 MB for everything: this is two teams of five hundred, or thousands of small event types. */
const MOST_BYTES = 24_000_000
const BYTES_A_SCHEDULE = 10_000
const BYTES_A_HOST = 1_000

/** People go back and forth between months. */
const MOST_RANGES = 3
/** The search for the next open start reads a year, which nobody asks again. */
const LONGEST_MS = (MAX_DAYS + 2) * DAY_MS

type Kept = {
  readonly schedules: readonly Schedule[]
  /** Whether the event type's own part had changed when it was last read again. */
  readonly isOwnChanging: boolean
}

/**
 * The schedules that this isolate read, so that only the hosts who changed are read again. The least recently used event types
 * are dropped first.
 */
class RecentSchedules {
  readonly #kept = new Map<string, Kept>()
  readonly #times = new SharedTimes()
  /** Of all but the times. */
  #bytes = 0

  recall(eventTypeId: string, { start, end }: Interval): Schedule | null {
    const known = this.#kept.get(eventTypeId)?.schedules ?? []
    return known.find(({ range }) => range.start <= start && range.end >= end) ?? null
  }

  isOwnChanging(eventTypeId: string): boolean {
    return this.#kept.get(eventTypeId)?.isOwnChanging ?? false
  }

  /** Returns it with the times that it shares. */
  keep(read: Schedule, known: Schedule | null): Schedule {
    const schedule = this.#times.share(read)
    const { id } = schedule.eventType
    const before = this.#kept.get(id)?.schedules ?? []
    const others = before.filter(({ range }) => range.start !== schedule.range.start)
    const schedules = [schedule, ...others].slice(0, MOST_RANGES)
    const isOwnChanging = known !== null && known.version.own !== schedule.version.own
    // The new one first, so that what both have stays.
    this.#add(schedule)
    for (const one of before) if (!schedules.includes(one)) this.#remove(one)
    this.#kept.delete(id)
    this.#kept.set(id, { schedules, isOwnChanging })
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes + this.#times.bytes <= MOST_BYTES) break
      this.forget(oldest)
    }
    return schedule
  }

  forget(eventTypeId: string): void {
    for (const schedule of this.#kept.get(eventTypeId)?.schedules ?? []) this.#remove(schedule)
    this.#kept.delete(eventTypeId)
  }

  #add(schedule: Schedule): void {
    this.#times.add(schedule)
    this.#bytes += bytesOf(schedule)
  }

  #remove(schedule: Schedule): void {
    this.#times.remove(schedule)
    this.#bytes -= bytesOf(schedule)
  }
}

function bytesOf({ hosts }: Schedule): number {
  return BYTES_A_SCHEDULE + BYTES_A_HOST * hosts.length
}

const recent = new RecentSchedules()

type Wanted = {
  readonly id: string
  readonly range: Interval
  readonly now: AskedMs
  /** The version if it was just read. */
  readonly told?: CurrentVersion | null | undefined
}

/** The schedule of a range; if this isolate knows one that has the range, only what changed in it is read. Null without an event type. */
export async function loadRecent(db: Db, { id, range, now, told }: Wanted): Promise<Schedule | null> {
  const load = async () => {
    const { schedule, unpacked } = await loadSchedule(db, id, { range, seatsAt: null }, now)
    if (schedule) packTeam(db, schedule, unpacked, now)
    return schedule
  }
  const known = recent.recall(id, range)
  const isUsable = known && isReloadable(known, Math.max(now, realNow()) as RealMs)
  const read = (isUsable && (await reload(db, known, now, told))) || (await load())
  if (!read) {
    recent.forget(id)
    return null
  }
  const isKept = read.hosts.length > 0 && range.end - range.start <= LONGEST_MS
  return { ...(isKept ? recent.keep(read, known) : read), range }
}

/** Without the event type's own part if that has not changed, or is not expected to have. */
async function reload(db: Db, known: Schedule, now: AskedMs, told: Wanted['told']): Promise<Schedule | null> {
  const { eventType, version } = known
  const isOwnSame = told ? told.own === version.own : !recent.isOwnChanging(eventType.id)
  if (told && latestChanges(known.version, told) === null) return null
  const again = isOwnSame ? await reloadHosts(db, known, now) : null
  return again ?? (await reloadSchedule(db, known, { seatsAt: null }, now))?.schedule ?? null
}
