import assert from 'node:assert/strict'
import { type Account, calendarOf, DAY_MS, HOUR_MS, NOTHING, SLOT, WINDOW } from './account.ts'
import type { Server } from './servers.ts'

const YEARS_AGO = SLOT - 728 * DAY_MS
const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
const date = (at: number) => stamp(at).slice(0, 8)
const timed = [`DTSTART:${stamp(YEARS_AGO)}`, `DTEND:${stamp(YEARS_AGO + HOUR_MS)}`]

/** Events of which one time is the hour of the tests, and the first one is two years before. */
const SERIES: Readonly<Record<string, readonly string[]>> = {
  weekly: [...timed, 'RRULE:FREQ=WEEKLY'],
  'by duration': [timed[0]!, 'DURATION:PT1H', 'RRULE:FREQ=DAILY'],
  'all day': [`DTSTART;VALUE=DATE:${date(YEARS_AGO)}`, 'RRULE:FREQ=WEEKLY'],
  floating: [`DTSTART:${stamp(YEARS_AGO).slice(0, -1)}`, 'DURATION:PT4H', 'RRULE:FREQ=DAILY'],
  'until later': [...timed, `RRULE:FREQ=DAILY;UNTIL=${stamp(SLOT + DAY_MS)}`],
  'by dates': [...timed, `RDATE:${stamp(SLOT)}`],
  long: [timed[0]!, `DTEND:${stamp(SLOT + HOUR_MS)}`],
  'changed into it': [
    ...timed,
    'RRULE:FREQ=WEEKLY;COUNT=3',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:changed into it',
    'DTSTAMP:20260101T000000Z',
    `RECURRENCE-ID:${stamp(YEARS_AGO + 7 * DAY_MS)}`,
    `DTSTART:${stamp(SLOT)}`,
    `DTEND:${stamp(SLOT + HOUR_MS)}`,
  ],
}

export async function checkSeries(_: Server, account: Account): Promise<string | undefined> {
  const url = await account.newCalendar()
  const taken: string[] = []
  for (const [name, lines] of Object.entries(SERIES)) {
    const { status } = await account.dav(
      'PUT',
      `${url}${encodeURIComponent(name)}.ics`,
      calendarOf(name, ...lines),
    )
    if (status < 300) taken.push(name)
  }
  const range = { start: SLOT, end: SLOT + HOUR_MS }
  const found = await account.open(url).listEvents(range)
  const all = await account.open(url).listChanges(WINDOW, NOTHING)
  const missing = (events: typeof found) =>
    taken.filter(
      (name) =>
        !events.some(
          ({ uid, busy }) => uid === name && busy.some(({ start, end }) => start <= SLOT && end > SLOT),
        ),
    )
  assert.deepEqual([missing(found), missing(all.changed)], [[], []])
  return taken.length === Object.keys(SERIES).length
    ? undefined
    : `${taken.length} of ${Object.keys(SERIES).length}`
}
