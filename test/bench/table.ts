import type { Compared } from './compare.ts'
import type { Count } from './counted-worker.ts'
import type { FLOORS } from './floors.ts'
import type { Measured } from './load.ts'

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)]
}

export const RATE_HEAD = [
  'Request',
  'Requests/s',
  'of one `SELECT`, median (quartiles)',
  'of one object',
  'of all that a booking needs',
  'p50, ms',
  'p99, ms',
] as const

export function rateRow(compared: Compared): string[] {
  const { name, perSecond, p50, p99, ratios, failures } = compared
  return [
    failures ? `${name} (${failures})` : name,
    Math.round(perSecond).toLocaleString('en'),
    percent(ratios.oneSelect),
    percent(ratios.oneObject),
    percent(ratios.everything),
    p50.toFixed(1),
    p99.toFixed(1),
  ]
}

type Quartiles = readonly [number, number, number]

function percent(quartiles: Quartiles | undefined): string {
  if (!quartiles) return '–'
  const [low, middle, high] = quartiles.map((share) => Math.round(share * 100))
  return `${middle} % (${low}–${high})`
}

export const COUNT_HEAD = [
  'What the database is asked',
  'Round trips',
  'Statements',
  'Rows read',
  'Rows written',
]

export function countRow(name: string, count: Count, requests: number): string[] {
  const { roundTrips, statements, rowsRead, rowsWritten } = count
  return [name, ...[roundTrips, statements, rowsRead, rowsWritten].map((sum) => (sum / requests).toFixed(2))]
}

export const FLOOR_NAMES: Readonly<Record<(typeof FLOORS)[number], string>> = {
  empty: 'An empty Worker',
  oneSelect: 'A Worker with one D1 `SELECT 1`',
  behindFiles: 'The same with static files beside it, as the service has them',
  oneObject: 'A Worker with one object call, one read batch, one batch of ten inserts',
  oneLetter: 'The same, one message through a queue, one letter',
  everything: 'The same with static files beside it: all that a booking needs',
}

/** Such as `1 × 201, 499 × 409`. */
export function tellStatuses({ statuses }: Pick<Measured, 'statuses'>): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
