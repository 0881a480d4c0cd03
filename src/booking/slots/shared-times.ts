import type { Calendar } from '../../engine/schedule/calendar.ts'
import type { Hold, Schedule } from '../../engine/schedule/schedule.ts'

const BYTES_A_TIME = 60
const BYTES_A_HOLD = 120

type Times = readonly (Hold | Calendar['busy'][number])[]

/**
 * The times of hosts and calendars, each list kept once however many schedules have it: event types that share their hosts would
 * otherwise each keep all that these have taken.
 */
export class SharedTimes {
  /** The list kept of a resource, by its number of times and their first and last instant. */
  readonly #kept = new Map<string, Times>()
  /** How many schedules have each. */
  readonly #users = new Map<Times, number>()
  #bytes = 0

  /** About the memory that they take. */
  get bytes(): number {
    return this.#bytes
  }

  /** The schedule with the lists that are kept already, wherever these have the same times. */
  share(schedule: Schedule): Schedule {
    const holds = new Map(schedule.holds)
    for (const [id, times] of schedule.holds) holds.set(id, this.#same(id, times))
    const calendars = schedule.calendars.map((calendar): Calendar => {
      const busy = this.#same(calendar.connection.id, calendar.busy)
      return busy === calendar.busy ? calendar : { ...calendar, busy }
    })
    const isSame = calendars.every((calendar, at) => calendar === schedule.calendars[at])
    return { ...schedule, holds, calendars: isSame ? schedule.calendars : calendars }
  }

  add(schedule: Schedule): void {
    for (const [id, times] of timesOf(schedule)) {
      const users = this.#users.get(times) ?? 0
      this.#users.set(times, users + 1)
      if (users > 0) continue
      this.#kept.set(keyOf(id, times), times)
      this.#bytes += bytesOf(times)
    }
  }

  remove(schedule: Schedule): void {
    for (const [id, times] of timesOf(schedule)) {
      const users = this.#users.get(times) ?? 0
      if (users > 1) this.#users.set(times, users - 1)
      else {
        this.#users.delete(times)
        const key = keyOf(id, times)
        if (this.#kept.get(key) === times) this.#kept.delete(key)
        this.#bytes -= bytesOf(times)
      }
    }
  }

  #same<T extends Times>(id: string, times: T): T {
    if (this.#users.has(times)) return times
    const kept = this.#kept.get(keyOf(id, times))
    return kept && isAlike(kept, times) ? (kept as T) : times
  }
}

function* timesOf({ holds, calendars }: Schedule): Generator<readonly [id: string, times: Times]> {
  for (const entry of holds) if (entry[1].length > 0) yield entry
  for (const { connection, busy } of calendars) if (busy.length > 0) yield [connection.id, busy]
}

/** A calendar has holds and busy times. */
function keyOf(id: string, times: Times): string {
  const first = times[0]
  return `${id} ${first && isHold(first)} ${times.length} ${first?.start} ${times.at(-1)?.end}`
}

function isAlike(one: Times, other: Times): boolean {
  return one.length === other.length && one.every((time, at) => isSameTime(time, other[at]!))
}

function isSameTime(one: Times[number], other: Times[number]): boolean {
  if (one.start !== other.start || one.end !== other.end) return false
  if (!isHold(one) || !isHold(other)) return isHold(one) === isHold(other)
  return one.holder === other.holder && one.meetsAt === other.meetsAt && one.expiresAt === other.expiresAt
}

function isHold(time: Times[number]): time is Hold {
  return 'holder' in time
}

function bytesOf(times: Times): number {
  return times.length * (isHold(times[0]!) ? BYTES_A_HOLD : BYTES_A_TIME)
}
