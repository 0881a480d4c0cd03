import { type Measured, percentile } from './load.ts'

export type Row = { readonly name: string; readonly measured: Measured; readonly roundTrips: number }

export const TABLE_HEAD: readonly string[] = [
  '| Request | Requests/s | p50, ms | p99, ms | D1 round trips per request |',
  '| --- | ---: | ---: | ---: | ---: |',
]

export function tableRow({ name, measured, roundTrips }: Row): string {
  const cells = [
    name,
    Math.round((measured.requests / measured.totalMs) * 1_000).toLocaleString('en'),
    percentile(measured, 0.5).toFixed(1),
    percentile(measured, 0.99).toFixed(1),
    (roundTrips / measured.requests).toFixed(2),
  ]
  return `| ${cells.join(' | ')} |`
}

/** Such as `1 × 201, 499 × 409`. */
export function tellStatuses({ statuses }: Measured): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
