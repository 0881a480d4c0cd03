import { setTimeout as sleep } from 'node:timers/promises'
import { compare, type Runner } from './compare.ts'
import { FLOORS, LETTER_FLOORS } from './floors.ts'
import { addHosts } from './hosts.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { asService, createSubject, monthOf, type Subject } from './subject.ts'
import { COUNT_HEAD, countRow, FLOOR_NAMES, RATE_HEAD, rateRow, table } from './table.ts'

const ROUNDS = 12
const SECONDS = 0.25
const LETTER_SECONDS = 1.2
/** As long as letters may still be on their way. */
const LETTERS_OUT_MS = 2_000
/** So many event types change before each round of the row in which every request meets a change. */
const CHANGING = 64
const HOSTS = 50
/** The same of event types that share these hosts. */
const CHANGING_HOSTED = 16
/** The event types that the months are of. */
export const EVENT_TYPES = 2 + CHANGING + CHANGING_HOSTED
const COUNTED = 10

/** The months that are asked for: nothing changed since the last answer, everything did, and with many hosts. */
export async function availabilityRunners(service: Service, subject: Subject): Promise<readonly Runner[]> {
  const { url } = service
  const [calm, hosted, ...others] = subject.eventTypeIds.slice(0, EVENT_TYPES) as [
    string,
    string,
    ...string[],
  ]
  const changing = others.slice(0, CHANGING)
  const changingHosted = others.slice(CHANGING)
  await addHosts(url, subject.key, hosted, HOSTS, changingHosted)
  const { slots } = await sendJson<{ slots: readonly unknown[] }>(monthOf(url, calm))
  const month = `\`GET /v1/availability\`, a month, ${slots.length.toLocaleString('en')} open slots`
  let turn = 0
  const change = (ids: readonly string[]) => {
    let notice = 0
    return async () => {
      notice = 1 - notice
      await Promise.all(
        ids.map((id) =>
          sendJson({
            method: 'PATCH',
            url: `${url}/v1/event-types/${id}`,
            headers: asService(subject.organizationId),
            body: { minimum_notice_minutes: notice },
          }),
        ),
      )
    }
  }
  const next = (ids: readonly string[]) => () => monthOf(url, ids[turn++ % ids.length]!)
  const hostedMonth = `\`GET /v1/availability\`, a month, ${HOSTS} hosts with 200 bookings each`
  return [
    { name: `${month}, nothing changed`, next: () => monthOf(url, calm), seconds: SECONDS },
    {
      name: `${month}, every request meets a change`,
      next: next(changing),
      prepare: change(changing),
      seconds: 10,
      most: CHANGING,
    },
    {
      name: `${hostedMonth}, nothing changed`,
      next: () => monthOf(url, hosted),
      seconds: SECONDS,
    },
    {
      name: `${hostedMonth}, every request meets a change`,
      next: next(changingHosted),
      prepare: change(changingHosted),
      seconds: 10,
      most: CHANGING_HOSTED,
    },
  ]
}

export function floorRunners({ floors }: Service): readonly Runner[] {
  return FLOORS.map((name) => ({
    name,
    next: () => ({ method: 'GET', url: floors[name] }),
    // What follows from a request is done beside the next ones, if there are enough of them.
    seconds: LETTER_FLOORS.includes(name) ? LETTER_SECONDS : SECONDS,
    ...(LETTER_FLOORS.includes(name) && { settle: () => sleep(LETTERS_OUT_MS) }),
  }))
}

export async function benchAvailability(service: Service): Promise<string[]> {
  const subject = await createSubject(service.url, EVENT_TYPES)
  const runners = await availabilityRunners(service, subject)
  const compared = await compare([...floorRunners(service), ...runners], ROUNDS)
  const rows = compared.map((each) =>
    rateRow({ ...each, name: FLOOR_NAMES[each.name as keyof typeof FLOOR_NAMES] ?? each.name }),
  )
  const counts: string[][] = []
  for (const { name, next, prepare } of runners) {
    await sendJson(next())
    await prepare?.()
    const count = await service.count(async () => {
      for (let asked = 0; asked < COUNTED; asked++) await sendJson(next())
    })
    counts.push(countRow(name, count, COUNTED))
  }
  return [...table(RATE_HEAD, rows), '', ...table(COUNT_HEAD, counts)]
}
