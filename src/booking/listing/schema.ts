import * as z from 'zod'
import { RefundRule } from '../../money/payments/schema.ts'
import { ResourceId, Timestamp, WholeNumberText } from '../../platform/http/fields.ts'
import { Branding } from '../branding/schema.ts'
import { HostChoice, MeetingProvider } from '../event-types/choices.ts'
import { HostsToChoose } from '../event-types/schema.ts'
import { Place } from '../places/schema.ts'
import { Question } from '../questions/schema.ts'

const PageSlug = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/)
  .meta({ example: 'intro-call' })

export const ListingParams = z.object({ orgSlug: PageSlug })
export const ListingQuery = z.object({
  limit: WholeNumberText(1, 100).prefault('100').describe('How many event types to return.'),
  starting_after: z
    .string()
    .transform((id) => id.toLowerCase())
    .optional()
    .describe('The id of the last event type seen: the page after it.'),
})
export const EventPageParams = z.object({ orgSlug: PageSlug, eventSlug: PageSlug })

const listed = {
  id: ResourceId,
  title: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  duration_minutes: z.int(),
  color: z.string(),
  price_amount: z.int().nullable(),
  price_currency: z.string(),
  conferencing_provider: MeetingProvider.nullable(),
  location: z.string().nullable(),
  group: z.string().nullable().describe('Its heading.'),
  requires_approval: z.boolean().describe('Bookings are requests until a member approves them.'),
}

const LISTED_EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  title: 'Intro call',
  slug: 'intro-call',
  description: null,
  duration_minutes: 30,
  color: '#3b82f6',
  price_amount: null,
  price_currency: 'usd',
  conferencing_provider: null,
  location: null,
  group: null,
  requires_approval: false,
}
const BRANDING_EXAMPLE = {
  logo_url: null,
  logo_alt_text: null,
  logo_dark_url: null,
  accent_color: null,
  remove_branding: false,
  listing_page_enabled: true,
  imprint_url: null,
  privacy_url: null,
}

const UnavailablePage = z
  .object({ available: z.literal(false), branding: Branding })
  .meta({ id: 'UnavailablePage', description: 'A page without anything to book now.' })

export const ListedEventType = z
  .object(listed)
  .meta({ id: 'ListedEventType', description: 'An event type in a listing.', example: LISTED_EXAMPLE })
export type ListedEventType = z.output<typeof ListedEventType>

const planLimit = z
  .literal(true)
  .optional()
  .describe(
    "Present when the plan's bookings of this UTC month are used up: nothing can be booked until it ends.",
  )

const AvailableListingPage = z
  .object({
    available: z.literal(true),
    org_name: z.string(),
    org_slug: z.string(),
    event_types: z.array(ListedEventType),
    has_more: z.boolean().describe('Whether there are more after the last one.'),
    branding: Branding,
    plan_limit: planLimit,
  })
  .meta({ id: 'AvailableListingPage', description: 'The event types of an organization, in its order.' })

export const ListingPage = z.discriminatedUnion('available', [AvailableListingPage, UnavailablePage]).meta({
  id: 'ListingPage',
  description:
    'A page of the event types of an organization, in its order; unavailable while it is suspended.',
  example: {
    available: true,
    org_name: 'Acme Coaching',
    org_slug: 'acme-coaching',
    event_types: [LISTED_EXAMPLE],
    has_more: false,
    branding: BRANDING_EXAMPLE,
  },
})
export type ListingPage = z.output<typeof ListingPage>

export const PageEventType = z
  .object({
    ...listed,
    places: z
      .array(Place)
      .describe('The places to choose from; empty if `conferencing_provider` and `location` decide.'),
    timezone: z.string(),
    duration_options: z.array(z.int()).nullable(),
    max_attendees: z.int(),
    max_guests: z.int(),
    series_max: z.int(),
    waitlist_enabled: z.boolean(),
    waitlist_max: z.int(),
    waitlist_ttl_days: z.int(),
    refund_policy: z.array(RefundRule),
    cancel_notice_minutes: z.int(),
    reschedule_notice_minutes: z.int(),
    verify_email: z.boolean(),
    text_reminders: z
      .boolean()
      .optional()
      .describe('Whether invitees with `sms_consent` get text messages; left out if not.'),
    questions: z.array(Question),
    host_choice: HostChoice,
    hosts: HostsToChoose,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'PageEventType', description: 'An event type on its booking page.' })
export type PageEventType = z.output<typeof PageEventType>

const AvailableEventPage = z
  .object({
    available: z.literal(true),
    org_slug: z.string(),
    event_type: PageEventType,
    branding: Branding,
    plan_limit: planLimit,
  })
  .meta({ id: 'AvailableEventPage', description: 'An event type that can be booked.' })

export const EventPage = z.discriminatedUnion('available', [AvailableEventPage, UnavailablePage]).meta({
  id: 'EventPage',
  description:
    'One event type; unavailable while it is inactive, its page is disabled or its organization is suspended.',
  example: {
    available: true,
    org_slug: 'acme-coaching',
    event_type: {
      ...LISTED_EXAMPLE,
      places: [],
      timezone: 'Europe/Berlin',
      duration_options: null,
      max_attendees: 1,
      max_guests: 3,
      series_max: 0,
      waitlist_enabled: false,
      waitlist_max: 50,
      waitlist_ttl_days: 7,
      refund_policy: [],
      cancel_notice_minutes: 0,
      reschedule_notice_minutes: 0,
      verify_email: false,
      questions: [],
      host_choice: 'none',
      created_at: '2026-03-01T09:00:00.000Z',
      updated_at: '2026-03-01T09:00:00.000Z',
    },
    branding: BRANDING_EXAMPLE,
  },
})
export type EventPage = z.output<typeof EventPage>
