import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from '../support/draws.ts'
import { packAll } from '../support/packed.ts'
import { startService } from '../support/service.ts'
import { audit, COMMITS, type Compared } from './audit.ts'
import { auditCalendars, syncAll } from './audit-calendars.ts'
import { auditMoney, bringNotices } from './audit-money.ts'
import { auditSent } from './audit-sent.ts'
import { auditTexts } from './audit-texts.ts'
import { openBank } from './bank.ts'
import { openCalendars } from './calendars.ts'
import { type Answer, Caller, Cut } from './caller.ts'
import { inDatabase, lookInto, sizeOf } from './database.ts'
import { auditDeliveries, giveUpUnpaid, untilTold } from './drain.ts'
import { Ledger } from './ledger.ts'
import type { Operation } from './operation.ts'
import { Operations } from './operations.ts'
import { openPhones } from './phones.ts'
import { startCounter } from './receiver.ts'
import { connectAccounts, makeWorld } from './world.ts'

const ORGANIZATIONS = 4
const CRON_MS = 20_000
const PROGRESS_MS = 15_000
/** A process dies at any moment of a change, and half of the time as soon as something was answered. */
const MAX_DELAY_MS = 25
/** The receiver refuses one in so many while clients are at work. */
const REFUSED = 20

/** What one database sees. */
type Plan = {
  readonly operations: number
  readonly seed: number
  readonly clients: number
  /** How often every process of the service is killed in between. */
  readonly kills: number
  /** When it is enough, in epoch milliseconds, however many operations that were. */
  readonly until: number
}

export type Report = {
  readonly ledger: Ledger
  readonly seconds: number
  readonly sent: number
  readonly kills: number
  readonly cuts: number
  readonly repeated: number
  readonly compared: Compared & {
    readonly audits: number
    readonly told: number
    readonly deliveries: number
    /** Attempts that were not waited for. */
    readonly moved: number
    readonly payments: number
    /** Events in calendars. */
    readonly written: number
    readonly texts: number
  }
  readonly drainSeconds: number
  readonly bytes: number
}

/** Where the service runs, and who is told how far it is. */
type Place = {
  readonly bundle: string
  readonly state: string
  readonly say: (line: string) => void
}

/** Lets clients do what users do, kills the service again and again, and audits after each kill and at the end. */
export async function soak(options: Plan, { bundle, state, say }: Place): Promise<Report> {
  const began = performance.now()
  const ledger = new Ledger()
  const caller = new Caller()
  const draws = chance(options.seed)
  const moods = chance(options.seed + 1)
  const receiver = await startCounter(() => moods.below(REFUSED) === 0)
  const bank = await openBank()
  const calendars = await openCalendars()
  const phones = await openPhones(() => caller.url)
  await inDatabase(state, async (ask) => {
    for (const statement of COMMITS) await ask(statement)
  })
  const isLate = () => Date.now() > options.until
  const start = async () => {
    const started = await startService(bundle, state, bank.url, phones.settings)
    caller.url = started.url
    return started
  }
  let service = await start()
  let isOver = false
  let [kills, cuts, repeated, sent] = [0, 0, 0, 0]
  let compared: Compared = { bookings: 0, entries: 0, events: 0 }
  const sweep = async (time: number) => {
    const answer = await fetch(new URL(`/cdn-cgi/local/scheduled?time=${time}`, caller.url)).catch(() => null)
    await answer?.text().catch(() => '')
  }
  const tellTime = async () => {
    while (!isOver) {
      await sleep(CRON_MS, undefined, { ref: false })
      await sweep(Date.now())
    }
  }
  const tell = setInterval(() => {
    const rate = Math.round(sent / ((performance.now() - began) / 1_000))
    const found = ledger.findings.length
    say(`${sent} operations, ${rate} a second, ${kills} kills, ${cuts} cut, ${found} findings`)
  }, PROGRESS_MS)
  try {
    const world = await makeWorld(caller, receiver.url, calendars, ORGANIZATIONS)
    await service.kill()
    await inDatabase(state, (ask) => connectAccounts(ask, world, bank))
    service = await start()
    const operations = new Operations(world, ledger, draws, { bank, calendars, phones })
    void tellTime()
    for (let phase = 0; phase <= options.kills; phase++) {
      const until = Math.floor((options.operations * (phase + 1)) / (options.kills + 1))
      const isLast = phase === options.kills
      let isDead = false
      const delayMs = draws.below(2) === 0 ? 0 : draws.roll() * MAX_DELAY_MS
      const lost = await rage({
        caller,
        ledger,
        clients: options.clients,
        next: () => {
          if ((isLast && sent >= until) || isLate()) return null
          sent += 1
          // The process dies in the middle of it.
          if (!isLast && sent === until - Math.ceil(options.clients / 2)) operations.rush()
          return operations.next()
        },
        diesWhen: () => !isLast && sent >= until && !isLate(),
        kill: async () => {
          isDead = true
          await sleep(delayMs)
          await service.kill()
        },
      })
      cuts += lost.length
      if (isLast || !isDead) break
      kills += 1
      compared = await inDatabase(state, async (ask) => {
        const found = await audit(ask, world, ledger)
        // Its teams are too small to be packed by questions.
        await packAll(ask)
        return found
      })
      service = await start()
      repeated += await repeat(caller, ledger, lost)
      operations.settled()
    }
    receiver.takeAll()
    const drainBegan = performance.now()
    const pause = async (work: Parameters<typeof inDatabase<void>>[1]) => {
      await service.kill()
      await inDatabase(state, work)
      service = await start()
    }
    const look = (query: string, ...values: readonly unknown[]) => lookInto(state, query, ...values)
    const driven = { look, sweep, pause }
    await bank.calm()
    await phones.calm()
    for (const { id } of world.organizations) await calendars.calm(id)
    await syncAll(caller, world)
    await bringNotices(caller, bank, ledger)
    await giveUpUnpaid(driven, ledger)
    const moved = await untilTold(driven, ledger)
    await syncAll(caller, world)
    const drainSeconds = Math.round((performance.now() - drainBegan) / 1_000)
    const written = await auditCalendars(look, { caller, calendars }, world, ledger)
    const told = await auditSent(caller, world, ledger, receiver)
    isOver = true
    await service.kill()
    await inDatabase(state, (ask) => auditDeliveries(ask, ledger))
    const texts = await inDatabase(state, (ask) => auditTexts(ask, phones, ledger))
    const payments = await inDatabase(state, (ask) => auditMoney(ask, bank, ledger))
    compared = await inDatabase(state, (ask) => audit(ask, world, ledger))
    const seconds = Math.round((performance.now() - began) / 1_000)
    const all = { ...compared, audits: kills + 1, ...told, moved, payments, written, texts }
    return {
      ledger,
      seconds,
      sent,
      kills,
      cuts,
      repeated,
      compared: all,
      drainSeconds,
      bytes: sizeOf(state),
    }
  } finally {
    isOver = true
    clearInterval(tell)
    await service.kill().catch(() => {})
    await receiver.stop()
    await bank.stop()
    await calendars.stop()
    await phones.stop()
  }
}

