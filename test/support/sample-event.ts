import type { CalendarEvent } from '../../src/platform/icalendar/calendar-event.ts'

const HOUR_MS = 3_600_000

/** A booking as it is written into a calendar: an hour that begins at `start`. */
export function sampleEvent(start: number, change: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    uid: `${crypto.randomUUID()}@holdfast.test`,
    sequence: 0,
    start,
    end: start + HOUR_MS,
    stamp: start - 24 * HOUR_MS,
    summary: 'Intro call with Ada',
    description: 'Notes: bring <the> plans & "papers"',
    location: null,
    url: null,
    organizer: { name: 'Acme', email: 'owner@example.com' },
    attendees: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
    wantsMeeting: false,
    ...change,
  }
}
