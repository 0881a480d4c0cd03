import { countReminders, scaled, sum } from './booking.ts'
import type { Count } from './counted-worker.ts'
import { addHosts } from './hosts.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { bookingOf, createSubject, freshStarts, monthOf } from './subject.ts'
import { table } from './table.ts'

const COUNTED = 8
const SIZES = [10, 50, 200, 500]
/** An object is billed as if it had so much memory. */
const OBJECT_GB = 0.128
/** A message is written, read and deleted. */
const OPERATIONS_A_MESSAGE = 3
const HALF_HOUR_MS = 1_800_000

/**
 * Dollars for a million, by Cloudflare's list prices for Workers Paid, read on 28 November 2026. What the plan includes is
 * not subtracted.
 */
const PRICES = {
  'rows written': 1,
  'rows read': 0.001,
  requests: 0.3,
  'object requests': 0.15,
  'object GB-s': 12.5,
  'queue operations': 0.4,
  'log lines': 0.6,
  emails: 350,
} as const

type Unit = keyof typeof PRICES

function unitsOf(count: Count): Readonly<Record<Unit, number>> {
  return {
    'rows written': count.rowsWritten,
    'rows read': count.rowsRead,
    requests: count.requests,
    'object requests': count.objectRequests,
    'object GB-s': (count.objectMs / 1_000) * OBJECT_GB,
    'queue operations': count.messages * OPERATIONS_A_MESSAGE,
    'log lines': count.lines,
    emails: count.emails,
  }
}

/** What a million of some requests cost, from what a few of them use. */
export async function benchCost(service: Service): Promise<string[]> {
  const { url } = service
  const { key, eventTypeIds } = await createSubject(url, 3 + SIZES.length)
  const [anonymous, keyed, hosted, ...teams] = eventTypeIds as [string, string, string, ...string[]]
  await addHosts(url, key, hosted, 10)
  const counted: (readonly [string, Count])[] = [
    ['a booking without a key', await countBookings(service, anonymous)],
    ['a booking with a key', await countBookings(service, keyed, key)],
    ['a booking of one of 10 hosts', await countBookings(service, hosted, key)],
  ]
  for (const [at, hosts] of SIZES.entries()) {
    await addHosts(url, key, teams[at]!, hosts)
    counted.push([`a month of ${hosts} hosts, after a booking`, await countMonths(service, teams[at]!, key)])
  }
  const units = Object.keys(PRICES) as Unit[]
  const rows = counted.map(([name, count]) => {
    const used = unitsOf(count)
    const dollars = (some: readonly Unit[]) => some.reduce((all, unit) => all + used[unit] * PRICES[unit], 0)
    const withoutEmails = dollars(units.filter((unit) => unit !== 'emails'))
    return [name, ...units.map((unit) => show(used[unit])), show(withoutEmails), show(dollars(units))]
  })
  const head = ['One of', ...units, '$ a million, without emails', 'with them']
  const prices = units.map((unit) => [unit, String(PRICES[unit])])
  return [...table(head, rows), '', ...table(['$ a million', 'List price'], prices)]
}

function show(figure: number): string {
  if (figure >= 100) return Math.round(figure).toLocaleString('en')
  return String(Number(figure.toPrecision(figure < 1 ? 2 : 3)))
}

/** One booking until its emails and its event are out, both reminders included. */
async function countBookings(service: Service, eventTypeId: string, key?: string): Promise<Count> {
  const { url, count, untilQuiet } = service
  // Hosts are busy around every third hour.
  const starts = freshStarts(6)
  const booked: number[] = []
  const book = async () => {
    const start = starts.next().value + 2 * HALF_HOUR_MS
    await sendJson(bookingOf(url, eventTypeId, start, key))
    booked.push(start)
  }
  await book()
  await untilQuiet()
  const out = await count(async () => {
    for (let made = 0; made < COUNTED; made++) await book()
    await untilQuiet()
  })
  const reminded = await countReminders(service, booked)
  return sum(scaled(out, 1 / COUNTED), scaled(reminded, 1 / booked.length))
}

/** One month, each after a booking of one of its hosts. */
async function countMonths({ url, count, untilQuiet }: Service, eventTypeId: string, key: string) {
  const month = monthOf(url, eventTypeId)
  const { slots } = await sendJson<{ slots: { start_time: string }[] }>(month)
  let start = Date.parse(slots[0]!.start_time)
  let all: Count | null = null
  for (let asked = 0; asked < COUNTED; asked++) {
    start += 6 * HALF_HOUR_MS
    await sendJson(bookingOf(url, eventTypeId, start, key))
    await untilQuiet()
    const own = await count(() => sendJson(month))
    all = all ? sum(all, own) : own
  }
  return scaled(all!, 1 / COUNTED)
}
