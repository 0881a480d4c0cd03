import { describe, expect, inject, it } from 'vitest'
import { openCaldavAccount } from '../../src/calendars/caldav/caldav-account.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'
import { CALDAV_USERS, makeCalendar, putEvent } from '../support/caldav.ts'

const HOUR_MS = 3_600_000
/** Radicale 3.1.8 finds an event by its start alone if its DURATION has whole days only; 3.7.8 does not (its changelog). */
const KINDS = [
  ['a day', ['DTSTART:20260302T100000Z', 'DURATION:P1D'], [2, 12], [3, 9]],
  ['three days', ['DTSTART:20260302T100000Z', 'DURATION:P3D'], [4, 12], [5, 9]],
  ['three dates', ['DTSTART;VALUE=DATE:20260302', 'DURATION:P3D'], [4, 15], [4, 23]],
  ['two weeks', ['DTSTART:20260302T100000Z', 'DURATION:P2W'], [10, 12], [16, 9]],
  ['ten months', ['DTSTART:20250601T100000Z', 'DURATION:P300D'], [4, 12], [16, 9]],
  ['48 hours', ['DTSTART:20260302T100000Z', 'DURATION:PT48H'], [4, 8], [4, 9]],
  [
    'three days of each week',
    ['DTSTART:20260202T100000Z', 'DURATION:P3D', 'RRULE:FREQ=WEEKLY'],
    [4, 12],
    [5, 9],
  ],
] as const

describe('A question about one hour finds an event that began days before, of', () => {
  it.each(KINDS)('%s', async (name, lines, ...hours) => {
    const { grace } = CALDAV_USERS
    const url = await makeCalendar(inject('radicale'), grace, `whole-${name.replaceAll(' ', '-')}`)
    await putEvent(url, grace, 'long', ...lines)
    const client = openCaldavAccount({
      fetch: (target, init) => fetch(target, init),
      serverUrl: inject('radicale'),
      signIn: new SignIn({ ...grace, scheme: 'basic' }),
      ownerAddresses: [],
      fallbackZone: 'UTC',
      mayReach: () => true,
    }).openCalendar({ calendarId: url, timezone: null })
    for (const [day, hour] of hours) {
      const start = Date.UTC(2026, 2, day, hour)
      const found = await client.listEvents({ start, end: start + HOUR_MS })
      expect(found.map(({ uid }) => uid)).toEqual(['long'])
    }
    const after = Date.UTC(2026, 4, 1, 8)
    expect(await client.listEvents({ start: after, end: after + HOUR_MS })).toEqual([])
  })
})
