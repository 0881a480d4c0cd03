import { existsSync } from 'node:fs'
import { cpuOf, runtimesOfThisProcess } from './cpu.ts'
import { addHosts } from './hosts.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { createSubject, monthOf, type Subject } from './subject.ts'
import { table } from './table.ts'

const SIZES = [10, 50, 200, 500]
export const STRATEGIES = ['round_robin', 'least_recent', 'least_bookings', 'availability_weighted', 'none']
const ANSWERS = 20
/** The first cold answer about a large team packs its holds afterwards, for those of its other event types. */
const PACKED_AFTER_MS = 1_000

type Open = (settings?: Readonly<Record<string, string>>, bundle?: string) => Promise<Service>
export type Slots = { readonly slots: readonly { readonly start_time: string }[] }

/** A team with an event type of each strategy, one event type of a single host of it, and one of somebody else. */
type Team = Subject & { readonly types: readonly string[]; readonly one: string; readonly other: string }

/** What an answer read, and the time of the processor that it took. */
type Cost = { readonly rows: number; readonly cpuMs: number }

/**
 * A month of teams, whose hosts have 200 bookings each: known to nobody, with nothing changed, after somebody else's time was
 * taken, and after that of one of its hosts was. Another bundle of `counted-worker.ts`, which `BUNDLE_BEFORE` names, takes turns.
 */
export async function benchTeams(open: Open): Promise<string[]> {
  const before = process.env.BUNDLE_BEFORE
  if (before && !existsSync(before)) throw new Error(`There is no bundle ${before}`)
  const services = [...(before ? [await open({}, before)] : []), await open()]
  try {
    const rows: string[][] = []
    for (const hosts of SIZES) {
      const teams = await Promise.all(services.map((service) => createTeam(service, hosts)))
      for (const [at, strategy] of STRATEGIES.entries()) {
        for (const [of, service] of services.entries()) {
          const isBefore = of < services.length - 1
          const name = `${hosts} hosts, ${strategy}${isBefore ? ', before' : ''}`
          rows.push([name, ...(await measureTeam(service, teams[of]!, at))])
        }
      }
    }
    return table(HEAD, rows)
  } finally {
    for (const service of services) await service.stop()
  }
}

const HEAD = [
  'A month: rows read; CPU, ms',
  'Cold',
  'Nothing changed',
  "Somebody else's time was taken",
  "One host's time was taken",
]

export async function createTeam(
  { url }: Service,
  hosts: number,
  strategies: readonly string[] = STRATEGIES,
): Promise<Team> {
  const subject = await createSubject(url, strategies.length + 2)
  const types = subject.eventTypeIds.slice(0, strategies.length)
  const [one, other] = subject.eventTypeIds.slice(strategies.length) as [string, string]
  const headers = { Authorization: `Bearer ${subject.key}` }
  await addHosts(url, subject.key, types[0]!, hosts, types.slice(1))
  await addHosts(url, subject.key, other, 1)
  for (const [at, assignment_strategy] of strategies.entries()) {
    const path = `${url}/v1/event-types/${types[at]}`
    await sendJson({ method: 'PATCH', url: path, headers, body: { assignment_strategy } })
  }
  const listed = `${url}/v1/event-types/${types[0]}/hosts`
  const { data } = await sendJson<{ data: { member_id: string }[] }>({ method: 'GET', url: listed, headers })
  const body = { member_id: data[0]!.member_id }
  await sendJson({ method: 'POST', url: `${url}/v1/event-types/${one}/hosts`, headers, body })
  return { ...subject, types, one, other }
}

/** Like a booking, but nothing follows from it that would be counted with the next answer. */
export async function holdAt(url: string, team: Team, event_type_id: string, place: number): Promise<void> {
  const { slots } = await sendJson<Slots>(monthOf(url, event_type_id))
  const { start_time } = slots[place % slots.length]!
  const body = { event_type_id, start_time, ttl_seconds: 900 }
  const headers = { Authorization: `Bearer ${team.key}` }
  await sendJson({ method: 'POST', url: `${url}/v1/holds`, headers, body })
}

async function measureTeam(service: Service, team: Team, at: number): Promise<string[]> {
  const { url } = service
  const id = team.types[at]!
  const month = () => sendJson(monthOf(url, id))
  const hold = (eventTypeId: string, round: number) => holdAt(url, team, eventTypeId, round * 37 + at * 5)
  const cold = await costOf(service, month)
  await new Promise((resolve) => setTimeout(resolve, PACKED_AFTER_MS))
  await month()
  const calm = await meanOf(service, month, async () => {})
  const others = await meanOf(service, month, (round) => hold(team.other, round))
  const changed = await meanOf(service, month, (round) => hold(team.one, round))
  return [cold, calm, others, changed].map(({ rows, cpuMs }) => `${rows.toFixed(0)}; ${cpuMs.toFixed(1)}`)
}

async function meanOf(
  service: Service,
  work: () => Promise<unknown>,
  prepare: (round: number) => Promise<void>,
): Promise<Cost> {
  let [rows, cpuMs] = [0, 0]
  for (let round = 0; round < ANSWERS; round++) {
    await prepare(round)
    const cost = await costOf(service, work)
    rows += cost.rows
    cpuMs += cost.cpuMs
  }
  return { rows: rows / ANSWERS, cpuMs: cpuMs / ANSWERS }
}

async function costOf(service: Service, work: () => Promise<unknown>): Promise<Cost> {
  let cpuMs = 0
  const { rowsRead } = await service.count(async () => {
    const before = cpuOf(runtimesOfThisProcess())
    await work()
    cpuMs = cpuOf(runtimesOfThisProcess()) - before
  })
  return { rows: rowsRead, cpuMs }
}
