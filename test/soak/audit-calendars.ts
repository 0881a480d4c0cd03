import type { Ask } from '../support/storm/sound.ts'
import { type CalendarEvent, type Calendars, isOurs } from './calendars.ts'
import type { Caller, Json } from './caller.ts'
import type { Organization, World } from './kinds.ts'
import type { Ledger } from './ledger.ts'
import { startsOfDay } from './world.ts'

const DAY_MS = 86_400_000

/** The service asks each calendar what changed there. */
export async function syncAll(caller: Pick<Caller, 'must'>, { organizations }: World): Promise<void> {
  for (const { id: as, connectionId } of organizations) {
    await caller.must({ method: 'POST', path: `/v1/calendars/${connectionId}/sync`, body: {}, as })
  }
}

/**
 * When everything is written, each booking has its one event, a cancelled one has none, all other events are the host's, and
 * exactly the starts that are free here and there are offered.
 */
export async function auditCalendars(
  look: Ask,
  {
    caller,
    calendars,
  }: { readonly caller: Pick<Caller, 'must'>; readonly calendars: Pick<Calendars, 'eventsOf'> },
  { organizations }: World,
  ledger: Ledger,
): Promise<number> {
  let compared = 0
  for (const organization of organizations) {
    const bookings = await look(BOOKINGS, organization.calendarTypeId)
    const events = await calendars.eventsOf(organization.id)
    compareEvents(bookings, events, ledger)
    const taken = [
      ...events,
      ...bookings
        .filter(isLive)
        .map(({ start_time, end_time }) => ({ startsAt: start_time as number, endsAt: end_time as number })),
    ]
    await compareOffers(caller, organization, taken, ledger)
    compared += events.length
  }
  return compared
}

const BOOKINGS = `SELECT b.id, b.status, b.start_time, b.end_time, w.status AS written, w.is_moved, w.last_error FROM bookings b
  LEFT JOIN calendar_writes w ON w.holder_id = b.id WHERE b.event_type_id = ?`

const isLive = ({ status }: Json): boolean => status !== 'cancelled'

function compareEvents(bookings: readonly Json[], events: readonly CalendarEvent[], ledger: Ledger): void {
  const byUid = Map.groupBy(events.filter(isOurs), ({ uid }) => uid)
  for (const booking of bookings) {
    const uid = `${booking.id}@holdfast`
    const [event, ...others] = byUid.get(uid) ?? []
    byUid.delete(uid)
    if (others.length > 0) ledger.find('several events of one booking', booking, event, ...others)
    if (isLive(booking) && !event) ledger.find('a booking without its event', booking)
    if (!isLive(booking) && event) ledger.find('an event of a cancelled booking', booking, event)
    const isThere = event?.startsAt === booking.start_time || booking.is_moved === 1
    if (isLive(booking) && event && !isThere)
      ledger.find('an event at another time than its booking', booking, event)
  }
  for (const [uid, [event]] of byUid) ledger.find('an event of no booking', uid, event)
}

/** Everything that is taken begins and ends on the half hours. */
async function compareOffers(
  caller: Pick<Caller, 'must'>,
  { calendarTypeId }: Organization,
  taken: readonly Pick<CalendarEvent, 'startsAt' | 'endsAt'>[],
  ledger: Ledger,
): Promise<void> {
  const isBusy = (start: number) => taken.some(({ startsAt, endsAt }) => startsAt <= start && start < endsAt)
  const days = new Set(taken.map(({ startsAt }) => Math.floor(startsAt / DAY_MS)))
  for (const day of days) {
    const all = startsOfDay(day)
    if (all[0]! < Date.now() + DAY_MS) continue
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
    const query = `event_type_id=${calendarTypeId}&start=${date}&end=${date}&timezone=UTC`
    const { slots } = await caller.must({ method: 'GET', path: `/v1/availability?${query}` })
    const offered = slots.map(({ start_time }: Json) => Date.parse(start_time)).join()
    const free = all.filter((start) => !isBusy(start)).join()
    if (offered !== free) ledger.find('offers unlike the calendar', calendarTypeId, date, { offered, free })
  }
}
