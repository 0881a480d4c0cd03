import { openGoogle } from '../../doubles/google/open-google.ts'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { startDoubles } from '../../doubles/start-doubles.ts'
import { variablesFor } from '../../doubles/variables.ts'
import { giveConsent } from '../../src/local/give-consent.ts'
import { CALDAV_USERS } from '../support/caldav.ts'
import { startServer, textOf } from '../support/local-server.ts'
import { type Radicale, startRadicale } from '../support/radicale.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { createSubject } from './subject.ts'
import { table } from './table.ts'

const EVENTS = 200
const CHANGES = 5
const DAY_MS = 86_400_000
const MINUTES_A_DAY = 1_440
const ACCOUNT = 'bench@example.com'

type Connection = { readonly id: string; readonly account_id: string }

/** A calendar with events, and what its owner does in it. */
type Subject = {
  readonly name: string
  /** How often it is asked a day: at its quietest, and when it changes all the time. */
  readonly pollsADay: readonly [number, number]
  connect(service: Service, key: string): Promise<Connection>
  change(count: number): Promise<void>
  /** How many requests the provider got so far. */
  requests(): Promise<number>
}

/** What one calendar asks of its provider and of the database, in one poll and on one day. */
export async function benchCalendars(
  open: (settings: Readonly<Record<string, string>>) => Promise<Service>,
): Promise<string[]> {
  const [doubles, radicale] = await Promise.all([
    startDoubles({ google: openGoogle, microsoft: openMicrosoft }),
    startRadicale(),
  ])
  const counted = await countRequests(radicale.url)
  const service = await open(settingsFor(doubles.url))
  try {
    const { key } = await createSubject(service.url, 1)
    const rows: string[][] = []
    for (const subject of [google(doubles.url), microsoft(doubles.url), caldav(radicale, counted)]) {
      await subject.change(EVENTS)
      rows.push(...(await rowsOf(subject, service, key)))
    }
    return table(HEAD, rows)
  } finally {
    await service.stop()
    await counted.stop()
    await Promise.all([doubles.stop(), radicale.stop()])
  }
}

const HEAD = ['A calendar of 200 events', 'Requests', 'Rows read', 'Rows written']

async function rowsOf(subject: Subject, service: Service, key: string): Promise<string[][]> {
  const connection = await subject.connect(service, key)
  await service.untilQuiet()
  const poll = async () => {
    const before = await subject.requests()
    const counted = await service.count(() => service.syncCalendar(connection.account_id, connection.id))
    await service.untilQuiet()
    return {
      requests: (await subject.requests()) - before,
      read: counted.rowsRead,
      written: counted.rowsWritten,
    }
  }
  await poll()
  const quiet = await poll()
  await subject.change(CHANGES)
  const changed = await poll()
  const [slow, fast] = subject.pollsADay
  const day = (polls: number, changes: number) =>
    ([changed.requests, changed.read, changed.written] as const).map((of, at) => {
      const rest = [quiet.requests, quiet.read, quiet.written][at]!
      return Math.round(changes * of + (polls - changes) * rest)
    })
  const line = (name: string, figures: readonly number[]) => [
    `${subject.name}, ${name}`,
    ...figures.map((each) => each.toLocaleString('en')),
  ]
  return [
    line('one poll, nothing changed', [quiet.requests, quiet.read, quiet.written]),
    line(`one poll, ${CHANGES} changes`, [changed.requests, changed.read, changed.written]),
    line(`a day at ${slow} polls, nothing changed`, day(slow, 0)),
    line(`a day at ${slow} polls, one with ${CHANGES} changes`, day(slow, 1)),
    ...(fast > slow ? [line(`a day at ${fast} polls, each with ${CHANGES} changes`, day(fast, fast))] : []),
  ]
}

function settingsFor(url: string): Record<string, string> {
  return {
    ...variablesFor('google', `${url}/google/bench`),
    ...variablesFor('microsoft', `${url}/microsoft/bench`),
  }
}

/** Told of changes, it is asked to heal what was not told: from each quarter of an hour to each six hours. */
const TOLD = [4, 96] as const
const POLLED = [96, MINUTES_A_DAY] as const

