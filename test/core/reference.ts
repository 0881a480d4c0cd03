/**
 * What may be booked, worked out the slow and obvious way: Temporal converts every wall time, and open time is
 * a set of single minutes. All times of a case are whole minutes.
 */
type Span = { readonly start: number; readonly end: number }

export type ReferenceHours = {
  readonly timeZone: string
  readonly weekly: readonly { readonly dayOfWeek: number; readonly from: number; readonly to: number }[]
  readonly overrides: Readonly<Record<string, readonly { readonly from: number; readonly to: number }[]>>
}
type Limit = { readonly period: 'daily' | 'weekly' | 'monthly' | 'total'; readonly limit: number }

export type HostLimit = Limit & { readonly timeZone: string; readonly bookings: readonly number[] }

export type ReferenceHost = {
  readonly busy: readonly Span[]
  /** The hours of the host's own schedule. */
  readonly hours: ReferenceHours | null
  readonly off: readonly Span[]
  /** How many meetings the host takes in a period of the host's zone, and which there are. */
  readonly limit: HostLimit | null
  /** The same for further periods. */
  readonly limits?: readonly HostLimit[]
  /** Whether every meeting needs the host, whom otherwise others of the pool can replace. */
  readonly isRequired?: boolean
}

export type ReferenceCase = ReferenceHours & {
  /** The zone of the window and the cap, where it is another one than that of the hours. */
  readonly ruleZone?: string
  readonly hoursFrom: 'own' | 'hosts'
  readonly from: number
  readonly to: number
  readonly duration: number
  /** From one start to the next; null for the duration. */
  readonly interval: number | null
  readonly before: number
  readonly after: number
  readonly earliest: number
  readonly window: {
    readonly now: number
    readonly daysAhead: number | null
    readonly from: string | null
    readonly until: string | null
  }
  readonly busy: readonly Span[]
  /** Null where nobody hosts. */
  readonly hosts: readonly ReferenceHost[] | null
  /** Whether every host is needed; else all who are required, and so many of the pool: one if that is left out. */
  readonly isCollective: boolean
  readonly poolSize?: number
  /** Meetings that are held already, and whether another one may join. */
  readonly sessions: readonly { readonly start: number; readonly isJoinable: boolean }[]
  readonly cap: Limit | null
  readonly bookings: readonly number[]
}

const MINUTE = 60_000

/** Marks every minute of the windows, one by one, and reads off what is marked without a gap. */
function runsOf(windows: readonly { readonly from: number; readonly to: number }[]): Span[] {
  const first = Math.min(...windows.map(({ from }) => from))
  const marks = new Uint8Array(Math.max(0, ...windows.map(({ to }) => to - first + 1)))
  for (const { from, to } of windows) marks.fill(1, from - first, Math.max(from, to) - first)
  const runs: { start: number; end: number }[] = []
  marks.forEach((isMarked, at) => {
    if (!isMarked) return
    const last = runs.at(-1)
    if (last?.end === first + at) last.end += 1
    else runs.push({ start: first + at, end: first + at + 1 })
  })
  return runs
}

function instantMinute(timeZone: string, date: Temporal.PlainDate, minute: number): number {
  const wall = date.toPlainDateTime().add({ minutes: minute })
  return wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds / MINUTE
}

function windowsOn(hours: ReferenceHours, date: Temporal.PlainDate) {
  const override = hours.overrides[date.toString()]
  const weekly = hours.weekly.filter((rule) => rule.dayOfWeek === date.dayOfWeek % 7)
  const windows = override ?? weekly
  const joined = runsOf(windows).map(({ start, end }) => ({ from: start, to: end }))
  const instants = [...joined, ...windows].map(({ from, to }) => ({
    from: instantMinute(hours.timeZone, date, from),
    to: instantMinute(hours.timeZone, date, to),
  }))
  return runsOf(instants)
}

function dateOf(timeZone: string, instant: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()
}

/** The date of an instant, where dates begin at their first instant. */
function begunDate(timeZone: string, instant: number): Temporal.PlainDate {
  let date = dateOf(timeZone, instant)
  while (date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds <= instant) {
    date = date.add({ days: 1 })
  }
  return date
}

/** The name of the cap period of an instant. */
function periodName(timeZone: string, period: string, instant: number): string {
  if (period === 'total') return 'total'
  const date = begunDate(timeZone, instant)
  if (period === 'daily') return date.toString()
  return period === 'weekly' ? `${date.yearOfWeek}-W${date.weekOfYear}` : date.toPlainYearMonth().toString()
}

function fullTeller(
  timeZone: string,
  limit: Limit | null,
  bookings: readonly number[],
): (start: number) => boolean {
  if (limit === null) return () => false
  const taken = new Map<string, number>()
  for (const booking of bookings) {
    const name = periodName(timeZone, limit.period, booking)
    taken.set(name, (taken.get(name) ?? 0) + 1)
  }
  return (start) => (taken.get(periodName(timeZone, limit.period, start)) ?? 0) >= limit.limit
}

type OpenTime = { readonly windows: readonly Span[]; readonly isOpen: (minute: number) => boolean }

/** The windows of open time near the range, in minutes, and every minute in one of them. */
function openTime(hours: ReferenceHours, { from, to }: Pick<ReferenceCase, 'from' | 'to'>): OpenTime {
  const windows: Span[] = []
  const first = from / MINUTE - 8 * 1_440
  const marks = new Uint8Array((to - from) / MINUTE + 16 * 1_440)
  const last = dateOf(hours.timeZone, to).add({ days: 3 })
  let date = dateOf(hours.timeZone, from).subtract({ days: 3 })
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    for (const window of windowsOn(hours, date)) {
      windows.push(window)
      marks.fill(1, window.start - first, window.end - first)
    }
  }
  return { windows, isOpen: (minute) => marks[minute - first] === 1 }
}

