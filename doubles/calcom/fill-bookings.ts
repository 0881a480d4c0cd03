import { instantAt } from '../wall-clock.ts'
import { PEOPLE } from './people.ts'
import { attendee, PLANS, type Plan } from './plan-bookings.ts'
import { hostOf } from './show-bookings.ts'
import { type Cal, listed, put, type Stored } from './state.ts'

const HOUR = 3_600_000
const UNKNOWN = {
  id: 'unknown',
  name: 'unknown',
  email: 'unknown',
  displayEmail: 'unknown',
  username: 'unknown',
}

export function fillBookings(cal: Cal): void {
  for (const plan of PLANS) book(cal, plan)
}

/** Many more with Sol, for pages. */
export function bookMany(cal: Cal, count: number): void {
  for (let at = 0; at < count; at++)
    book(cal, {
      uid: `uidMany${at}`,
      eventType: { id: 21, slug: '15min' },
      title: '15 Min Meeting',
      day: 30 + Math.floor(at / 20),
      at: `${String(6 + Math.floor((at % 20) / 2)).padStart(2, '0')}:${at % 2 ? '30' : '00'}`,
      minutes: 15,
      host: 'sol',
      attendees: [attendee(`Attendee ${at}`)],
    })
}

function book(cal: Cal, plan: Plan): void {
  const now = cal.frame.now()
  const [hour, minute] = plan.at.split(':').map(Number)
  const midnight = Math.floor(now / (24 * HOUR)) * 24 * HOUR
  const start = instantAt('Europe/Berlin', midnight + (plan.day * 24 + hour!) * HOUR + minute! * 60_000)
  const { host = 'ada' } = plan
  const user = host === null ? null : cal.records.users.get(PEOPLE[host].id)!
  const [first] = plan.attendees
  const { _isSeated: isSeated = false, ...more } = plan.more ?? {}
  const id = 3000 + listed(cal, 'bookings').length
  const location = 'https://app.cal.com/video/'.concat(plan.uid)
  put(cal, 'bookings', {
    id,
    uid: plan.uid,
    title: plan.title,
    description: '',
    hosts: [user ? hostOf(user) : UNKNOWN],
    status: 'accepted',
    start: new Date(start).toISOString(),
    end: new Date(start + plan.minutes * 60_000).toISOString(),
    duration: plan.minutes,
    eventType: plan.eventType,
    eventTypeId: plan.eventType?.id ?? null,
    location,
    meetingUrl: more.location ?? location,
    absentHost: false,
    createdAt: new Date(now - (4000 - id) * 60_000).toISOString(),
    updatedAt: null,
    metadata: {},
    rating: null,
    icsUid: `${plan.uid}@Cal.com`,
    attendees: plan.attendees,
    ...(!isSeated && {
      guests: [],
      bookingFieldsResponses: { name: first!.name, email: first!.email, guests: [] },
    }),
    ...more,
    _hostId: user?.id ?? null,
    _otherHosts: (plan.others ?? []).map((short) => PEOPLE[short].id),
  } as Stored)
}
