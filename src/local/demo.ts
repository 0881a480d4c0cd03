import type { Json } from './api.ts'

type Rule = { readonly day_of_week: number; readonly start_time: string; readonly end_time: string }
export type DemoEventType = Json & { readonly slug: string; readonly rules: readonly Rule[] }

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const WORKING_DAYS = [1, 2, 3, 4, 5]

function open(days: readonly number[], start_time: string, end_time: string): Rule[] {
  return days.map((day_of_week) => ({ day_of_week, start_time, end_time }))
}

export const DEMO_ORGANIZATION = {
  name: 'Demo Studio',
  owner_user_id: 'demo-owner',
  owner_email: 'owner@example.com',
  timezone: 'Europe/Berlin',
}

export const OWNER_NAME = 'Mara Lindt'

/** They host with the owner. */
export const COLLEAGUES = [
  { user_id: 'jonas', name: 'Jonas Weber' },
  { user_id: 'aylin', name: 'Aylin Kaya' },
] as const

export const INVITEES: readonly string[] = [
  'Ada Lovelace',
  'Emmy Noether',
  'Mary Somerville',
  'Sofia Kovalevskaya',
  'Chen Jingrun',
  'Katherine Johnson',
  'Alan Turing',
  'Maryam Mirzakhani',
  'Srinivasa Ramanujan',
  'Lise Meitner',
  'Grace Hopper',
  'Carl Gauss',
]

/** The hours of event types that have none of their own. */
export const DEMO_SCHEDULE = {
  name: 'Studio hours',
  timezone: DEMO_ORGANIZATION.timezone,
  is_default: true,
  rules: open(WORKING_DAYS, '09:00', '17:00'),
}

/** The first one is what `npm start` shows how to book, so it is open every day. */
export const DEMO_EVENT_TYPES: readonly DemoEventType[] = [
  {
    title: 'Intro call',
    slug: 'intro-call',
    description: 'Half an hour to get to know each other.',
    duration_minutes: 30,
    minimum_notice_minutes: 60,
    booking_page_enabled: true,
    rules: open(EVERY_DAY, '09:00', '17:00'),
  },
  {
    title: 'Working session',
    slug: 'working-session',
    description: 'An hour or two on one question, with a break afterwards.',
    duration_minutes: 60,
    duration_options: [60, 120],
    buffer_after_minutes: 15,
    assignment_strategy: 'round_robin',
    minimum_notice_minutes: 1440,
    booking_page_enabled: true,
    color: '#0f766e',
    rules: [...open(WORKING_DAYS, '09:00', '12:00'), ...open(WORKING_DAYS, '13:00', '17:00')],
  },
  {
    title: 'Group class',
    slug: 'group-class',
    description: 'An hour in the evening, for up to eight people.',
    duration_minutes: 60,
    max_attendees: 8,
    booking_page_enabled: true,
    color: '#b45309',
    rules: open([2, 4], '18:00', '19:00'),
  },
  {
    title: 'Project review',
    slug: 'project-review',
    description: 'We confirm each request within a week.',
    duration_minutes: 90,
    requires_approval: true,
    approval_ttl_minutes: 10_080,
    booking_page_enabled: true,
    color: '#7c3aed',
    rules: open([1, 3, 5], '10:00', '16:00'),
  },
]

export const PAID_EVENT_TYPE: DemoEventType = {
  title: 'Paid consultation',
  slug: 'consultation',
  description: 'An hour of advice, paid in advance.',
  duration_minutes: 60,
  price_amount: 6_000,
  price_currency: 'eur',
  booking_page_enabled: true,
  color: '#be123c',
  rules: open(WORKING_DAYS, '09:00', '17:00'),
}
