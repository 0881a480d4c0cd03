import type { Json } from '../world.ts'
import { ALONE, PEOPLE, STUDIO } from './people.ts'
import { type Calendly, put, type Resource, tell } from './state.ts'

const { ada, ben, cem, sol } = PEOPLE

const question = (position: number, name: string, type: string, more: Json = {}): Json => ({
  name,
  type,
  position,
  enabled: true,
  required: false,
  answer_choices: [],
  include_other: false,
  ...more,
})

/** Each type of question; one that is off, and two of one position, as in the documentation's example. */
export const QUESTIONS = [
  question(0, 'Company name', 'string', { required: true }),
  question(1, 'What would you like to discuss?', 'text'),
  question(2, 'Number of employees', 'single_select', {
    answer_choices: ['1', '2-10', '11-20', '20+'],
    include_other: true,
    required: true,
  }),
  question(2, 'Which topics?', 'multi_select', {
    answer_choices: ['Design', 'Print', 'Web'],
    include_other: true,
  }),
  question(4, 'Phone number', 'phone_number'),
  question(5, 'How did you find us?', 'single_select', { answer_choices: ['A friend', 'An advert'] }),
  question(6, 'No longer asked', 'string', { enabled: false, required: true }),
]

/** developer.calendly.com/api-docs (event type): `kind` is solo or group; who of a team hosts is `pooling_type`. */
const EVENT_TYPES: readonly (Json & { uuid: string; name: string })[] = [
  {
    uuid: 'INTROCALLINTROCA',
    name: 'Intro call',
    slug: 'intro-call',
    duration: 15,
    description_plain: 'A first call.\nNo strings attached.',
    description_html: '<p>A first call.</p><p>No strings <strong>attached</strong>.</p>',
    locations: [{ kind: 'outbound_call' }],
    custom_questions: QUESTIONS,
    before_buffer: 5,
    after_buffer: 10,
    start_time_increment: 15,
  },
  {
    uuid: 'b5c1d2e3-0001-4000-8000-000000000001',
    name: 'Consultation',
    slug: 'consultation',
    duration: 30,
    // The usual duration is among them, up to four.
    duration_options: [30, 45, 60, 90],
    locations: [
      {
        kind: 'physical',
        location: 'Studio, Torstraße 1, 10119 Berlin',
        additional_info: 'Second courtyard',
      },
      { kind: 'zoom_conference' },
      { kind: 'ask_invitee' },
      { kind: 'inbound_call', phone_number: '+49 30 1234567', additional_info: null },
    ],
    before_buffer: 0,
    after_buffer: 15,
  },
  {
    uuid: 'PAIDPAIDPAIDPAID',
    name: 'Portfolio review (paid)',
    slug: 'portfolio-review',
    duration: 50,
    is_paid: true,
    locations: [{ kind: 'google_conference' }],
  },
  {
    uuid: 'SECRETSECRETSECR',
    name: 'For clients only',
    slug: 'clients',
    duration: 25,
    secret: true,
    internal_note: 'Link is in the contract.',
    locations: [{ kind: 'custom', location: 'https://meet.example.com/ada' }],
  },
  {
    uuid: 'OFFOFFOFFOFFOFFO',
    name: 'Summer special',
    slug: 'summer-special',
    duration: 60,
    active: false,
    locations: null,
  },
  {
    uuid: 'GROUPGROUPGROUPG',
    name: 'Open workshop',
    slug: 'open-workshop',
    duration: 120,
    kind: 'group',
    kind_description: 'Group',
    locations: [{ kind: 'physical', location: 'Studio, Torstraße 1, 10119 Berlin', additional_info: null }],
  },
  {
    uuid: 'ADHOCADHOCADHOCA',
    name: 'Call with Ms Lovelace',
    slug: null,
    duration: 40,
    type: 'AdhocEventType',
    start_time_increment: null,
    locations: [{ kind: 'microsoft_teams_conference' }],
  },
  {
    uuid: 'b5c1d2e3-0002-4000-8000-000000000002',
    name: 'Sales call',
    slug: 'sales-call',
    duration: 30,
    pooling_type: 'round_robin',
    kind_description: 'Round Robin',
    profile: { type: 'Team', name: 'Sales', owner: '@teams/TEAMTEAMTEAMTEAM' },
    hosts: [ada.uuid, ben.uuid, cem.uuid],
    locations: [{ kind: 'webex_conference' }],
  },
  {
    uuid: 'b5c1d2e3-0003-4000-8000-000000000003',
    name: 'Kick-off with everybody',
    slug: 'kick-off',
    duration: 60,
    pooling_type: 'collective',
    kind_description: 'Collective',
    profile: { type: 'Team', name: 'Sales', owner: '@teams/TEAMTEAMTEAMTEAM' },
    hosts: [ada.uuid, ben.uuid, cem.uuid],
    locations: [{ kind: 'gotomeeting_conference' }],
  },
  {
    uuid: 'MULTIMULTIMULTIM',
    name: 'Pitch',
    slug: 'pitch',
    duration: 45,
    pooling_type: 'multi_pool',
    kind_description: 'Collective',
    profile: { type: 'Team', name: 'Sales', owner: '@teams/TEAMTEAMTEAMTEAM' },
    hosts: [ada.uuid, cem.uuid],
  },
  {
    uuid: 'MANAGEDMANAGEDMA',
    name: 'Support',
    slug: 'support',
    duration: 20,
    admin_managed: true,
    owner: ben,
    locations: [{ kind: 'inbound_call', phone_number: '+351 21 000 0000', additional_info: 'Ask for Ben' }],
  },
  // A poll is not booked as others are.
  {
    uuid: 'POLLPOLLPOLLPOLL',
    name: 'When do we meet?',
    slug: 'poll',
    duration: 30,
    booking_method: 'poll',
    owner: ben,
  },
  { uuid: 'CEMONECEMONECEMO', name: '15 Minute Meeting', slug: '15min', duration: 15, owner: cem },
  { uuid: 'SOLONESOLONESOLO', name: 'Lesson', slug: 'lesson', duration: 55, owner: sol, color: '#ff4f00' },
  {
    uuid: 'SOLTWOSOLTWOSOLT',
    name: 'Trial lesson',
    slug: 'trial',
    duration: 25,
    owner: sol,
    locations: [{ kind: 'ask_invitee' }],
  },
]

export function fillEventTypes(calendly: Calendly): void {
  const now = calendly.frame.now()
  EVENT_TYPES.forEach(({ uuid, owner = ada, ...told }, position) => {
    put(calendly, 'event_types', {
      uuid,
      uri: `@event_types/${uuid}`,
      active: true,
      booking_method: 'instant',
      scheduling_url: told.slug
        ? `https://calendly.com/${told.slug}`
        : `https://calendly.com/d/${uuid.slice(0, 4)}`,
      duration_options: null,
      kind: 'solo',
      pooling_type: null,
      type: 'StandardEventType',
      kind_description: 'One-on-One',
      color: '#8247f5',
      created_at: tell(now - (300 - position) * 86_400_000),
      updated_at: tell(now - 20 * 86_400_000),
      internal_note: null,
      description_plain: null,
      description_html: null,
      is_paid: false,
      profile: { type: 'User', name: owner.name, owner: `@users/${owner.uuid}` },
      secret: false,
      deleted_at: null,
      admin_managed: false,
      locations: null,
      custom_questions: [],
      position,
      locale: 'en',
      before_buffer: 0,
      after_buffer: 0,
      start_time_increment: 30,
      hosts: [owner.uuid],
      ...told,
      organization_of: owner === sol ? ALONE : STUDIO,
    } as Resource)
  })
}
