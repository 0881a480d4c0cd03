import type { Json } from '../world.ts'
import type { PEOPLE } from './people.ts'

export type Plan = {
  uid: string
  /** Null where it was deleted since. */
  eventType: { id: number; slug: string } | null
  title: string
  /** Days from today, and the time on Berlin's clocks. */
  day: number
  at: string
  minutes: number
  host?: keyof typeof PEOPLE | null
  others?: readonly (keyof typeof PEOPLE)[]
  attendees: readonly Json[]
  more?: Json
}

export const attendee = (name: string, more: Json = {}): Json => {
  const email = `${name.toLowerCase().replace(/ /g, '.')}@example.net`
  return {
    name,
    email,
    displayEmail: email,
    timeZone: 'Europe/Berlin',
    language: 'en',
    absent: false,
    ...more,
  }
}

const seat = (name: string, seatUid: string, answers: Json = {}): Json => ({
  ...attendee(name),
  seatUid,
  // Without the address.
  bookingFieldsResponses: { name, ...answers },
  metadata: {},
})

const INTRO = { id: 1, slug: 'intro-call' }
const CONSULTATION = { id: 2, slug: 'consultation' }
const YOGA = { id: 4, slug: 'yoga' }
const COACHING = { id: 6, slug: 'coaching' }

const coaching = (week: number, more: Json = {}): Plan => ({
  uid: `uidCoaching${week}`,
  eventType: COACHING,
  title: 'Coaching, weekly between Ada Berger and Grace Hopper',
  day: 6 + week * 7,
  at: '20:15',
  minutes: 45,
  attendees: [attendee('Grace Hopper')],
  more: { recurringBookingUid: 'uidOfTheSeries', ...more },
})

