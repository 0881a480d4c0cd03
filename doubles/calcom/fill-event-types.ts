import type { Json } from '../world.ts'
import { ASKED, USUAL } from './fields.ts'
import { PEOPLE, TEAM } from './people.ts'
import { type Cal, put, type Stored } from './state.ts'

const { ada, ben, cem, sol } = PEOPLE
const OFF = { disabled: true }

type Planned = Json & { id: number; title: string; slug: string; lengthInMinutes: number }

const ofTeam = (schedulingType: string, people: readonly { id: number }[], more: Json = {}): Json => ({
  ownerId: null,
  teamId: TEAM.id,
  schedulingType,
  _hosts: people.map(({ id }) => id),
  assignAllTeamMembers: false,
  parentEventTypeId: null,
  ...more,
})

const EVENT_TYPES: readonly Planned[] = [
  {
    id: 1,
    title: 'Intro call',
    slug: 'intro-call',
    lengthInMinutes: 15,
    description: 'A **first** call.\n\nNo strings attached.',
    locations: [{ type: 'attendeePhone' }],
    bookingFields: [...USUAL, ...ASKED],
    beforeEventBuffer: 5,
    afterEventBuffer: 10,
    minimumBookingNotice: 240,
    slotInterval: 30,
    bookingWindow: { type: 'businessDays', value: 10, rolling: true },
    bookingLimitsCount: { day: 4, week: 12 },
  },
  {
    id: 2,
    title: 'Consultation',
    slug: 'consultation',
    lengthInMinutes: 30,
    lengthInMinutesOptions: [15, 30, 60],
    locations: [
      { type: 'address', address: 'Torstraße 1, 10119 Berlin', public: true },
      { type: 'link', link: 'https://meet.example.com/ada', public: false },
      { type: 'integration', integration: 'zoom' },
      { type: 'phone', phone: '+49301234567', public: true },
      { type: 'attendeeAddress' },
      { type: 'attendeeDefined' },
      { type: 'unknown', location: '{"type":"integrations:some_app_video"}' },
    ],
    bookingFields: [
      ...USUAL,
      { isDefault: true, type: 'radioInput', slug: 'location', required: false, hidden: false },
    ],
    bookingWindow: { type: 'calendarDays', value: 60, rolling: false },
    bookingLimitsDuration: { week: 300 },
    customName: '{Event type title} with {Scheduler}',
  },
  {
    id: 3,
    title: 'Portfolio review',
    slug: 'portfolio-review',
    lengthInMinutes: 50,
    // Cents.
    price: 12_050,
    currency: 'eur',
    confirmationPolicy: { type: 'always', blockUnconfirmedBookingsInBooker: true },
  },
  {
    id: 4,
    title: 'Yoga class',
    slug: 'yoga',
    lengthInMinutes: 60,
    seatsPerTimeSlot: 12,
    seatsShowAvailabilityCount: true,
    seats: { seatsPerTimeSlot: 12, showAttendeeInfo: true, showAvailabilityCount: true },
    bookingWindow: { type: 'range', value: ['2026-01-01', '2031-12-31'] },
  },
  {
    id: 5,
    title: 'Support group',
    slug: 'support-group',
    lengthInMinutes: 90,
    seatsPerTimeSlot: 6,
    seatsShowAvailabilityCount: false,
    seats: { seatsPerTimeSlot: 6, showAttendeeInfo: false, showAvailabilityCount: false },
  },
  {
    id: 6,
    title: 'Coaching, weekly',
    slug: 'coaching',
    lengthInMinutes: 45,
    scheduleId: 1010,
    recurrence: { interval: 1, occurrences: 4, frequency: 'weekly' },
  },
  {
    id: 7,
    title: 'For clients only',
    slug: 'clients',
    lengthInMinutes: 25,
    hidden: true,
    confirmationPolicy: {
      type: 'time',
      noticeThreshold: { unit: 'hours', count: 12 },
      blockUnconfirmedBookingsInBooker: false,
    },
    offsetStart: 5,
    bookingFields: [
      {
        isDefault: true,
        type: 'splitName',
        slug: 'splitName',
        firstNameLabel: 'First name',
        lastNameLabel: 'Last name',
        lastNameRequired: false,
      },
      ...USUAL.slice(1),
    ],
  },
  {
    id: 10,
    title: 'Sales call',
    slug: 'sales-call',
    lengthInMinutes: 30,
    ...ofTeam('roundRobin', [ada, ben, cem]),
  },
  {
    id: 11,
    title: 'Kick-off with everybody',
    slug: 'kick-off',
    lengthInMinutes: 60,
    locations: [{ type: 'organizersDefaultApp' }],
    ...ofTeam('collective', [ada, ben, cem], { assignAllTeamMembers: true }),
  },
  // A template; each of its members has a copy.
  { id: 12, title: 'Support', slug: 'support', lengthInMinutes: 20, ...ofTeam('managed', [ben, cem]) },
  { id: 13, title: 'Support', slug: 'support', lengthInMinutes: 20, _owner: ben, parentEventTypeId: 12 },
  { id: 14, title: 'Support', slug: 'support', lengthInMinutes: 20, _owner: cem, parentEventTypeId: 12 },
  {
    id: 20,
    title: 'Lesson',
    slug: 'lesson',
    lengthInMinutes: 55,
    _owner: sol,
    locations: [{ type: 'integration', integration: 'google-meet' }],
  },
  { id: 21, title: '15 Min Meeting', slug: '15min', lengthInMinutes: 15, _owner: sol },
]

