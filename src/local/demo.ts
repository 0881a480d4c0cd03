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
    minimum_notice_minutes: 1440,
    booking_page_enabled: true,
    color: '#0f766e',
    rules: [...open(WORKING_DAYS, '09:00', '12:00'), ...open(WORKING_DAYS, '13:00', '17:00')],
  },
]
