import { instantAt, wallAt } from '../wall-clock.ts'
import { accountOf, addCalendar, findPlace } from './accounts.ts'
import { makeEventId } from './make-ids.ts'
import type { State } from './state.ts'
import { storeEvent } from './store-event.ts'

/** The people on the consent page while nobody else was named. */
export const pretendAccounts = [
  { mail: 'ada.berger@example.com', name: 'Ada Berger' },
  { mail: 'sam.rivers@gmail.com', name: 'Sam Rivers' },
] as const

const day = 86_400_000

/** Two people with a week before them, for who looks at the double for the first time. */
export function addPretendAccounts(state: State): void {
  for (const { mail } of pretendAccounts) {
    const account = accountOf(state, mail)
    const family = addCalendar(state, account, { name: 'Family' })
    addCalendar(state, account, { name: 'Holidays in Germany', kind: 'holidays' })
    const zone = state.settings.timeZone
    const today = Math.floor(wallAt(zone, state.frame.now()) / day) * day
    const at = (days: number, hour: number) => ({
      dateTime: new Date(instantAt(zone, today + days * day + hour * 3_600_000)).toISOString(),
      timeZone: zone,
    })
    const date = (days: number) => ({ date: new Date(today + days * day).toISOString().slice(0, 10) })
    const add = (calendarId: string, summary: string, start: object, end: object, more: object = {}) => {
      const { calendar } = findPlace(state, account, calendarId)!
      const id = makeEventId()
      storeEvent(state, calendar, {
        id,
        status: 'confirmed',
        created: new Date(Math.floor(state.frame.now() / 1000) * 1000).toISOString(),
        summary,
        creator: { email: mail },
        organizer: { email: calendar.id },
        start,
        end,
        iCalUID: `${id}@google.com`,
        sequence: 0,
        reminders: { useDefault: true },
        eventType: 'default',
        ...more,
      })
    }
    add(mail, 'Team meeting', at(1, 10), at(1, 11), { recurrence: ['RRULE:FREQ=WEEKLY'] })
    add(mail, 'Dentist', at(2, 14), at(2, 15))
    add(mail, 'Lunch with Kim', at(3, 12), at(3, 13))
    add(mail, 'Anniversary', date(5), date(6), { transparency: 'transparent' })
    add(family.id, 'Parents’ evening', at(4, 18), at(4, 20))
  }
}
