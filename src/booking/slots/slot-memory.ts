import type { Interval } from '../../core/interval.ts'
import type { CurrentVersion, ScheduleVersion } from '../../engine/schedule/schedule.ts'
import { type Concerns, isCurrent, isSameVersion } from '../../engine/schedule/version.ts'
import { laterSlots, type OpenSlots } from './open-slots.ts'

/** The open slots that were found, and until when they hold. */
export type Found = {
  readonly organizationId: string
  readonly version: ScheduleVersion
  readonly concerns: Concerns
  /** The real time at which it expires. */
  readonly trueUntil: number
  /** The earliest start is the present plus this. */
  readonly noticeMs: number
  /** The clock of a sandbox that has its own. */
  readonly sandboxNow: number | null
  readonly earliest: number
  readonly slots: OpenSlots
  /** Which part of a week they are, if they do not answer a question alone. */
  readonly part?: Part
}

/** The first open start after an instant, null without one, and until when that is true. */
export type Later = { readonly start: number | null; readonly trueUntil: number }

/** The part of a week whose starts were found. */
export type Part = Interval & {
  /** The full periods of the cap that touch it; null if only open starts were searched for. */
  readonly fullPeriods: readonly Interval[] | null
  /** What is open after its end, if it was searched for. */
  readonly later: Later | null
}

/** How a question reads the database. */
export type Asking = {
  readonly now: number
  readonly askVersion: () => Promise<CurrentVersion | null>
  /** Throws if there is no such event type. The version is undefined if it was not asked for. */
  readonly load: (version?: CurrentVersion | null) => Promise<Found>
}

/** A load that a request runs, begun at `since`, and its result. */
type Load = { readonly since: number; known: Known | null; isOver: boolean }

/** How long to wait for another request's load, which may be aborted and never end. */
const PATIENCE_MS = 500
const CHECK_EVERY_MS = 5
/** Limit of the age of a load; then it is dropped. */
const GIVEN_UP_MS = 5_000
/** After this many changes in a row the next question expects one too, and reads everything at once. */
const RESTLESS = 2
/** The memory that a start takes, one in a written answer, and somebody whom the answer depends on. */
const BYTES_A_START = 8
const BYTES_A_WRITTEN_START = 80
const BYTES_A_CONCERN = 50
const BYTES_A_FIND = 1_000

/**
 * The open slots that this isolate found, with the bytes of their answers. They are used only if the database says that the
 * version is unchanged. About `maxBytes` at most: the answers that were not written for longest are dropped first, because they
 * are ten times as large as what they are written from, then the slots that were not used for longest.
 */
export class SlotMemory {
  readonly #maxBytes: number
  readonly #known = new Map<string, Known>()
  /** Those whose answer is kept, or will be. */
  readonly #written = new Map<string, Known>()
  /** The loads that run, oldest first. */
  readonly #loads = new Map<string, Load>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async find(key: string, asking: Asking): Promise<Known> {
    this.#forgetGivenUp(asking.now)
    let version: CurrentVersion | null | undefined
    if (!this.#expectsChange(key)) {
      version = await asking.askVersion()
      const known = this.#known.get(key)
      if (known && version && known.isOf(version) && known.moveTo(asking.now)) {
        known.changes = 0
        this.#keep(key, known)
        return known
      }
      const loading = this.#loads.get(key)
      if (loading && version) {
        const told = await whatWasLoaded(loading)
        if (told && (isNoOlder(told.version, version) || told.isOf(version)) && told.moveTo(asking.now))
          return told
      }
    }
    // Where every question meets a change, nothing else is current either.
    return this.#load(key, asking, this.#known.has(key) ? (version ?? null) : version)
  }

  has(key: string): boolean {
    return this.#known.has(key)
  }

  /** What is known under a version that was just read, if it is still true; under any version if that is null. */
  recall(key: string, version: CurrentVersion | null, now: number): Known | null {
    const known = this.#known.get(key)
    if (!known || (version && !known.isOf(version)) || !known.moveTo(now)) return null
    this.#keep(key, known)
    return known
  }

  remember(key: string, found: Found): void {
    this.#keep(key, new Known(found))
  }

  /** If it has to load anyway, it does not ask for the version first, unless another load runs. */
  #expectsChange(key: string): boolean {
    const known = this.#known.get(key)
    return !this.#loads.has(key) && (known === undefined || known.changes >= RESTLESS)
  }

  async #load(key: string, { load, now }: Asking, version?: CurrentVersion | null): Promise<Known> {
    const before = this.#known.get(key)
    const loading: Load = { since: now, known: null, isOver: false }
    this.#loads.delete(key)
    this.#loads.set(key, loading)
    try {
      const found = await load(version)
      const isSame = before !== undefined && isSameVersion(found.version, before.version)
      const known = isSame && before.moveTo(now) ? before : new Known(found)
      loading.known = known
      known.changes = before === undefined || known === before ? 0 : before.changes + 1
      this.#keep(key, known)
      return known
    } finally {
      loading.isOver = true
      if (this.#loads.get(key) === loading) this.#loads.delete(key)
    }
  }

  /** A request that was aborted never ends its load. */
  #forgetGivenUp(now: number): void {
    for (const [key, { since }] of this.#loads) {
      if (now - since < GIVEN_UP_MS) break
      this.#loads.delete(key)
    }
  }

  /** As the most recently used. */
  #keep(key: string, known: Known): void {
    this.#remove(key)
    this.#known.set(key, known)
    this.#written.set(key, known)
    known.keepsWritten = true
    this.#bytes += known.bytes + known.writtenBytes
    for (const [oldest, other] of this.#written) {
      if (this.#bytes <= this.#maxBytes) return
      if (other === known) break
      other.keepsWritten = false
      this.#written.delete(oldest)
      this.#bytes -= other.writtenBytes
    }
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const known = this.#known.get(key)
    if (!known) return
    this.#known.delete(key)
    this.#bytes -= known.bytes
    if (this.#written.delete(key)) this.#bytes -= known.writtenBytes
  }
}

