import type { Json } from '../world.ts'
import { LOCATIONS } from './fill-locations.ts'
import type { PEOPLE } from './people.ts'

export type Invited = Json & { email: string; name: string }

export type Plan = {
  uuid: string
  eventType: string | null
  name: string
  /** Days from today, and the time on Berlin's clocks. */
  day: number
  at: string
  minutes: number
  hosts?: readonly (keyof typeof PEOPLE)[]
  invitees: readonly Invited[]
  event?: Json
}

export const person = (name: string, more: Json = {}): Invited => ({
  name,
  email: `${name.toLowerCase().replace(/ /g, '.')}@example.net`,
  ...more,
})

const canceled = (by: string, type: 'host' | 'invitee', reason: string | null): Json => ({
  status: 'canceled',
  cancellation: { canceled_by: by, reason, canceler_type: type },
})

const answer = (position: number, question: string, text: string): Json => ({
  answer: text,
  position,
  question,
})

/** What is booked at the studio and with Sol; in the order of booking, which is not that of the starts. */
export const PLANS: readonly Plan[] = [
  {
    uuid: 'e0000000-0000-4000-8000-000000000001',
    eventType: 'INTROCALLINTROCA',
    name: 'Intro call',
    day: 12,
    at: '09:00',
    minutes: 15,
    event: { location: LOCATIONS.outbound },
    invitees: [
      person('Grace Hopper', {
        first_name: 'Grace',
        last_name: 'Hopper',
        timezone: 'America/New_York',
        text_reminder_number: '+1 202-555-0123',
        questions_and_answers: [
          answer(0, 'Company name', 'Navy'),
          answer(1, 'What would you like to discuss?', 'Compilers,\nand bugs'),
          // The answer beside the choices, and several choices in lines.
          answer(2, 'Number of employees', 'about 300000'),
          answer(3, 'Which topics?', 'Design\nWeb\nKnots'),
          answer(4, 'Phone number', '+1 202-555-0123'),
          answer(5, 'A question that is no longer there', 'Yes'),
        ],
        tracking: { utm_source: 'newsletter' },
      }),
    ],
  },
  {
    uuid: 'GROUPEVENTGROUPE',
    eventType: 'GROUPGROUPGROUPG',
    name: 'Open workshop',
    day: 5,
    at: '14:00',
    minutes: 120,
    event: {
      location: LOCATIONS.physical,
      limit: 8,
      event_guests: ['friend@example.net', 'other@example.net'],
    },
    invitees: [
      person('Alan Turing'),
      person('Ada Lovelace', canceled('Ada Lovelace', 'invitee', 'Ill')),
      person('Edsger Dijkstra', { timezone: 'Europe/Amsterdam' }),
    ],
  },
  {
    uuid: 'CANCELEDEVENTCAN',
    eventType: 'b5c1d2e3-0001-4000-8000-000000000001',
    name: 'Consultation',
    day: 6,
    at: '10:00',
    minutes: 45,
    event: { location: LOCATIONS.asked, ...canceled('Ada Berger', 'host', 'Trip') },
    invitees: [person('Barbara Liskov', canceled('Ada Berger', 'host', 'Trip'))],
  },
  {
    uuid: 'MOVEDFROMMOVEDFR',
    eventType: 'b5c1d2e3-0001-4000-8000-000000000001',
    name: 'Consultation',
    day: 3,
    at: '10:00',
    minutes: 30,
    event: { location: LOCATIONS.zoom, ...canceled('Donald Knuth', 'invitee', null) },
    invitees: [
      person('Donald Knuth', {
        ...canceled('Donald Knuth', 'invitee', null),
        rescheduled: true,
        new_invitee: '@scheduled_events/MOVEDTOMOVEDTOMO/invitees/MOVEDTOMOVEDTOMO-1',
      }),
    ],
  },
  {
    uuid: 'MOVEDTOMOVEDTOMO',
    eventType: 'b5c1d2e3-0001-4000-8000-000000000001',
    name: 'Consultation',
    day: 8,
    at: '11:00',
    minutes: 90,
    event: { location: LOCATIONS.zoom },
    invitees: [
      person('Donald Knuth', {
        old_invitee: '@scheduled_events/MOVEDFROMMOVEDFR/invitees/MOVEDFROMMOVEDFR-1',
        timezone: 'America/Los_Angeles',
      }),
    ],
  },
  {
    uuid: 'COLLECTIVECOLLEC',
    eventType: 'b5c1d2e3-0003-4000-8000-000000000003',
    name: 'Kick-off with everybody',
    day: 7,
    at: '15:00',
    minutes: 60,
    hosts: ['ada', 'ben', 'cem'],
    event: { location: LOCATIONS.gotomeeting },
    invitees: [person('Margaret Hamilton')],
  },
  {
    uuid: 'ROUNDROBINROUNDR',
    eventType: 'b5c1d2e3-0002-4000-8000-000000000002',
    name: 'Sales call',
    day: 4,
    at: '12:30',
    minutes: 30,
    hosts: ['ben'],
    event: { location: LOCATIONS.processing },
    invitees: [person('Radia Perlman', { timezone: 'America/Phoenix' })],
  },
  {
    uuid: 'PAIDEVENTPAIDEVE',
    eventType: 'PAIDPAIDPAIDPAID',
    name: 'Portfolio review (paid)',
    day: 9,
    at: '16:00',
    minutes: 50,
    event: { location: LOCATIONS.google },
    invitees: [
      person('Hedy Lamarr', {
        payment: {
          external_id: 'ch_double',
          provider: 'stripe',
          amount: 120.5,
          currency: 'EUR',
          terms: null,
          successful: true,
        },
        reconfirmation: { created_at: '2026-01-02T03:04:05.678123Z', confirmed_at: null },
      }),
    ],
  },
  {
    uuid: 'ADHOCEVENTADHOCE',
    eventType: 'ADHOCADHOCADHOCA',
    name: 'Call with Ms Lovelace',
    day: 10,
    at: '13:00',
    minutes: 40,
    event: { location: LOCATIONS.teams, calendar_event: null },
    invitees: [person('Mary Lovelace')],
  },
  // Its event type was deleted since: the reference leads nowhere.
  {
    uuid: 'ORPHANORPHANORPH',
    eventType: 'DELETEDDELETEDDE',
    name: 'Old format',
    day: 11,
    at: '09:30',
    minutes: 30,
    event: { location: LOCATIONS.custom },
    invitees: [person('John McCarthy')],
  },
  // At the time of another: a calendar does not keep its owner from that.
  {
    uuid: 'OVERLAPOVERLAPOV',
    eventType: 'SECRETSECRETSECR',
    name: 'For clients only',
    day: 12,
    at: '09:05',
    minutes: 25,
    event: {
      location: null,
      meeting_notes_plain: 'Bring the contract',
      meeting_notes_html: '<p>Bring the contract</p>',
    },
    invitees: [person('Anita Borg')],
  },
  {
    uuid: 'PASTEVENTPASTEVE',
    eventType: 'INTROCALLINTROCA',
    name: 'Intro call',
    day: -3,
    at: '09:00',
    minutes: 15,
    event: { location: LOCATIONS.outbound },
    invitees: [
      person('Niklaus Wirth', {
        no_show: { uri: '@invitee_no_shows/NOSHOW', created_at: '2026-01-02T03:04:05.678123Z' },
      }),
    ],
  },
  {
    uuid: 'CEMEVENTCEMEVENT',
    eventType: 'CEMONECEMONECEMO',
    name: '15 Minute Meeting',
    day: 6,
    at: '18:00',
    minutes: 15,
    hosts: ['cem'],
    invitees: [person('Ken Thompson')],
  },
  {
    uuid: 'SOLEVENTSOLEVENT',
    eventType: 'SOLONESOLONESOLO',
    name: 'Lesson',
    day: 6,
    at: '06:00',
    minutes: 55,
    hosts: ['sol'],
    invitees: [person('Rózsa Péter', { email: 'rozsa@example.net', timezone: 'Europe/Budapest' })],
  },
]
