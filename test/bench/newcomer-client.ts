import { bookingOf } from './subject.ts'

/** Books like somebody who knows nothing of the service: one process, `fetch`, eight calls at a time, one key. */
const [url, eventTypeId, key, first, count] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const HALF_HOUR_MS = 1_800_000
const CLIENTS = 8

let sent = 0
const statuses: Record<number, number> = {}
async function client(): Promise<void> {
  while (sent < Number(count)) {
    const start = Number(first) + sent++ * HALF_HOUR_MS
    const { method, url: target, headers, body } = bookingOf(url, eventTypeId, start, key)
    const response = await fetch(target, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.text()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
  }
}

const began = performance.now()
await Promise.all(Array.from({ length: CLIENTS }, client))
console.log(JSON.stringify({ ms: performance.now() - began, statuses }))
