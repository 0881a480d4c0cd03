import type { Json } from '../world.ts'
import { PEOPLE } from './people.ts'
import { type Calendly, put } from './state.ts'

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

type Hours = readonly (readonly [from: string, to: string])[]

/** Seven rules for the days of a week, also for days without hours; rules for dates are among them. */
function rules(week: Readonly<Record<string, Hours>>, dates: Readonly<Record<string, Hours>> = {}): Json[] {
  const told = (hours: Hours) => hours.map(([from, to]) => ({ from, to }))
  return [
    ...DAYS.map((wday) => ({ type: 'wday', intervals: told(week[wday] ?? []), wday })),
    ...Object.entries(dates).map(([date, hours]) => ({ type: 'date', intervals: told(hours), date })),
  ]
}

const workdays = (...hours: Hours) =>
  Object.fromEntries(DAYS.slice(1, 6).map((wday) => [wday, hours])) as Record<string, Hours>

/** developer.calendly.com/api-docs (user availability schedule, availability rule) */
export function fillSchedules(calendly: Calendly): void {
  const dateIn = (days: number) =>
    new Date(calendly.frame.now() + days * 86_400_000).toISOString().slice(0, 10)
  const add = (uuid: string, who: keyof typeof PEOPLE, told: Json) => {
    const user = PEOPLE[who].uuid
    const { timezone } = PEOPLE[who]
    const uri = `@user_availability_schedules/${uuid}`
    put(calendly, 'user_availability_schedules', {
      uuid,
      uri,
      default: false,
      user: `@users/${user}`,
      timezone,
      ...told,
      hosts: [user],
    } as never)
  }
  add('ADAHOURSADAHOURS', 'ada', {
    default: true,
    name: 'Working Hours',
    rules: rules(
      { ...workdays(['09:00', '12:00'], ['13:00', '17:00']), friday: [['09:00', '12:00']] },
      // Off on one date, other hours on two, one of them a day that has none.
      { [dateIn(9)]: [], [dateIn(10)]: [['10:00', '11:30']], [dateIn(20)]: [['18:00', '21:00']] },
    ),
  })
  add('ADAEVENINGSADAEV', 'ada', {
    name: 'Evenings',
    timezone: 'Europe/London',
    // The end of a day is written so.
    rules: rules({ tuesday: [['20:00', '24:00']], thursday: [['20:00', '23:45']] }),
  })
  add('BENHOURSBENHOURS', 'ben', {
    default: true,
    name: 'Working Hours',
    rules: rules(workdays(['08:30', '16:30'])),
  })
  add('CEMHOURSCEMHOURS', 'cem', {
    default: true,
    name: 'Working hours',
    rules: rules({ ...workdays(['09:00', '17:00']), saturday: [['10:00', '10:30']] }),
  })
  add('SOLHOURSSOLHOURS', 'sol', {
    default: true,
    name: 'Working hours',
    rules: rules(workdays(['10:00', '18:00'])),
  })
}
