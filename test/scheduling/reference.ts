/**
 * What may be booked, worked out the slow and obvious way: Temporal converts every wall time, and open time is
 * a set of single minutes. All times of a case are whole minutes.
 */
type Span = { readonly start: number; readonly end: number }
export type ReferenceCase = {
  readonly timeZone: string
  readonly from: number
  readonly to: number
  readonly weekly: readonly { readonly dayOfWeek: number; readonly from: number; readonly to: number }[]
  readonly overrides: Readonly<Record<string, readonly { readonly from: number; readonly to: number }[]>>
  readonly duration: number
  readonly before: number
  readonly after: number
  readonly earliest: number
  readonly busy: readonly Span[]
  /** The busy times of each host, of whom one is enough; null where nobody hosts. */
  readonly hosts: readonly (readonly Span[])[] | null
  /** Meetings that are held already, and whether another one may join. */
  readonly sessions: readonly { readonly start: number; readonly isJoinable: boolean }[]
  readonly cap: { readonly period: 'daily' | 'weekly' | 'monthly' | 'total'; readonly limit: number } | null
  readonly bookings: readonly number[]
}

const MINUTE = 60_000

function runsOf(minutes: ReadonlySet<number>): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = []
  for (const minute of [...minutes].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.end === minute) last.end = minute + 1
    else runs.push({ start: minute, end: minute + 1 })
  }
  return runs
}

function minutesOf(windows: readonly { readonly from: number; readonly to: number }[]): Set<number> {
  const minutes = new Set<number>()
  for (const { from, to } of windows) for (let minute = from; minute < to; minute++) minutes.add(minute)
  return minutes
}

function instantMinute(timeZone: string, date: Temporal.PlainDate, minute: number): number {
  const wall = date.toPlainDateTime().add({ minutes: minute })
  return wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds / MINUTE
}

function windowsOn(input: ReferenceCase, date: Temporal.PlainDate) {
  const override = input.overrides[date.toString()]
  const weekly = input.weekly.filter((rule) => rule.dayOfWeek === date.dayOfWeek % 7)
  const instants = runsOf(minutesOf(override ?? weekly)).map((run) => ({
    from: instantMinute(input.timeZone, date, run.start),
    to: instantMinute(input.timeZone, date, run.end),
  }))
  return runsOf(minutesOf(instants))
}

function dateOf(timeZone: string, instant: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()
}

/** The name of the cap period of an instant; dates begin at their first instant. */
function periodName(input: ReferenceCase, period: string, instant: number): string {
  if (period === 'total') return 'total'
  let date = dateOf(input.timeZone, instant)
  while (date.add({ days: 1 }).toZonedDateTime(input.timeZone).epochMilliseconds <= instant) {
    date = date.add({ days: 1 })
  }
  if (period === 'daily') return date.toString()
  return period === 'weekly' ? `${date.yearOfWeek}-W${date.weekOfYear}` : date.toPlainYearMonth().toString()
}

/** The windows of open time near the range, in minutes, and every minute in one of them. */
function openTime(input: ReferenceCase) {
  const windows: Span[] = []
  const open = new Set<number>()
  const last = dateOf(input.timeZone, input.to).add({ days: 3 })
  let date = dateOf(input.timeZone, input.from).subtract({ days: 3 })
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    for (const window of windowsOn(input, date)) {
      windows.push(window)
      for (let minute = window.start; minute < window.end; minute++) open.add(minute)
    }
  }
  return { windows, open }
}

function stepsOf(windows: readonly Span[], duration: number): number[] {
  const steps = new Set<number>()
  for (const window of windows) {
    for (let at = window.start * MINUTE; at < window.end * MINUTE; at += duration) steps.add(at)
  }
  return [...steps].sort((a, b) => a - b)
}

/** Every start near the range that the open time alone suggests. */
export function referenceSteps(input: ReferenceCase): number[] {
  return stepsOf(openTime(input).windows, input.duration)
}

export function referenceStarts(input: ReferenceCase): number[] {
  const { windows, open } = openTime(input)
  const taken = new Map<string, number>()
  for (const booking of input.cap ? input.bookings : []) {
    const name = periodName(input, input.cap!.period, booking)
    taken.set(name, (taken.get(name) ?? 0) + 1)
  }

  const isFree = (start: number) => {
    if (start < input.from || start >= input.to || start < input.earliest) return false
    for (let at = start; at < start + input.duration; at += MINUTE) if (!open.has(at / MINUTE)) return false
    if (input.cap && (taken.get(periodName(input, input.cap.period, start)) ?? 0) >= input.cap.limit)
      return false
    const session = input.sessions.find((one) => one.start === start)
    if (session) return session.isJoinable
    const held = { start: start - input.before, end: start + input.duration + input.after }
    const meets = (busy: Span) => busy.end > busy.start && !(busy.end <= held.start || busy.start >= held.end)
    if (input.busy.some(meets)) return false
    return input.hosts === null || input.hosts.some((host) => !host.some(meets))
  }
  return stepsOf(windows, input.duration).filter(isFree)
}