type Raging = {
  readonly caller: Caller
  readonly ledger: Ledger
  readonly clients: number
  readonly next: () => Operation | null
  readonly diesWhen: () => boolean
  readonly kill: () => Promise<void>
}

/** Clients work until there is nothing more to do or the service is dead; gives what was cut off. */
async function rage({ caller, ledger, clients, next, diesWhen, kill }: Raging): Promise<Operation[]> {
  const lost: Operation[] = []
  let death: Promise<void> | null = null
  const client = async () => {
    while (!death) {
      const operation = next()
      if (!operation) return
      const { name, asked, prepare, settle } = operation
      try {
        const answer = await caller.send(prepare ? await prepare() : asked)
        ledger.count(name, String(answer.status))
        expectKnown(ledger, operation, answer)
        settle(answer)
        if (answer.status < 300) ledger.acknowledged += 1
        if (diesWhen()) death ??= kill()
      } catch (error) {
        if (!(error instanceof Cut)) throw error
        ledger.count(name, error.message === '503' ? '503' : 'cut')
        // A connection may end without a death only where the service has nothing to say for it.
        if (!death && error.message !== '503') ledger.find('an answer is missing', asked, error.message)
        lost.push(operation)
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await death
  return lost
}

const KNOWN: ReadonlySet<number> = new Set([200, 201, 202, 204, 400, 403, 404, 409, 429])

function expectKnown(ledger: Ledger, { asked, mayFail }: Operation, { status, body }: Answer): void {
  const isKnown = KNOWN.has(status) || (mayFail === true && status === 502)
  if (!isKnown) ledger.find('an unexpected answer', asked, status, body)
}

/** Sends again what was cut off, where it has a key: twice, for it must end once and say so both times. */
async function repeat(caller: Caller, ledger: Ledger, lost: readonly Operation[]): Promise<number> {
  const keyed = lost.filter(({ asked }) => asked.key != null)
  for (const operation of keyed) {
    const { name, asked, settle } = operation
    try {
      const first = await caller.send(asked)
      const second = await caller.send(asked)
      ledger.count(`${name} again`, String(first.status))
      expectKnown(ledger, operation, first)
      const isSame =
        first.status === second.status && JSON.stringify(first.body) === JSON.stringify(second.body)
      if (first.status < 300 && !(isSame && second.isReplay)) {
        ledger.find('another answer to the same key', asked, first, second)
      }
      settle(second.status < 300 ? second : first)
    } catch (error) {
      if (!(error instanceof Cut)) throw error
    }
  }
  return keyed.length
}
