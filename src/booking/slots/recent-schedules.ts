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

/** An isolate has 128 MB for everything: two teams of five hundred, or thousands of small event types. */
const MOST_BYTES = 24_000_000
const BYTES_A_SCHEDULE = 10_000
const BYTES_A_HOST = 1_000
const BYTES_A_TIME = 60
const BYTES_A_HOLD = 120

/** People go back and forth between months. */
const MOST_RANGES = 3
/** The search for the next open start reads a year, which nobody asks again. */
const LONGEST_MS = (MAX_DAYS + 2) * DAY_MS

type Kept = {
  readonly schedules: readonly Schedule[]
  readonly bytes: number
  /** Whether the event type's own part had changed when it was last read again. */
  readonly isOwnChanging: boolean
}

/**
 * The schedules that this isolate read, so that only the hosts who changed are read again. The least recently used event types
 * are dropped first.
 */
class RecentSchedules {
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  recall(eventTypeId: string, { start, end }: Interval): Schedule | null {
    const known = this.#kept.get(eventTypeId)?.schedules ?? []
    return known.find(({ range }) => range.start <= start && range.end >= end) ?? null
  }

  isOwnChanging(eventTypeId: string): boolean {
    return this.#kept.get(eventTypeId)?.isOwnChanging ?? false
  }

  keep(schedule: Schedule, known: Schedule | null): void {
    const { id } = schedule.eventType
    const { start } = schedule.range
    const others = (this.#kept.get(id)?.schedules ?? []).filter(({ range }) => range.start !== start)
    const schedules = [schedule, ...others].slice(0, MOST_RANGES)
    this.forget(id)
    const bytes = schedules.reduce((sum, one) => sum + bytesOf(one), 0)
    const isOwnChanging = known !== null && known.version.own !== schedule.version.own
    this.#kept.set(id, { schedules, bytes, isOwnChanging })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break
      this.forget(oldest)
    }
  }

  forget(eventTypeId: string): void {
    this.#bytes -= this.#kept.get(eventTypeId)?.bytes ?? 0
    this.#kept.delete(eventTypeId)
  }
}

function bytesOf({ hosts, calendars, holds }: Schedule): number {
  const held = [...holds.values()].reduce((sum, { length }) => sum + length, 0)
  const busy = calendars.reduce((sum, { busy: { length } }) => sum + length, 0)
  return BYTES_A_SCHEDULE + BYTES_A_HOST * hosts.length + BYTES_A_HOLD * held + BYTES_A_TIME * busy
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
  const schedule = (isUsable && (await reload(db, known, now, told))) || (await load())
  if (!schedule) recent.forget(id)
  else if (schedule.hosts.length > 0 && range.end - range.start <= LONGEST_MS) recent.keep(schedule, known)
  return schedule && { ...schedule, range }
}

/** Without the event type's own part if that has not changed, or is not expected to have. */
async function reload(db: Db, known: Schedule, now: AskedMs, told: Wanted['told']): Promise<Schedule | null> {
  const { eventType, version } = known
  const isOwnSame = told ? told.own === version.own : !recent.isOwnChanging(eventType.id)
  if (told && latestChanges(known.version, told) === null) return null
  const again = isOwnSame ? await reloadHosts(db, known, now) : null
  return again ?? (await reloadSchedule(db, known, { seatsAt: null }, now))?.schedule ?? null
}
