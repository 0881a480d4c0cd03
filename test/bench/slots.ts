import { pathToFileURL } from 'node:url'
import { Temporal as Polyfill } from '@js-temporal/polyfill'
import type { SlotRequest } from '../../src/core/slot-request.ts'
import { openStarts } from '../../src/core/slots.ts'
import { integerLoop } from './integer-loop.ts'
import { median } from './load.ts'

// Workers have a Temporal of their own; Node 24 has an early one, and only behind a flag.
Object.assign(globalThis, { Temporal: Polyfill })

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const ZONE = 'America/New_York'
const FROM = Date.parse('2026-01-05T05:00:00Z')
const WARM_UP_ROUNDS = 40
const ROUNDS = 150
const ROUND_MS = 4

const loads = [
  { name: 'week, 10 busy', days: 7, busy: 10 },
  { name: 'month, 100 busy', days: 31, busy: 100 },
  { name: 'year, 2,000 busy', days: 365, busy: 2_000 },
]

function requestFor(days: number, busyCount: number): SlotRequest {
  const range = { start: FROM, end: FROM + days * DAY }
  const spacing = (days * DAY) / busyCount
  const busy = Array.from({ length: busyCount }, (_, index) => {
    const start = FROM + Math.floor((index * spacing) / MINUTE) * MINUTE
    return { start, end: start + (20 + ((index * 7) % 60)) * MINUTE }
  })
  const weekly = [1, 2, 3, 4, 5].flatMap((dayOfWeek) => [
    { dayOfWeek, startMs: 540 * MINUTE, endMs: 720 * MINUTE },
    { dayOfWeek, startMs: 780 * MINUTE, endMs: 1_020 * MINUTE },
  ])
  const rules = { durationMs: 30 * MINUTE, bufferBeforeMs: 5 * MINUTE, bufferAfterMs: 10 * MINUTE }
  const hours = [{ timeZone: ZONE, weekly, overrides: new Map() }]
  return {
    ...rules,
    stepMs: rules.durationMs,
    range,
    hours,
    earliestStart: FROM + 90 * MINUTE,
    busy,
    fullPeriods: [],
  }
}

/** Zones whose clocks differ by whole and by broken hours. */
const ZONES = ['Asia/Tokyo', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu', 'UTC']
const HOSTS = 50
const MEETINGS = 200

/** A month of fifty hosts of whom one is enough; in the general case each works in hours and a zone of their own. */
function requestForHosts(isGeneral: boolean): SlotRequest {
  const request = requestFor(31, 0)
  const [own] = request.hours!
  const anyOf = Array.from({ length: HOSTS }, (_, host) => {
    const busy = requestFor(31, MEETINGS).busy.map(({ start, end }) => ({
      start: start + host * 7 * MINUTE,
      end: end + host * 7 * MINUTE,
    }))
    const dayOff = { start: FROM + (host % 31) * DAY, end: FROM + ((host % 31) + 1) * DAY }
    const overrides = new Map([[Date.parse('2026-01-14') + (host % 5) * DAY, []]])
    const hours = { ...own!, timeZone: ZONES[host % ZONES.length]!, overrides }
    return isGeneral
      ? { hours, closed: [dayOff], busy, full: [{ start: dayOff.end, end: dayOff.end + DAY }] }
      : { hours: null, closed: [], busy, full: [] }
  })
  return { ...request, hours: isGeneral ? null : [own!], anyOf }
}

/**
 * Microseconds per call of each: the medians of many short rounds, in which all take turns, so that whatever else the
 * machine does meets all of them.
 */
function microseconds(calls: readonly (() => unknown)[]): number[] {
  const rounds = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, () => calls.map(timeRound))
  return calls.map((_, at) => median(rounds.slice(WARM_UP_ROUNDS).map((round) => round[at]!)))
}

function timeRound(call: () => unknown): number {
  const began = performance.now()
  let done = 0
  let elapsed = 0
  for (; elapsed < ROUND_MS; elapsed = performance.now() - began) {
    for (let index = 0; index < 10; index++) call()
    done += 10
  }
  return (elapsed * 1_000) / done
}

export const SCENARIOS: readonly { readonly name: string; readonly request: SlotRequest }[] = [
  ...loads.map(({ name, days, busy }) => ({ name, request: requestFor(days, busy) })),
  { name: `month of ${HOSTS} hosts, ${MEETINGS} busy each`, request: requestForHosts(false) },
  { name: 'the same, each with own hours and zone, with time off', request: requestForHosts(true) },
]

/** The same with people about whom no answer is remembered, as if all of them had changed. */
function asNews({ anyOf, ...request }: SlotRequest): SlotRequest {
  return anyOf ? { ...request, anyOf: anyOf.map((person) => ({ ...person })) } : request
}

/** Times the slot core against the integer loop; the lines of a markdown table. */
export function benchSlots(): string[] {
  const rows = SCENARIOS.map(({ name, request }) => {
    const loop = integerLoop(request)
    const starts = openStarts(request)
    if (starts.join() !== loop().join()) throw new Error(`${name}: the two disagree`)
    const [core, floor] = microseconds([() => openStarts(asNews(request)), loop]) as [number, number]
    const cells = [name, String(starts.length), ...[core, floor].map((time) => time.toFixed(1))]
    return `| ${[...cells, `${(core / floor).toFixed(1)} x`].join(' | ')} |`
  })
  return [
    '| Slots | Open starts | Core, µs | Integer loop, µs | Ratio |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ]
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(benchSlots().join('\n'))
}