/** The result, at the present. */
export class Known {
  readonly found: Found
  readonly bytes: number
  /** The size of its answer, written or not. */
  readonly writtenBytes: number
  /** How many of the last questions in a row found a change. */
  changes = 0
  /** The last version in which it was seen to hold. */
  version: ScheduleVersion
  #slots: OpenSlots
  /** The starts before it are removed. */
  #earliest: number
  #written: Uint8Array<ArrayBuffer> | null = null
  #keepsWritten = false

  constructor(found: Found) {
    this.found = found
    this.version = found.version
    this.#slots = found.slots
    this.#earliest = found.earliest
    const { starts, fullStarts } = found.slots
    const count = starts.length + (fullStarts?.length ?? 0)
    this.bytes = BYTES_A_FIND + BYTES_A_CONCERN * found.concerns.size + BYTES_A_START * count
    // A part of a week is never written.
    this.writtenBytes = found.part ? 0 : BYTES_A_WRITTEN_START * count
  }

  set keepsWritten(isKept: boolean) {
    this.#keepsWritten = isKept
    if (!isKept) this.#written = null
  }

  get slots(): OpenSlots {
    return this.#slots
  }

  /** Whether it still holds in a version that was just read. */
  isOf(version: CurrentVersion): boolean {
    if (!isCurrent(this.version, this.found.concerns, version)) return false
    if (version.shared !== this.version.shared) this.version = { own: version.own, shared: version.shared }
    return true
  }

  /** Removes starts that are too early by now; false if time has changed more than that. */
  moveTo(now: number): boolean {
    const { trueUntil, sandboxNow, noticeMs, part } = this.found
    const from = (sandboxNow ?? now) + noticeMs
    if (now >= trueUntil || from < this.#earliest) return false
    const later = laterSlots(this.#slots, from)
    // The next open start was searched for only if nothing was open.
    const isUsedUp = !part && later.starts.length === 0 && this.#slots.starts.length > 0
    const { nextAvailable } = this.#slots
    if (isUsedUp || (nextAvailable !== null && nextAvailable < from)) return false
    if (later.starts !== this.#slots.starts || later.fullStarts !== this.#slots.fullStarts) {
      this.#slots = later
      this.#earliest = from
      this.#written = null
    }
    return true
  }

  /** The answer that `write` makes of the slots, made once as long as it is kept. */
  written(write: (slots: OpenSlots) => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const written = this.#written ?? write(this.#slots)
    if (this.#keepsWritten) this.#written = written
    return written
  }
}

function isNoOlder(one: ScheduleVersion, other: ScheduleVersion): boolean {
  return one.own >= other.own && one.shared >= other.shared
}

/**
 * What another request found, or null if it found nothing in time. It is polled: a request must not await a promise of
 * another one, which ends with that one and aborts its waiters.
 */
async function whatWasLoaded(loading: Load): Promise<Known | null> {
  for (let waited = 0; !loading.isOver && waited < PATIENCE_MS; waited += CHECK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
  }
  return loading.known
}
