import { type Compared, compare, type Runner } from './compare.ts'
import { cpuOf, runtimeOfThisProcess } from './cpu.ts'
import { addHosts } from './hosts.ts'
import { sendJson } from './http.ts'
import { startCounted } from './newcomer.ts'
import { addPeerHosts, createPeerSubject, installPeer, type PeerService, startPeer } from './peer-service.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { type Service, untilStill } from './service.ts'
import { asService, bookingOf, createSubject, freshStarts, monthOf } from './subject.ts'
import { table } from './table.ts'

const ROUNDS = 3
const SECONDS = 0.5
/** Event types that change between two requests of the same one. */
const CHANGING = 32
/** Event types that share hosts, so that one booking changes the months of all. */
const SHARED = 8
/** Bookings of a round: a key of the largest plan may call 2,000 times a minute. */
const BOOKINGS = 100
const RACERS = 500

const PEER = 'The peer'
const LOCKED = 'The peer, callers of one start wait for each other'

/** One of those that are compared: the service in two ways, and the peer. */
type Side = {
  readonly name: string
  readonly url: string
  readonly key: string
  readonly calm: string
  readonly booked: string
  readonly raced: string
  readonly changing: readonly string[]
  readonly few: readonly string[]
  readonly many: readonly string[]
  /** Changes what is open in each of `changing`; nothing where every request reads everything anyway. */
  change(): Promise<void>
  untilQuiet(): Promise<void>
  /** The processes that do its work. */
  readonly processes: readonly number[]
}

const COUNT = 3 + CHANGING + 2 * SHARED

function divide(ids: readonly string[]) {
  const [calm, booked, raced, ...more] = ids as [string, string, string, ...string[]]
  return {
    ...{ calm, booked, raced, changing: more.slice(0, CHANGING) },
    few: more.slice(CHANGING, CHANGING + SHARED),
    many: more.slice(CHANGING + SHARED),
  }
}

async function holdfastSide(name: string, url: string, process: number): Promise<Side> {
  const { organizationId, key, eventTypeIds } = await createSubject(url, COUNT)
  const parts = divide(eventTypeIds)
  await addHosts(url, key, parts.few[0]!, 50, parts.few.slice(1))
  await addHosts(url, key, parts.many[0]!, 500, parts.many.slice(1))
  let notice = 0
  const change = async () => {
    notice = 1 - notice
    const body = { minimum_notice_minutes: notice }
    const patch = (id: string) => ({ method: 'PATCH' as const, url: `${url}/v1/event-types/${id}`, body })
    const headers = asService(organizationId)
    await Promise.all(parts.changing.map((id) => sendJson({ ...patch(id), headers })))
  }
  const untilQuiet = async () => void (await untilStill(url))
  return { name, url, key, ...parts, change, untilQuiet, processes: [process] }
}

/** What each side is asked for, beside a floor. Each round is at another start or another event type. */
type Row = { readonly title: string; readonly runner: (side: Side) => Omit<Runner, 'name'> }

function rowsOf(sides: readonly Side[]): readonly Row[] {
  const startsOf = new Map(sides.map((side) => [side, freshStarts()]))
  const nextStart = (side: Side) => startsOf.get(side)!.next().value
  let keys = 0
  const afterBooking = (side: Side, ids: readonly string[]): Omit<Runner, 'name'> => {
    let turn = 0
    let start = 0
    const prepare = async () => {
      if (start === 0) {
        const { slots } = await sendJson<{ slots: { start_time: string }[] }>(monthOf(side.url, ids[0]!))
        start = Date.parse(slots[0]!.start_time)
      }
      start += 3 * 3_600_000
      await sendJson(bookingOf(side.url, ids[0]!, start, side.key))
      await side.untilQuiet()
    }
    return { next: () => monthOf(side.url, ids[turn++ % SHARED]!), prepare, seconds: 60, most: SHARED }
  }
  const calm = (pick: (side: Side) => string) => (side: Side) => {
    return { next: () => monthOf(side.url, pick(side)), seconds: SECONDS }
  }
  const rush = (callers: number) => (side: Side) => ({
    next: () => bookingOf(side.url, side.raced, nextStart(side)),
    ...{ concurrency: callers, most: callers, seconds: 60, settle: side.untilQuiet },
  })
  return [
    { title: 'a month of 1,488 slots, nothing changed', runner: calm(({ calm }) => calm) },
    {
      title: 'the same, every request meets a change',
      runner: (side) => {
        let turn = 0
        const next = () => monthOf(side.url, side.changing[turn++ % CHANGING]!)
        return { next, prepare: side.change, seconds: 60, most: CHANGING }
      },
    },
    { title: 'a month of 50 hosts, nothing changed', runner: calm(({ few }) => few[0]!) },
    { title: 'the same, every request meets a booking', runner: (side) => afterBooking(side, side.few) },
    { title: 'a month of 500 hosts, nothing changed', runner: calm(({ many }) => many[0]!) },
    { title: 'the same, every request meets a booking', runner: (side) => afterBooking(side, side.many) },
    {
      title: 'bookings of one event type with an API key, 8 clients',
      runner: (side) => ({
        next: () => {
          const booking = bookingOf(side.url, side.booked, nextStart(side), side.key)
          keys += 1
          return { ...booking, headers: { ...booking.headers, 'Idempotency-Key': `bench-${keys}` } }
        },
        ...{ most: BOOKINGS, seconds: 60, settle: side.untilQuiet },
      }),
    },
    {
      title: `${RACERS} callers of one slot`,
      runner: (side) => {
        let start = 0
        const prepare = async () => {
          start = nextStart(side)
        }
        const next = () => bookingOf(side.url, side.raced, start)
        return {
          next,
          prepare,
          ...{ concurrency: RACERS, most: RACERS, seconds: 60 },
          settle: side.untilQuiet,
        }
      },
    },
    { title: '60 callers of 60 starts', runner: rush(60) },
    { title: '500 callers of 500 starts', runner: rush(500) },
  ]
}

