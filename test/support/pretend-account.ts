import type { AccountClient } from '../../src/calendars/client/account-client.ts'
import type { CalendarClient } from '../../src/calendars/client/calendar-client.ts'
import type { Interval } from '../../src/core/interval.ts'
import { CalendarError } from '../../src/platform/icalendar/calendar-error.ts'
import { ALL_CLEAR } from '../../src/platform/icalendar/unclear-events.ts'

type Stored = { uid: string; etag: string; time: Interval; isFree?: boolean }

/** An account in memory whose events keep their id wherever its owner drags them, with what the owner does there. */
export function pretendAccount(...ids: readonly string[]) {
  const calendars = new Map(ids.map((id) => [id, new Map<string, Stored>()]))
  const silent = new Set<string>()
  let version = 0
  const etag = () => `v${++version}`
  const external = (id: string, { uid, etag, time, isFree }: Stored) => {
    return { id, uid, etag, time, busy: isFree ? [] : [time] }
  }

  function eventsOf(calendarId: string): Map<string, Stored> {
    const events = calendars.get(calendarId)
    if (silent.has(calendarId)) throw new CalendarError('unavailable', 'The calendar did not answer.')
    if (!events) throw new CalendarError('absent', 'There is no such calendar.')
    return events
  }

  function openCalendar({ calendarId }: { readonly calendarId: string }): CalendarClient {
    const all = () => [...eventsOf(calendarId)].map(([id, stored]) => external(id, stored))
    return {
      listChanges: async () => ({
        changed: all(),
        gone: [],
        isComplete: true,
        cursor: null,
        unclear: ALL_CLEAR,
      }),
      listEvents: async () => all(),
      findEvent: async (id) => all().find((event) => event.id === id) ?? null,
      writeEvent: async ({ uid, start, end }, known) => {
        const events = eventsOf(calendarId)
        const there = known && events.get(known.id)
        if (known && (!there || (known.etag !== null && known.etag !== there.etag))) {
          throw new CalendarError('changed', 'The event is not as it was.')
        }
        const id = known?.id ?? uid
        const stored = { uid, etag: etag(), time: { start, end } }
        events.set(id, stored)
        return { id, etag: stored.etag, meetingUrl: null }
      },
      removeEvent: async (id) => void eventsOf(calendarId).delete(id),
    }
  }

  const client: AccountClient = {
    identify: async () => ({ email: 'ada@example.com' }),
    listCalendars: async () => [],
    openCalendar,
    findAnywhere: async ({ calendarId, eventId }) => {
      const order = [calendarId, ...[...calendars.keys()].filter((id) => id !== calendarId)]
      for (const id of order.filter((each) => calendars.has(each))) {
        const stored = eventsOf(id).get(eventId)
        if (stored) return { calendarId: id, event: external(eventId, stored) }
      }
      return null
    },
    push: null,
  }

  return {
    client,
    silent,
    /** What is in a calendar: when it begins, by id. */
    startsIn: (calendarId: string) => [...calendars.get(calendarId)!.values()].map(({ time }) => time.start),
    drag: (id: string, from: string, to: string) => {
      const stored = calendars.get(from)!.get(id)!
      calendars.get(from)!.delete(id)
      calendars.get(to)!.set(id, { ...stored, etag: etag() })
    },
    moveBy: (id: string, calendarId: string, ms: number) => {
      const stored = calendars.get(calendarId)!.get(id)!
      const time = { start: stored.time.start + ms, end: stored.time.end + ms }
      calendars.get(calendarId)!.set(id, { ...stored, etag: etag(), time })
    },
    /** Gives an event another time, as if it was drawn there; `isFree` is how it is shown. */
    stretch: (id: string, calendarId: string, time: Interval, { isFree }: { isFree: boolean }) => {
      const stored = calendars.get(calendarId)!.get(id)!
      calendars.get(calendarId)!.set(id, { ...stored, etag: etag(), time, isFree })
    },
    take: (id: string, calendarId: string) => {
      const stored = calendars.get(calendarId)!.get(id)!
      calendars.get(calendarId)!.delete(id)
      return () => void calendars.get(calendarId)!.set(id, stored)
    },
  }
}