function google(url: string): Subject {
  const at = (start: number) => ({ dateTime: new Date(start).toISOString() })
  return suite('Google', `${url}/google/bench`, 'calendar_a', (start) => ({
    summary: 'Busy',
    start: at(start),
    end: at(start + 1_800_000),
  }))
}

function microsoft(url: string): Subject {
  const at = (start: number) => ({ dateTime: new Date(start).toISOString().slice(0, 19), timeZone: 'UTC' })
  return suite('Microsoft', `${url}/microsoft/bench`, 'calendar_b', (start) => ({
    subject: 'Busy',
    start: at(start),
    end: at(start + 1_800_000),
  }))
}

function suite(
  name: string,
  base: string,
  provider: 'calendar_a' | 'calendar_b',
  eventAt: (start: number) => Record<string, unknown>,
): Subject {
  let made = 0
  return {
    name,
    pollsADay: TOLD,
    async connect({ url }, key) {
      const headers = { Authorization: `Bearer ${key}` }
      const path = `/v1/calendars/${provider}/connect`
      const { url: page } = await sendJson<{ url: string }>({ method: 'GET', url: url + path, headers })
      await giveConsent(page, ACCOUNT, url)
      return newest(url, key)
    },
    async change(count) {
      const events = Array.from({ length: count }, () => eventAt(startOf(made++)))
      await fetch(`${base}/control/events?as=${ACCOUNT}`, {
        method: 'POST',
        body: JSON.stringify({ events }),
      })
    },
    async requests() {
      const { calls } = (await (await fetch(`${base}/control?as=${ACCOUNT}`)).json()) as { calls: unknown[] }
      return calls.length
    },
  }
}

function caldav(radicale: Radicale, counted: Counted): Subject {
  const { username, password } = Object.values(CALDAV_USERS)[0]!
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const calendar = `${radicale.url}/${encodeURIComponent(username)}/bench/`
  let made = 0
  const send = (method: string, url: string, body: string, type: string) =>
    fetch(url, { method, headers: { Authorization: authorization, 'Content-Type': type }, body })
  return {
    name: 'CalDAV',
    pollsADay: POLLED,
    async connect({ url }, key) {
      await sendJson({
        method: 'POST',
        url: `${url}/v1/calendars/caldav/connect`,
        headers: { Authorization: `Bearer ${key}` },
        body: {
          preset: 'custom',
          server_url: counted.url,
          username,
          password,
          calendar_url: calendar.replace(radicale.url, counted.url),
        },
      })
      return newest(url, key)
    },
    async change(count) {
      if (made === 0) await send('MKCALENDAR', calendar, '', 'text/plain')
      for (let at = 0; at < count; at++) {
        const uid = `event-${made}`
        await send('PUT', `${calendar}${uid}.ics`, icalendar(uid, startOf(made++)), 'text/calendar')
      }
    },
    requests: async () => counted.requests(),
  }
}

type Counted = { readonly url: string; requests(): number; stop(): Promise<void> }

/** Passes requests on to a server that counts none itself. */
async function countRequests(target: string): Promise<Counted> {
  let requests = 0
  const server = await startServer(async (request, response) => {
    requests += 1
    const { host: _host, connection: _connection, ...headers } = request.headers
    const body = await textOf(request)
    const answer = await fetch(target + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(body && { body }),
    })
    const told = [...answer.headers].filter(
      ([name]) => !/^(content-length|content-encoding|transfer-encoding|connection)$/.test(name),
    )
    response.writeHead(answer.status, Object.fromEntries(told))
    response.end(await answer.text())
  })
  return { ...server, requests: () => requests }
}

function startOf(index: number): number {
  return Math.ceil(Date.now() / DAY_MS) * DAY_MS + (index % 400) * (DAY_MS / 2)
}

function icalendar(uid: string, start: number): string {
  const at = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//bench//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${at(start)}`,
    `DTSTART:${at(start)}`,
    `DTEND:${at(start + 1_800_000)}`,
    'SUMMARY:Busy',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

async function newest(url: string, key: string): Promise<Connection> {
  const headers = { Authorization: `Bearer ${key}` }
  const { data } = await sendJson<{ data: Connection[] }>({
    method: 'GET',
    url: `${url}/v1/calendars?limit=1`,
    headers,
  })
  return data[0]!
}