/** The service in two ways, beside a plain service with PostgreSQL and beside Workers that do nothing. */
export async function benchPeer(service: Service): Promise<string[]> {
  const postgres = findPostgres()
  if (postgres === null) {
    return ['Skipped: PostgreSQL is not installed. On Debian: `sudo apt-get install postgresql`.']
  }
  await installPeer()
  const [cluster, started] = await Promise.all([startPostgres(postgres), startCounted()])
  const peers = [await startPeer(cluster), await startPeer(cluster, true)] as const
  try {
    const subject = await createPeerSubject(cluster, COUNT)
    const parts = divide(subject.eventTypeIds)
    await addPeerHosts(cluster, parts.few, 50)
    await addPeerHosts(cluster, parts.many, 500)
    const sideOf = (name: string, { url, untilQuiet, process }: PeerService): Side => {
      const processes = [process, cluster.process]
      return { name, url, key: subject.key, ...parts, change: async () => {}, untilQuiet, processes }
    }
    const [peer, locked] = [sideOf(PEER, peers[0]), sideOf(LOCKED, peers[1])]
    const own = [
      await holdfastSide('Holdfast, the runtime itself', service.url, runtimeOfThisProcess()),
      await holdfastSide('Holdfast, `npm start`', started.url, started.process),
    ]
    await assertAlike([peer, ...own])
    const lines: string[][] = []
    const only = process.env.ROWS?.split(',').map(Number)
    for (const [at, { title, runner }] of rowsOf([peer, locked, ...own]).entries()) {
      if (only && !only.includes(at)) continue
      // It has an effect only where callers meet.
      const sides = at === RACE ? [peer, locked, ...own] : [peer, ...own]
      const runners = [
        ...sides.map((side) => ({ name: side.name, cpu: () => cpuOf(side.processes), ...runner(side) })),
        ...floorsAt(at, service),
      ]
      const compared = await compare(runners, ROUNDS)
      lines.push(...compared.map((each, first) => row(first === 0 ? title : '', each)))
    }
    return table(
      ['Request', 'of', 'a second', 'of the peer, median (quartiles)', 'CPU, ms', 'p50, ms', 'p99, ms'],
      lines,
    )
  } finally {
    for (const each of [...peers, cluster, started]) await each.stop()
  }
}

const RACE = 7
const BOOKED = 6

/** What the runtime costs where the service does nothing. */
function floorsAt(row: number, { floors }: Service): readonly Runner[] {
  const get = (name: string, url: string) => ({
    name,
    next: () => ({ method: 'GET' as const, url }),
    seconds: SECONDS,
    cpu: () => cpuOf([runtimeOfThisProcess()]),
  })
  if (row === 0) {
    return [
      get('An empty Worker', floors.empty),
      get('A Worker with one `SELECT`', floors.oneSelect),
      get('The same with static files beside it', floors.behindFiles),
    ]
  }
  if (row === BOOKED) return [get('A Worker with one object call and two batches', floors.oneObject)]
  return []
}

/** All sides answer with the same starts. */
async function assertAlike(sides: readonly Side[]): Promise<void> {
  for (const pick of [
    (side: Side) => side.calm,
    (side: Side) => side.few[1]!,
    (side: Side) => side.many[1]!,
  ]) {
    const answers = await Promise.all(
      sides.map(async (side) => {
        const { slots } = await sendJson<{ slots: unknown }>(monthOf(side.url, pick(side)))
        return JSON.stringify(slots)
      }),
    )
    if (new Set(answers).size !== 1) throw new Error('the peer and the service offer different starts')
  }
}

function row(title: string, compared: Compared): string[] {
  const { name, perSecond, p50, p99, ratios, failures, cpuMs } = compared
  const [low, middle, high] = ratios[PEER]!.map((ratio) => ratio.toFixed(2))
  const of = failures ? `${name} (${failures})` : name
  return [
    title,
    of,
    perSecond.toFixed(0),
    `${middle} (${low}–${high})`,
    ...[cpuMs, p50, p99].map((ms) => ms.toFixed(1)),
  ]
}
