import type { Json } from '../world.ts'
import { accountOf, addCalendar, defaultCalendar } from './accounts.ts'
import type { Account, State } from './state.ts'
import { createEvent } from './write-event.ts'

const at = (state: State, days: number, hour: number, minute = 0): string => {
  const date = new Date(state.frame.now() + days * 86_400_000).toISOString().slice(0, 10)
  return `${date}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00`
}

function put(state: State, account: Account, calendar: string | null, event: Json): void {
  const found = account.calendars.find(({ name }) => name === calendar) ?? defaultCalendar(account)
  createEvent(state, account, found, event)
}

const zone = 'W. Europe Standard Time'
const hours = (state: State, days: number, from: [number, number], to: [number, number]) => ({
  start: { dateTime: at(state, days, ...from), timeZone: zone },
  end: { dateTime: at(state, days, ...to), timeZone: zone },
})

/** Accounts in every world, for people who click through the pages: two people and an administrator. */
export function addPretendAccounts(state: State): void {
  const work = accountOf(state, 'mara.lindqvist@contoso.example')
  addCalendar(work, { name: 'Birthdays', canWrite: false })
  addCalendar(work, { name: 'Office hours' })
  put(state, work, null, {
    subject: 'Quarterly review',
    ...hours(state, 1, [9, 30], [11, 0]),
    showAs: 'busy',
  })
  put(state, work, null, {
    subject: 'Lunch with Jonas',
    ...hours(state, 2, [12, 0], [13, 0]),
    showAs: 'tentative',
  })
  const start = at(state, 0, 14)
  const day = new Date(`${start.slice(0, 10)}T00:00:00Z`)
    .toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    .toLowerCase()
  put(state, work, 'Office hours', {
    subject: 'Open door',
    ...hours(state, 0, [14, 0], [15, 0]),
    showAs: 'workingElsewhere',
    recurrence: {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: [day] },
      range: { type: 'noEnd', startDate: start.slice(0, 10) },
    },
  })
  const personal = accountOf(state, 'mara.lindqvist@outlook.example')
  addCalendar(personal, { name: 'United States holidays', canWrite: false })
  put(state, personal, null, { subject: 'Dentist', ...hours(state, 3, [8, 0], [8, 45]) })
  put(state, personal, null, {
    subject: 'Away',
    isAllDay: true,
    showAs: 'oof',
    start: { dateTime: at(state, 6, 0), timeZone: zone },
    end: { dateTime: at(state, 8, 0), timeZone: zone },
  })
  accountOf(state, 'it@contoso.example').settings.isAdministrator = true
}
