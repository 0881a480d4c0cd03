import { wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Band, Entry } from './entries.ts'

/** A part of a day, in units of five minutes since the first hour that is shown. */
export type Place = { readonly at: number; readonly length: number }
export type Laid = Place & { readonly entry: Entry; readonly lane: number; readonly lanes: number }
export type Banded = Place & { readonly band: Band; readonly isWhole: boolean }

export type Column = {
  readonly key: string
  /** The date, as the midnight it would be in UTC. */
  readonly day: number
  /** The member of the column; null without a host, undefined for everybody. */
  readonly memberId: string | null | undefined
  readonly blocks: readonly Laid[]
  readonly bands: readonly Banded[]
  readonly open: readonly Place[]
}

type Span = { readonly start: number; readonly end: number }
type Open = Span & { readonly memberId: string | null }
type Hours = { readonly first: number; readonly last: number }

const UNIT_MS = 5 * MINUTE_MS

/** Turns instants into times of a day as clocks in the zone show them. */
export function clockOf(zone: string, start: number, end: number) {
  const table = zoneTable(zone, start, end)
  return (span: Span, day: number): Span | null => {
    const from = Math.max(0, wallTimeOf(table, span.start) - day)
    // What lasts over a change of clocks keeps its length.
    const until = Math.min(DAY_MS, wallTimeOf(table, span.start) - day + (span.end - span.start))
    return from < until && from < DAY_MS ? { start: from, end: until } : null
  }
}

type Clock = ReturnType<typeof clockOf>

/** The hours that are shown: office hours, and whatever is open or booked outside them. */
export function hoursOf(clock: Clock, days: readonly number[], spans: readonly Span[]): Hours {
  const parts = days.flatMap((day) => spans.flatMap((span) => clock(span, day) ?? []))
  const first = Math.min(8 * HOUR_MS, ...parts.map(({ start }) => start))
  const last = Math.max(18 * HOUR_MS, ...parts.map(({ end }) => end))
  return { first: Math.floor(first / HOUR_MS), last: Math.ceil(last / HOUR_MS) }
}

type Of = Pick<Column, 'key' | 'day' | 'memberId'>
type Things = {
  readonly entries: readonly Entry[]
  readonly bands: readonly Band[]
  readonly open: readonly Open[]
}

export function columnOf(of: Of, clock: Clock, hours: Hours, { entries, bands, open }: Things): Column {
  const { day, memberId } = of
  const isTheirs = (id: string | null) => memberId === undefined || id === memberId
  const place = (span: Span) => placeOf(clock(span, day), hours)
  return {
    ...of,
    blocks: lay(
      entries
        .filter(({ memberIds }) => memberIds.some(isTheirs) || (memberIds.length === 0 && isTheirs(null)))
        .flatMap((entry) => {
          const found = place(entry)
          return found ? [{ ...found, entry }] : []
        }),
    ),
    bands: bands
      .filter((band) => isTheirs(band.memberId) || band.memberId === null)
      .flatMap((band) => {
        const found = place(band)
        return found ? [{ ...found, band, isWhole: found.length >= (hours.last - hours.first) * 12 }] : []
      }),
    open: merge(open.filter((one) => isTheirs(one.memberId)).flatMap((one) => place(one) ?? [])),
  }
}

function placeOf(span: Span | null, { first, last }: Hours): Place | null {
  if (!span) return null
  const at = Math.max(0, Math.floor(span.start / UNIT_MS) - first * 12)
  const end = Math.min((last - first) * 12, Math.ceil(span.end / UNIT_MS) - first * 12)
  return at < end ? { at, length: end - at } : null
}

function merge(places: readonly Place[]): Place[] {
  const merged: Place[] = []
  for (const { at, length } of places.toSorted((one, other) => one.at - other.at)) {
    const last = merged.at(-1)
    if (last && at <= last.at + last.length)
      merged[merged.length - 1] = { at: last.at, length: Math.max(last.length, at + length - last.at) }
    else merged.push({ at, length })
  }
  return merged
}

/** Blocks that overlap stand side by side. They come by their start. */
function lay(placed: readonly (Place & { readonly entry: Entry })[]): Laid[] {
  const laid: Laid[] = []
  let group: { one: Place & { readonly entry: Entry }; lane: number }[] = []
  let ends: number[] = []
  const close = () => {
    laid.push(...group.map(({ one, lane }) => ({ ...one, lane, lanes: ends.length })))
    group = []
    ends = []
  }
  for (const one of placed) {
    if (ends.every((end) => end <= one.at)) close()
    const free = ends.findIndex((end) => end <= one.at)
    const lane = free === -1 ? ends.length : free
    ends[lane] = one.at + one.length
    group.push({ one, lane })
  }
  close()
  return laid
}
