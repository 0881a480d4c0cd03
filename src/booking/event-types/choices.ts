import * as z from 'zod'
import { CURRENCIES } from '../../core/currencies.ts'
import { problem } from '../../platform/reasons/reason.ts'

export const AssignmentStrategy = z
  .enum(['none', 'round_robin', 'least_recent', 'least_bookings', 'availability_weighted'])
  .meta({
    id: 'AssignmentStrategy',
    description:
      'Among free hosts: `round_robin` takes turns, `least_recent` chooses the one booked longest ago, `least_bookings` the one with the fewest upcoming bookings, `availability_weighted` the one with the most time left, by weight. With `none` all of them take part.',
  })

export const BookingCapPeriod = z
  .enum(['daily', 'weekly', 'monthly', 'total'])
  .meta({ id: 'BookingCapPeriod', description: 'The period of a booking cap.' })

export const CalendarOutage = z.enum(['last_known', 'closed']).meta({
  id: 'CalendarOutage',
  description: 'The effect of a calendar that could not be read for an hour, or whose permission ended.',
})

export const HostChoice = z.enum(['none', 'optional', 'required']).meta({
  id: 'HostChoice',
  description:
    'Whether callers without a key can choose the host, or must. With a key it is always possible.',
})

export const HoursFrom = z.enum(['own', 'hosts']).meta({
  id: 'HoursFrom',
  description: "The hours that decide what is open: the event type's or the hosts'.",
})

/** The currencies of prices. */
export const PRICE_CURRENCIES: readonly string[] = [...CURRENCIES]

/** Also currencies that can no longer be charged. */
export const CurrencyCode = z.string().regex(/^[a-zA-Z]{3}$/, problem('not_a_currency'))

export const MeetingProvider = z
  .enum(['video_a', 'calendar_a_meet', 'calendar_b_meet', 'custom', 'in_person'])
  .meta({
    id: 'MeetingProvider',
    description:
      'Where bookings meet: `video_a` is Zoom, `calendar_a_meet` Google Meet and `calendar_b_meet` Microsoft Teams; `custom` is at `custom_meeting_url`, `in_person` at `location`.',
  })