export function fillEventTypes(cal: Cal): void {
  for (const { _owner = ada, _hosts = [], ...told } of EVENT_TYPES) {
    const user = cal.records.users.get(_owner.id)!
    put(cal, 'event_types', {
      ownerId: _owner.id,
      description: '',
      locations: [{ type: 'integration', integration: 'cal-video' }],
      bookingFields: USUAL,
      disableGuests: false,
      slotInterval: null,
      minimumBookingNotice: 120,
      beforeEventBuffer: 0,
      afterEventBuffer: 0,
      recurrence: null,
      metadata: {},
      price: 0,
      currency: 'usd',
      lockTimeZoneToggleOnBookingPage: false,
      seatsPerTimeSlot: null,
      forwardParamsSuccessRedirect: true,
      successRedirectUrl: null,
      isInstantEvent: false,
      seatsShowAvailabilityCount: null,
      // Null is the default one of the owner.
      scheduleId: null,
      bookingLimitsCount: OFF,
      onlyShowFirstAvailableSlot: false,
      bookingLimitsDuration: OFF,
      bookingWindow: OFF,
      confirmationPolicy: OFF,
      requiresBookerEmailVerification: false,
      hideCalendarNotes: false,
      color: { lightThemeHex: '#292929', darkThemeHex: '#fafafa' },
      seats: OFF,
      offsetStart: 0,
      customName: '{Event type title} between {Organiser} and {Scheduler}',
      useDestinationCalendarEmail: true,
      hideCalendarEventDetails: false,
      hidden: false,
      bookingRequiresAuthentication: false,
      ...told,
      ...(told.teamId === TEAM.id
        ? { hosts: hostsOf(cal, _hosts), team: { id: TEAM.id, slug: TEAM.slug, name: TEAM.name } }
        : { users: [usersOf(user)] }),
    } as Stored)
  }
}

function hostsOf(cal: Cal, ids: readonly number[]): Json[] {
  return ids.map((id, at) => {
    const { name, username } = cal.records.users.get(id)!
    return {
      userId: id,
      mandatory: at === 0,
      priority: at === 0 ? 'high' : 'medium',
      name,
      username,
      avatarUrl: null,
    }
  })
}

function usersOf({ id, name, username, weekStart }: Stored): Json {
  return {
    id,
    name,
    username,
    avatarUrl: null,
    weekStart,
    brandColor: null,
    darkBrandColor: null,
    metadata: {},
  }
}
