import { existsSync } from 'node:fs'
import { sendJson } from './http.ts'
import { type Measured, measure, median } from './load.ts'
import { race } from './racers.ts'
import type { Service } from './service.ts'
import { asService, bookingOf, createSubject, freshStarts } from './subject.ts'
import { table, tellStatuses } from './table.ts'

const ROUNDS = 3
const DISTANCES_MS = [0, 20, 150]
const SEATS = 100
/** One after another by one client. */
const SINGLE = { concurrency: 1, seconds: 2, most: Number.POSITIVE_INFINITY }

type Open = (settings?: Readonly<Record<string, string>>, bundle?: string) => Promise<Service>
type Rush = Measured & { readonly trips: number }
type Kind = { readonly name: string; readonly callers: number; readonly isClass: boolean }

const KINDS: readonly Kind[] = [
  { name: '60 callers, as many starts', callers: 60, isClass: false },
  { name: '500 callers, as many starts', callers: 500, isClass: false },
  { name: `60 callers, a class of ${SEATS} seats`, callers: 60, isClass: true },
  { name: `500 callers, a class of ${SEATS} seats`, callers: 500, isClass: true },
]

/**
 * Many book one event type at the same time, which nobody booked before, with the database at a distance. Another bundle of
 * `counted-worker.ts`, which `BUNDLE_BEFORE` names, takes turns with this one.
 */
export async function benchRush(open: Open): Promise<string[]> {
  const before = process.env.BUNDLE_BEFORE
  if (before && !existsSync(before)) throw new Error(`There is no bundle ${before}`)
  const services = [...(before ? [await open({}, before)] : []), await open()]
  try {
    const rows: string[][] = []
    for (const ms of DISTANCES_MS) {
      for (const kind of KINDS) rows.push(...(await rushAll(services, kind, ms)))
    }
    return [
      ...table(
        ['Rush', 'D1, ms away', 'Answers', 'Round trips', 'Last answer, ms', 'Bookings/s', 'of before'],
        rows,
      ),
      '',
      ...table(['', 'this bundle', 'of before'], [await single(services), await racing(services)]),
    ]
  } finally {
    for (const service of services) await service.stop()
  }
}

async function rushAll(services: readonly Service[], kind: Kind, ms: number): Promise<string[][]> {
  const rushes: Rush[][] = services.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, service] of services.entries()) rushes[at]!.push(await rush(service, kind, ms))
  }
  const rates = rushes.map((each) => median(each.map(rateOf)))
  return rushes.map((each, at) => {
    const isBefore = at < rushes.length - 1
    const lastMs = median(each.map(({ totalMs }) => totalMs))
    return [
      isBefore ? `${kind.name}, before` : kind.name,
      String(ms),
      tellStatuses(each.at(-1)!),
      String(median(each.map(({ trips }) => trips))),
      String(Math.round(lastMs)),
      String(Math.round(rates[at]!)),
      isBefore || rushes.length === 1 ? '–' : `${(rates[at]! / rates[0]!).toFixed(1)} x`,
    ]
  })
}

async function rush(service: Service, { callers, isClass }: Kind, ms: number): Promise<Rush> {
  const { organizationId, eventTypeIds } = await createSubject(service.url, 1)
  const [id] = eventTypeIds as [string]
  if (isClass) {
    const headers = asService(organizationId)
    const url = `${service.url}/v1/event-types/${id}`
    await sendJson({ method: 'PATCH', url, headers, body: { max_attendees: SEATS } })
  }
  await service.untilQuiet()
  const starts = freshStarts(1)
  const first = starts.next().value
  let caller = 0
  const next = () => {
    caller += 1
    const request = bookingOf(service.url, id, isClass ? first : starts.next().value)
    return { ...request, body: { ...(request.body as object), invitee_email: `ada-${caller}@example.com` } }
  }
  await service.moveAway(ms)
  let measured: Measured | undefined
  const { roundTrips } = await service.count(async () => {
    measured = await measure(next, { concurrency: callers, seconds: 60, most: callers })
  })
  await service.moveAway(0)
  await service.untilQuiet()
  return { ...measured!, trips: roundTrips }
}

function rateOf({ statuses, totalMs }: Measured): number {
  return ((statuses.get(201) ?? 0) / totalMs) * 1_000
}

async function single(services: readonly Service[]): Promise<string[]> {
  const clients = await inTurn(services, async (service, id, starts) => {
    const { requests, totalMs } = await measure(() => bookingOf(service.url, id, starts.next().value), SINGLE)
    return (requests / totalMs) * 1_000
  })
  return told('Bookings by one client, per second', clients, (rate) => rate.toFixed(0))
}

async function racing(services: readonly Service[]): Promise<string[]> {
  const races = await inTurn(services, async ({ url }, id, starts) => {
    const { totalMs } = await race(url, id, starts)
    return 1_000 / totalMs
  })
  return told('500 callers for one start, seconds', races, (rate) => (1 / rate).toFixed(2))
}

/** The first round only warms up. */
async function inTurn(
  services: readonly Service[],
  measureRate: (service: Service, eventTypeId: string, starts: Iterator<number, never>) => Promise<number>,
): Promise<readonly (readonly number[])[]> {
  const subjects = await Promise.all(services.map(({ url }) => createSubject(url, 1)))
  const starts = freshStarts()
  const rates: number[][] = services.map(() => [])
  for (let round = 0; round <= 2 * ROUNDS; round++) {
    for (const [at, service] of services.entries()) {
      const rate = await measureRate(service, subjects[at]!.eventTypeIds[0]!, starts)
      await service.untilQuiet()
      if (round > 0) rates[at]!.push(rate)
    }
  }
  return rates
}

function told(name: string, rates: readonly (readonly number[])[], tell: (rate: number) => string): string[] {
  const [before, now = before] = rates as [readonly number[], (readonly number[])?]
  const ratio = median(now.map((rate, at) => rate / before[at]!))
  return [name, tell(median(now)), rates.length === 1 ? '–' : `${ratio.toFixed(2)} x`]
}