/** What is booked at the studio and with Sol. */
export const PLANS: readonly Plan[] = [
  {
    uid: 'uidIntro',
    eventType: INTRO,
    title: 'Intro call between Ada Berger and Grace Hopper',
    day: 12,
    at: '09:00',
    minutes: 15,
    attendees: [
      attendee('Grace Hopper', { timeZone: 'America/New_York', phoneNumber: '+12025550123' }),
      attendee('A Friend', { name: '', email: 'friend@example.net', displayEmail: 'friend@example.net' }),
    ],
    more: {
      guests: ['friend@example.net'],
      location: '+12025550123',
      bookingFieldsResponses: {
        name: 'Grace Hopper',
        email: 'grace.hopper@example.net',
        guests: ['friend@example.net'],
        location: { value: 'phone', optionValue: '+12025550123' },
        company: 'Navy',
        employees: '11-20',
        topics: ['Design', 'Web'],
        terms: true,
        seats: 3,
        notes: 'Compilers,\nand bugs',
        removed: 'The question is no longer there',
      },
    },
  },
  {
    uid: 'uidSplitName',
    eventType: { id: 7, slug: 'clients' },
    title: 'For clients only between Ada Berger and Alan Turing',
    day: 5,
    at: '14:05',
    minutes: 25,
    attendees: [attendee('Alan Turing', { absent: false })],
    more: {
      bookingFieldsResponses: {
        name: { firstName: 'Alan', lastName: 'Turing' },
        email: 'alan.turing@example.net',
      },
    },
  },
  {
    uid: 'uidPending',
    eventType: { id: 3, slug: 'portfolio-review' },
    title: 'Portfolio review between Ada Berger and Hedy Lamarr',
    day: 9,
    at: '16:00',
    minutes: 50,
    attendees: [attendee('Hedy Lamarr')],
    more: { status: 'pending' },
  },
  {
    uid: 'uidRejected',
    eventType: { id: 3, slug: 'portfolio-review' },
    title: 'Portfolio review between Ada Berger and Anita Borg',
    day: 10,
    at: '16:00',
    minutes: 50,
    attendees: [attendee('Anita Borg')],
    more: { status: 'rejected' },
  },
  {
    uid: 'uidCancelled',
    eventType: CONSULTATION,
    title: 'Consultation between Ada Berger and Barbara Liskov',
    day: 6,
    at: '10:00',
    minutes: 60,
    attendees: [attendee('Barbara Liskov')],
    more: { status: 'cancelled', cancellationReason: 'Ill', cancelledByEmail: 'barbara.liskov@example.net' },
  },
  {
    uid: 'uidMovedFrom',
    eventType: CONSULTATION,
    title: 'Consultation between Ada Berger and Donald Knuth',
    day: 3,
    at: '10:00',
    minutes: 30,
    attendees: [attendee('Donald Knuth')],
    more: {
      status: 'cancelled',
      rescheduledToUid: 'uidMovedTo',
      rescheduledByEmail: 'donald.knuth@example.net',
    },
  },
  {
    uid: 'uidMovedTo',
    eventType: CONSULTATION,
    title: 'Consultation between Ada Berger and Donald Knuth',
    day: 8,
    at: '11:00',
    minutes: 30,
    attendees: [attendee('Donald Knuth', { timeZone: 'America/Los_Angeles' })],
    more: { rescheduledFromUid: 'uidMovedFrom', reschedulingReason: 'Train', location: 'integrations:zoom' },
  },
  {
    uid: 'uidCollective',
    eventType: { id: 11, slug: 'kick-off' },
    title: 'Kick-off with everybody between Berger Studio and Margaret Hamilton',
    day: 7,
    at: '15:00',
    minutes: 60,
    others: ['ben', 'cem'],
    attendees: [attendee('Margaret Hamilton')],
  },
  {
    uid: 'uidRoundRobin',
    eventType: { id: 10, slug: 'sales-call' },
    title: 'Sales call between Ben Okafor and Radia Perlman',
    day: 4,
    at: '12:30',
    minutes: 30,
    host: 'ben',
    attendees: [attendee('Radia Perlman', { timeZone: 'America/Phoenix' })],
  },
  {
    uid: 'uidSeats',
    eventType: YOGA,
    title: 'Yoga class',
    day: 5,
    at: '18:00',
    minutes: 60,
    attendees: [seat('Niklaus Wirth', 'seat-1'), seat('Ken Thompson', 'seat-2', { notes: 'Beginner' })],
    more: { _isSeated: true },
  },
  {
    uid: 'uidHiddenSeats',
    eventType: { id: 5, slug: 'support-group' },
    title: 'Support group',
    day: 11,
    at: '18:00',
    minutes: 90,
    attendees: [seat('Frances Allen', 'seat-3'), seat('John Backus', 'seat-4')],
    more: { _isSeated: true },
  },
  coaching(0),
  coaching(1, { status: 'cancelled', cancellationReason: 'Holiday' }),
  coaching(2),
  coaching(3),
  {
    uid: 'uidOrphan',
    eventType: null,
    title: 'Old format',
    day: 11,
    at: '09:30',
    minutes: 30,
    attendees: [attendee('John McCarthy')],
  },
  // The host deleted their account.
  {
    uid: 'uidUnknownHost',
    eventType: { id: 10, slug: 'sales-call' },
    title: 'Sales call',
    day: 13,
    at: '12:00',
    minutes: 30,
    host: null,
    attendees: [attendee('Edsger Dijkstra')],
  },
  // Ada is somebody else's attendee.
  {
    uid: 'uidElsewhere',
    eventType: { id: 9999, slug: 'elsewhere' },
    title: 'Elsewhere between Somebody and Ada Berger',
    day: 12,
    at: '09:00',
    minutes: 45,
    host: null,
    attendees: [
      attendee('Ada Berger', { email: 'ada.berger@example.com', displayEmail: 'ada.berger@example.com' }),
    ],
    more: {
      hosts: [
        {
          id: 777,
          name: 'Somebody',
          email: 'somebody@example.org',
          displayEmail: 'somebody@example.org',
          username: 'somebody',
          timeZone: 'Europe/Paris',
        },
      ],
    },
  },
  {
    uid: 'uidPast',
    eventType: INTRO,
    title: 'Intro call between Ada Berger and Ada Lovelace',
    day: -3,
    at: '09:00',
    minutes: 15,
    attendees: [attendee('Ada Lovelace', { absent: true })],
  },
  {
    uid: 'uidManaged',
    eventType: { id: 14, slug: 'support' },
    title: 'Support between cem and Mary Shaw',
    day: 6,
    at: '18:00',
    minutes: 20,
    host: 'cem',
    attendees: [attendee('Mary Shaw')],
  },
  {
    uid: 'uidLesson',
    eventType: { id: 20, slug: 'lesson' },
    title: 'Lesson between Sol Marín and Rózsa Péter',
    day: 6,
    at: '06:00',
    minutes: 55,
    host: 'sol',
    attendees: [
      attendee('Rózsa Péter', {
        email: 'rozsa@example.net',
        displayEmail: 'rozsa@example.net',
        timeZone: 'Europe/Budapest',
        language: 'hu',
      }),
    ],
  },
]
