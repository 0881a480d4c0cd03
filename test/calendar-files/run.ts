import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHoldfast } from '../calendar-servers/holdfast.ts'
import { installPackages } from '../calendar-servers/install-packages.ts'
import { type ReadEvent, readersIn } from './readers.ts'

// Whether programs that others wrote read the calendar files that the service sends: `npm run calendar-files`. They are Debian's,
// and are installed as root.

const PACKAGES = [
  ...['khal', 'vdirsyncer', 'ruby', 'ruby-icalendar', 'python3-icalendar', 'libical-dev', 'gcc'],
  ...['php-cli', 'php-sabre-vobject'],
]
if (!installPackages(PACKAGES)) {
  console.error(`Install ${PACKAGES.join(' ')} on Debian, as root.`)
  process.exit(1)
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FIRST = Math.floor(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS + 14 * HOUR_MS
const LOCATION = 'Saal 1; Haus B,\nHinterhof'
const NOTES = 'Line one\nLine two; with, all \\ signs "quoted" 🎉'
const TITLES = [
  'Tea, talk; and \\ more',
  '日本語の長い予約タイトル'.repeat(6),
  'موعد استشارة',
  'Emoji 👩‍👩‍👧 & <b>',
]

type File = {
  readonly what: string
  readonly content: string
  readonly expected: readonly ReadEvent[]
  readonly method: string
}

const iso = (instant: number) => new Date(instant).toISOString()

type Holdfast = Awaited<ReturnType<typeof openHoldfast>>
type Calls = Awaited<ReturnType<Holdfast['newOrganization']>>

/** Returns the files of the next emails that have any, from the sandbox's outbox. */
function filesAsSent({ as }: Calls): () => Promise<readonly string[]> {
  let sent = 0
  return async () => {
    for (let tries = 0; tries < 100; tries++) {
      const { status, body } = await as('GET', '/v1/test-data/outbox?limit=100')
      assert.equal(status, 200, JSON.stringify(body))
      const emails = body.data.filter(({ attachments }: any) => attachments?.length > 0)
      if (emails.length > sent) {
        const fresh = emails.slice(0, emails.length - sent)
        sent = emails.length
        return fresh.map(({ attachments }: any) => attachments[0].content as string)
      }
      await new Promise((done) => setTimeout(done, 250))
    }
    throw new Error('The emails did not come.')
  }
}

/** The files of emails about one booking each: booked, moved and cancelled. */
async function filesOfEmails(holdfast: Holdfast): Promise<File[]> {
  const files: File[] = []
  for (const [at, title] of TITLES.entries()) {
    const calls = await holdfast.newOrganization('test', { title, location: LOCATION })
    const { as, eventTypeId } = calls
    const next = filesAsSent(calls)
    const start = FIRST + at * HOUR_MS
    const booking = await as('POST', '/v1/bookings', {
      event_type_id: eventTypeId,
      start_time: iso(start),
      invitee_name: 'Ada "Ace" L, PhD; ’s',
      invitee_email: 'ada@example.org',
      notes: NOTES,
    })
    assert.equal(booking.status, 201, JSON.stringify(booking.body))
    const add = (
      what: string,
      contents: readonly string[],
      begins: number,
      sequence: number,
      isCancelled = false,
    ) => {
      const event = {
        uid: `${booking.body.id}@holdfast`,
        ...{ sequence, location: LOCATION, isCancelled },
        ...{ start: begins / 1000, end: (begins + HOUR_MS) / 1000 },
      }
      for (const content of contents)
        files.push({
          what: `${what}: ${title}`,
          content,
          expected: [event],
          method: isCancelled ? 'CANCEL' : 'REQUEST',
        })
    }
    add('booked', await next(), start, 0)
    const path = `/v1/bookings/${booking.body.id}`
    const moved = start + DAY_MS
    await as('POST', `${path}/reschedule`, { new_start_time: iso(moved) })
    add('moved', await next(), moved, 1)
    await as('POST', `${path}/cancel`)
    add('cancelled', await next(), moved, 2, true)
  }
  return files
}

/** The files of emails about a series, where each booking is an event of its own: booked, one of it moved, and cancelled. */
async function filesOfSeries(holdfast: Holdfast): Promise<File[]> {
  const title = TITLES[1]!
  const calls = await holdfast.newOrganization('test', { title, location: LOCATION })
  const { as, eventTypeId } = calls
  const next = filesAsSent(calls)
  const starts = [0, 7, 14].map((days) => FIRST + days * DAY_MS)
  const series = await as('POST', '/v1/series', {
    event_type_id: eventTypeId,
    starts: starts.map(iso),
    invitee_name: 'Ada "Ace" L, PhD; ’s',
    invitee_email: 'ada@example.org',
    notes: NOTES,
  })
  assert.equal(series.status, 201, JSON.stringify(series.body))
  const ids: string[] = series.body.bookings.map(({ id }: { id: string }) => id)
  const event = (at: number, sequence: number, isCancelled: boolean): ReadEvent => ({
    uid: `${ids[at]}@holdfast`,
    ...{ sequence, location: LOCATION, isCancelled },
    ...{ start: starts[at]! / 1000, end: (starts[at]! + HOUR_MS) / 1000 },
  })
  const files: File[] = []
  const add = async (what: string, method: string, expected: readonly ReadEvent[]) => {
    for (const content of await next()) files.push({ what, content, expected, method })
  }
  await add('series booked', 'PUBLISH', [event(0, 0, false), event(1, 0, false), event(2, 0, false)])
  starts[1]! += DAY_MS
  await as('POST', `/v1/bookings/${ids[1]}/reschedule`, { new_start_time: iso(starts[1]!) })
  await add('one of a series moved', 'REQUEST', [event(1, 1, false)])
  await as('POST', `/v1/series/${series.body.id}/cancel`)
  await add('series cancelled', 'PUBLISH', [event(0, 1, true), event(1, 2, true), event(2, 1, true)])
  return files
}

/** A feed with a booking that stays and one that was cancelled. */
async function fileOfFeed(holdfast: Holdfast): Promise<File> {
  const { as, eventTypeId } = await holdfast.newOrganization('live', {
    title: TITLES[0]!,
    location: LOCATION,
  })
  const expected: ReadEvent[] = []
  for (const at of [0, 1, 2]) {
    const start = FIRST + at * 2 * HOUR_MS
    const { body } = await as('POST', '/v1/bookings', {
      event_type_id: eventTypeId,
      ...{ start_time: iso(start), invitee_name: 'Zoë', invitee_email: 'zoe@example.org', notes: NOTES },
    })
    if (at === 2) await as('POST', `/v1/bookings/${body.id}/cancel`)
    expected.push({
      uid: `${body.id}@holdfast`,
      ...{ start: start / 1000, end: start / 1000 + 3_600, location: LOCATION, isCancelled: at === 2 },
    })
  }
  const { body } = await as('POST', '/v1/calendar-feeds', {})
  const { pathname } = new URL(body.url)
  const content = await (await fetch(new URL(pathname, holdfast.url))).text()
  return { what: 'feed', content, expected, method: '' }
}

function compare(read: readonly ReadEvent[], expected: readonly ReadEvent[]): void {
  const byUid = (events: readonly ReadEvent[]) => events.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))
  const [theirs, ours] = [byUid(read), byUid(expected)]
  assert.deepEqual(
    theirs.map(({ uid }) => uid),
    ours.map(({ uid }) => uid),
  )
  for (const [at, event] of theirs.entries()) {
    for (const [name, value] of Object.entries(ours[at]!))
      if (name in event) assert.deepEqual((event as Record<string, unknown>)[name], value, name)
    if (event.description !== undefined) assert.ok(event.description.includes(NOTES), event.description)
    if (event.summary !== undefined)
      assert.ok(
        TITLES.some((title) => event.summary!.includes(title)),
        event.summary,
      )
  }
}

const directory = mkdtempSync(join(tmpdir(), 'calendar-files-'))
const holdfast = await openHoldfast()
let failures = 0
try {
  const files = [
    ...(await filesOfEmails(holdfast)),
    ...(await filesOfSeries(holdfast)),
    await fileOfFeed(holdfast),
  ]
  for (const { name, read } of readersIn(directory)) {
    for (const { what, content, expected, method } of files) {
      try {
        const { events, method: told } = read(content)
        if (told !== undefined) assert.equal(told, method, 'method')
        compare(events, expected)
      } catch (error) {
        failures += 1
        console.log(`${name} reads this otherwise, ${what}: ${(error as Error).message}`)
      }
    }
    console.log(`${name}: ${files.length} files read.`)
  }
} finally {
  await holdfast.close()
  rmSync(directory, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
