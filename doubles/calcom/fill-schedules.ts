import type { Json } from '../world.ts'
import { PEOPLE } from './people.ts'
import { type Cal, put } from './state.ts'

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

const hours = (days: readonly string[], startTime: string, endTime: string): Json => ({
  days,
  startTime,
  endTime,
})

/** cal.com/docs/api-reference/v2/schedules/get-all-schedules */
export function fillSchedules(cal: Cal): void {
  const dateIn = (days: number) => new Date(cal.frame.now() + days * 86_400_000).toISOString().slice(0, 10)
  const add = (id: number, { id: ownerId, timeZone }: (typeof PEOPLE)[keyof typeof PEOPLE], more: Json) =>
    put(cal, 'schedules', {
      id,
      ownerId,
      name: 'Working Hours',
      timeZone,
      availability: [hours(WEEK, '09:00', '17:00')],
      isDefault: true,
      overrides: [],
      ...more,
    })
  add(1000, PEOPLE.ada, {
    availability: [
      hours(['Monday', 'Tuesday', 'Wednesday', 'Thursday'], '09:00', '12:00'),
      hours(['Monday', 'Tuesday', 'Wednesday', 'Thursday'], '13:00', '17:00'),
      hours(['Friday'], '09:00', '12:00'),
    ],
    overrides: [
      // Off all day is a time without length; two times of one date are two overrides.
      { date: dateIn(9), startTime: '00:00', endTime: '00:00' },
      { date: dateIn(10), startTime: '10:00', endTime: '11:30' },
      { date: dateIn(10), startTime: '15:00', endTime: '16:00' },
      { date: dateIn(-40), startTime: '08:00', endTime: '10:00' },
    ],
  })
  add(1010, PEOPLE.ada, {
    name: 'Evenings',
    timeZone: 'Europe/London',
    isDefault: false,
    // There is no 24:00; days end in their last minute.
    availability: [hours(['Tuesday', 'Saturday'], '20:00', '23:59')],
  })
  add(1001, PEOPLE.ben, { availability: [hours(WEEK, '08:30', '16:30')] })
  add(1002, PEOPLE.cem, {})
  add(1003, PEOPLE.sol, { availability: [hours([...WEEK, 'Sunday'], '10:00', '18:00')] })
}
