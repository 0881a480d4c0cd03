import { type Interval, mergeIntervals } from '../../../core/interval.ts'
import { parseDate, startOfDateIn } from '../../../core/local-time.ts'
import { openStarts } from '../../../core/slots.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time-units.ts'
import type { Reason } from '../../../engine/schedule/reason-codes.ts'
import { slotRequest } from '../../../engine/schedule/slot-request.ts'
import type { PublicCaller, TenantCaller } from '../../../platform/auth/caller.ts'
import type { Context } from '../../../platform/http/context.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import type { About } from '../find-slots-for.ts'
import { explainer, type Known, loadKnown, reasonsAtAll } from './explain.ts'
import { namesOfHolders, presentReasons } from './present.ts'
import type { DayExplanation } from './schema.ts'

/** The longest length of an event type. */
const LONGEST_MS = 480 * MINUTE_MS

type Asked = {
  readonly date: string
  readonly timezone: string
  readonly duration?: number | undefined
  readonly seats: number
  readonly about: About
  readonly isOwnLength: boolean
  /** Whether the reasons of each host are listed. */
  readonly hosts: boolean
}

/** Which times of a date are open and which are closed, and why. */
export async function explainDay(
  ctx: Context<PublicCaller | TenantCaller>,
  eventTypeId: string,
  asked: Asked,
): Promise<DayExplanation> {
  const { date, timezone } = asked
  const midnight = parseDate(date)!
  const day = { start: startOfDateIn(timezone, midnight), end: startOfDateIn(timezone, midnight + DAY_MS) }
  const range = { start: day.start - LONGEST_MS, end: day.end }
  const known = await loadKnown(ctx, eventTypeId, asked, range, range)
  const { open, closed } = tellDay(known, day)
  const names = namesOfHolders(known)
  const times = ({ start, end }: Interval) => ({
    start_time: formatInstant(start),
    end_time: formatInstant(end),
  })
  const told = closed.map((one) => ({ ...times(one), reasons: presentReasons(known, one.reasons, names) }))
  const isInShort = known.schedule.hosts.length > 1 && !asked.hosts
  return { date, timezone, open: open.map(times), closed: isInShort ? inShort(told) : told }
}

/** Each reason once, without whom and what it is about: so the length does not depend on the number of hosts. */
function inShort(closed: DayExplanation['closed']): DayExplanation['closed'] {
  const short: DayExplanation['closed'] = []
  let lastKey = ''
  for (const span of closed) {
    const byKey = new Map(
      span.reasons.map(({ code, message, resource_id }) => [
        `${code} ${message} ${resource_id}`,
        { code, message, ...(resource_id && { resource_id }) },
      ]),
    )
    const keys = [...byKey.keys()].sort()
    const last = short.at(-1)
    if (last?.end_time === span.start_time && lastKey === keys.join()) last.end_time = span.end_time
    else short.push({ ...span, reasons: keys.map((key) => byKey.get(key)!) })
    lastKey = keys.join()
  }
  return short
}

type Closed = Interval & { readonly reasons: readonly Reason[] }

/** A minute is open if it lies in a bookable slot. Otherwise it is closed for the reasons of a start then. */
export function tellDay(
  known: Known,
  day: Interval,
): { readonly open: Interval[]; readonly closed: Closed[] } {
  const { schedule, wanted } = known
  const durationMs = wanted.durationMinutes * MINUTE_MS
  const isAnyOpen = reasonsAtAll(known).length === 0
  const range = { start: day.start - durationMs, end: day.end }
  const starts = isAnyOpen ? openStarts(slotRequest(schedule, { ...wanted, range })) : []
  const slots = starts.map((start) => ({
    start: Math.max(start, day.start),
    end: Math.min(start + durationMs, day.end),
  }))
  const open = mergeIntervals(slots)
  return { open, closed: closedOf(known, day, open) }
}

function closedOf(known: Known, day: Interval, open: readonly Interval[]): Closed[] {
  const tell = explainer(known, day)
  const closed: Closed[] = []
  let last: { end: number; key: string } | null = null
  for (const gap of gapsOf(day, open)) {
    for (let at = gap.start; at < gap.end; ) {
      const end = Math.min(gap.end, (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS)
      const { reasons } = tell(at)
      const key = JSON.stringify(reasons.map(({ calendar, ...rest }) => [rest, calendar?.connection.id]))
      if (last?.end === at && last.key === key) closed.push({ ...closed.pop()!, end })
      else closed.push({ start: at, end, reasons })
      last = { end, key }
      at = end
    }
  }
  return closed
}

function gapsOf(day: Interval, open: readonly Interval[]): Interval[] {
  const edges = [day.start, ...open.flatMap(({ start, end }) => [start, end]), day.end]
  const gaps: Interval[] = []
  for (let at = 0; at < edges.length; at += 2) {
    if (edges[at]! < edges[at + 1]!) gaps.push({ start: edges[at]!, end: edges[at + 1]! })
  }
  return gaps
}
