import { expect, inject, it } from 'vitest'
import { openCaldavAccount } from '../../src/calendars/caldav/caldav-account.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'
import { CALDAV_USERS, deleteResource, putCalendar, putEvent } from '../support/caldav.ts'
import { amount } from '../support/chance.ts'

const COUNT = amount(500, 5_000)
const QUARTER_MS = 900_000
const START = Date.UTC(2026, 2, 1)
const WINDOW = { start: START, end: START + 400 * 96 * QUARTER_MS }

function stampAt(quarter: number): string {
  return new Date(START + quarter * QUARTER_MS).toISOString().replace(/[-:]|\.\d+/g, '')
}

it('A calendar of thousands of events is read whole once, and from then on only what changed', async () => {
  const { mary } = CALDAV_USERS
  const url = `${inject('radicale')}/mary/thousands/`
  const events = Array.from({ length: COUNT }, (_, at) =>
    [
      'BEGIN:VEVENT',
      `UID:n${at}`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART:${stampAt(at)}`,
      'DURATION:PT10M',
      'END:VEVENT',
    ].join('\r\n'),
  )
  await putCalendar(
    url,
    mary,
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...events, 'END:VCALENDAR', ''].join('\r\n'),
  )
  let requests = 0
  const client = openCaldavAccount({
    fetch: (target, init) => {
      requests++
      return fetch(target, init)
    },
    serverUrl: inject('radicale'),
    signIn: new SignIn({ ...mary, scheme: 'basic' }),
    ownerAddresses: [],
    fallbackZone: 'UTC',
    mayReach: () => true,
  }).openCalendar({ calendarId: url, timezone: null })
  const first = await client.listChanges(WINDOW, { cursor: null, etags: async () => new Map() })
  expect([first.changed.length, first.unclear.count, first.isComplete]).toEqual([COUNT, 0, true])
  expect(requests).toBe(4 + COUNT / 100)

  const changed = first.changed.find(({ uid }) => uid === 'n400')!
  const name = decodeURIComponent(changed.id.split('/').at(-1)!)
  await deleteResource(`${url}${name}`, mary)
  await putEvent(url, mary, 'new', `DTSTART:${stampAt(COUNT)}`, 'DURATION:PT10M')
  requests = 0
  const next = await client.listChanges(WINDOW, { cursor: first.cursor, etags: async () => new Map() })
  expect([next.isComplete, next.changed.map(({ uid }) => uid), next.gone]).toEqual([
    false,
    ['new'],
    [changed.id],
  ])
  expect(requests).toBe(2)
  const day = { start: START, end: START + 96 * QUARTER_MS }
  expect(await client.listEvents(day)).toHaveLength(96)
}, 300_000)