/** Each window of one that meets one of the other, cut to what they share. */
function pairByPair(one: readonly Span[], other: readonly Span[]): Span[] {
  return one.flatMap((a) =>
    other
      .map((b) => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) }))
      .filter(({ start, end }) => start < end),
  )
}

/** Who may take part together, by their places: everybody who is needed, with each choice of so many of the others. */
function teamsOf({ hosts, isCollective, poolSize = 1 }: ReferenceCase): number[][] {
  const all = (hosts ?? []).map((_, at) => at)
  if (isCollective) return [all]
  const required = all.filter((at) => hosts![at]!.isRequired)
  const pool = all.filter((at) => !hosts![at]!.isRequired)
  const size = pool.length === 0 && required.length > 0 ? 0 : poolSize
  return choicesOf(pool, size).map((chosen) => [...required, ...chosen])
}

function choicesOf(from: readonly number[], size: number): number[][] {
  if (size === 0) return [[]]
  return from.flatMap((one, at) => choicesOf(from.slice(at + 1), size - 1).map((rest) => [one, ...rest]))
}

function gridWindows(input: ReferenceCase, own: OpenTime, ofHosts: readonly (OpenTime | null)[]) {
  if (input.hoursFrom === 'own') return own.windows
  const windows = ofHosts.map((open) => open?.windows ?? [])
  return teamsOf(input).flatMap((team) => {
    return team.length === 0 ? [] : team.map((at) => windows[at]!).reduce(pairByPair)
  })
}

function stepsOf(windows: readonly Span[], interval: number): number[] {
  const steps = new Set<number>()
  for (const window of windows) {
    for (let at = window.start * MINUTE; at < window.end * MINUTE; at += interval) steps.add(at)
  }
  return [...steps].sort((a, b) => a - b)
}

/** Every start near the range that the open time alone suggests. */
export function referenceSteps(input: ReferenceCase): number[] {
  const ofHosts = (input.hosts ?? []).map(({ hours }) => hours && openTime(hours, input))
  return stepsOf(gridWindows(input, openTime(input, input), ofHosts), input.interval ?? input.duration)
}

function ruleZoneOf({ ruleZone, timeZone }: ReferenceCase): string {
  return ruleZone ?? timeZone
}

function isInWindow(input: ReferenceCase, start: number): boolean {
  const { window } = input
  if (window.from === null && window.until === null && window.daysAhead === null) return true
  const timeZone = ruleZoneOf(input)
  const date = begunDate(timeZone, start)
  const isBefore = (text: string) => Temporal.PlainDate.compare(date, text) < 0
  const isAfter = (other: Temporal.PlainDate | string) => Temporal.PlainDate.compare(date, other) > 0
  if (window.from !== null && isBefore(window.from)) return false
  if (window.until !== null && isAfter(window.until)) return false
  const last = window.daysAhead !== null && begunDate(timeZone, window.now).add({ days: window.daysAhead })
  return !last || !isAfter(last)
}

export function referenceStarts(input: ReferenceCase): number[] {
  const { hosts, isCollective, duration } = input
  const own = openTime(input, input)
  const ofHosts = (hosts ?? []).map(({ hours }) => hours && openTime(hours, input))
  const isFull = fullTeller(ruleZoneOf(input), input.cap, input.bookings)
  const hostIsFull = (hosts ?? []).map(({ limit, limits = [] }) => {
    const tellers = [...(limit ? [limit] : []), ...limits].map((one) =>
      fullTeller(one.timeZone, one, one.bookings),
    )
    return (start: number) => tellers.some((isFull) => isFull(start))
  })
  const isOpenIn = (open: OpenTime, start: number) => {
    for (let at = start; at < start + duration; at += MINUTE) {
      if (!open.isOpen(at / MINUTE)) return false
    }
    return true
  }
  const meets = (one: Span, other: Span) =>
    one.end > one.start && !(one.end <= other.start || one.start >= other.end)
  const isAtWork = (host: number, start: number) => {
    const open = ofHosts[host]!
    if (open === null ? input.hoursFrom === 'hosts' : !isOpenIn(open, start)) return false
    return !hosts![host]!.off.some((off) => meets(off, { start, end: start + duration }))
  }

  const teams = teamsOf(input)
  const isFree = (start: number) => {
    if (start < input.from || start >= input.to || start < input.earliest) return false
    if (!isInWindow(input, start)) return false
    if (input.hoursFrom === 'own' && !isOpenIn(own, start)) return false
    const isNeeded = (host: number) => isCollective || hosts![host]!.isRequired === true
    if (!ofHosts.every((_, host) => !isNeeded(host) || isAtWork(host, start))) return false
    if (isFull(start)) return false
    const session = input.sessions.find((one) => one.start === start)
    if (session) return session.isJoinable
    const held = { start: start - input.before, end: start + duration + input.after }
    const isBusy = (times: readonly Span[]) => times.some((busy) => meets(busy, held))
    if (isBusy(input.busy)) return false
    if (hosts === null) return true
    const canTake = ({ busy }: ReferenceHost, host: number) =>
      isAtWork(host, start) && !isBusy(busy) && !hostIsFull[host]!(start)
    return teams.some((team) => team.every((host) => canTake(hosts[host]!, host)))
  }
  return stepsOf(gridWindows(input, own, ofHosts), input.interval ?? duration).filter(isFree)
}
