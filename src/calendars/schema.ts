import * as z from 'zod'
import { Id, OneLine, ResourceId, Timestamp } from '../platform/http/fields.ts'
import { pageOf } from '../platform/http/page-schema.ts'
import { problem } from '../platform/reasons/reason.ts'

const CALDAV_PRESETS = [
  'caldav_preset_a',
  'caldav_preset_b',
  'caldav_preset_c',
  'caldav_preset_d',
  'custom',
] as const
export type CaldavPreset = (typeof CALDAV_PRESETS)[number]

const Blocks = z.enum(['busy', 'all_events']).meta({
  id: 'CalendarBlocks',
  description:
    'The events that block time: `busy` are those not marked free; `all_events` also those, such as public holidays. Cancelled and declined events never do, nor working locations and birthdays of Google.',
})

/** A calendar that examples of the OpenAPI document show. */
export const CALENDAR_EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c47',
  account_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c48',
  provider: 'caldav' as const,
  calendar_id: 'https://caldav.example.com/ada/work/',
  name: 'Work',
  owner: null,
  account_email: 'ada@example.com',
  member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
  resource_id: null,
  member_name: 'ada@example.com',
  checks_busy: true,
  blocks: 'busy' as const,
  everybody: false,
  receives_bookings: true,
  connected_at: '2026-03-01T09:00:00.000Z',
  status: 'active' as const,
  last_sync_at: '2026-03-01T09:00:00.000Z',
  sync_status: 'connected' as const,
  sync_error: null,
  upcoming_booking_count: 3,
  provider_metadata: {
    preset: 'custom' as const,
    server_url: 'https://caldav.example.com/',
    auth_method: 'basic' as const,
    calendar_url: 'https://caldav.example.com/ada/work/',
  },
}

export const ConnectionStatus = z
  .enum(['active', 'expired', 'revoked', 'error'])
  .meta({ id: 'ConnectionStatus', description: 'Whether an account can be used.' })

export const CalendarProvider = z.enum(['caldav', 'calendar_a', 'calendar_b', 'ics']).meta({
  id: 'CalendarProvider',
  description: '`caldav`, `calendar_a` (Google), `calendar_b` (Microsoft 365), or `ics`: a read-only feed.',
})

export const Owner = z.string().nullable().describe('The address of its owner, if that is somebody else.')

export const CalendarConnection = z
  .object({
    id: ResourceId,
    account_id: ResourceId.describe('Its account: see `/v1/calendars/accounts`.'),
    provider: CalendarProvider,
    calendar_id: z.string(),
    name: z.string(),
    owner: Owner,
    account_email: z.string(),
    member_id: ResourceId.nullable().describe('Null if it is the feed of a resource.'),
    resource_id: ResourceId.nullable().describe('The room or equipment whose time its events block.'),
    member_name: z.string(),
    checks_busy: z.boolean().describe('Whether its events block time.'),
    blocks: Blocks,
    everybody: z
      .boolean()
      .describe('Whether its events close every host and every event type, like time off of everybody.'),
    receives_bookings: z
      .boolean()
      .describe("Whether its member's bookings are written to it: one calendar at most of each member."),
    connected_at: Timestamp,
    status: ConnectionStatus.describe(
      '`expired` and `revoked` calendars are synced again once they are reconnected.',
    ),
    last_sync_at: Timestamp.nullable().describe('When its events were last read.'),
    sync_status: z.enum(['connected', 'syncing', 'error']),
    sync_error: z.string().nullable(),
    upcoming_booking_count: z.int(),
    provider_metadata: z.object({
      preset: z.enum([...CALDAV_PRESETS, 'calendar_a', 'calendar_b', 'ics']),
      server_url: z.string(),
      auth_method: z
        .enum(['basic', 'digest', 'oauth2', 'none'])
        .describe('How the account signs in; `none` if the server does not ask.'),
      calendar_url: z.string(),
    }),
  })
  .meta({
    id: 'CalendarConnection',
    description: "A member's calendar: its events block time, and bookings are written to it.",
    example: CALENDAR_EXAMPLE,
  })
export type CalendarConnection = z.output<typeof CalendarConnection>

export const CalendarConnectionPage = pageOf(CalendarConnection, 'CalendarConnectionPage')

export const ConnectCaldavInput = z
  .object({
    // An unknown one is a `bad_request`, so the schema names the list and does not enforce it.
    preset: z
      .string()
      .min(1)
      .max(64)
      .meta({ enum: CALDAV_PRESETS })
      .describe(
        '`caldav_preset_a` is iCloud, `caldav_preset_b` Fastmail and `caldav_preset_d` Yahoo; `caldav_preset_c`, which is Nextcloud, and `custom` need `server_url`.',
      ),
    username: z.string().min(1).max(255),
    password: z
      .string()
      .min(1)
      .max(1024)
      .describe('An app password if the provider has those. It is never shown.'),
    server_url: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .meta({ format: 'uri' })
      .describe(
        'The server, or any address on it that you know. The address of a calendar connects that calendar.',
      ),
    calendar_url: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .meta({ format: 'uri' })
      .describe(
        'Which calendar of the account; the default one if left out. Unknown calendars are rejected.',
      ),
    member_id: Id.optional().describe(
      'The member of the calendar. Default: the owner; for members below admin themselves, and nobody else is allowed.',
    ),
  })
  .meta({
    id: 'ConnectCaldavInput',
    description: 'A CalDAV account.',
    example: {
      preset: 'custom',
      username: 'ada@example.com',
      password: 'an-app-password',
      server_url: 'https://caldav.example.com/',
    },
  })
export type ConnectCaldavInput = z.output<typeof ConnectCaldavInput>

const Everybody = z.boolean().optional()

export const ConnectIcsInput = z
  .object({
    url: z
      .string()
      .min(1)
      .max(2048)
      .meta({ format: 'uri' })
      .describe('An https or webcal address. Only its host is shown afterwards.'),
    member_id: Id.optional().describe(
      'The member of the calendar. Default: the owner; for members below admin themselves, and nobody else is allowed.',
    ),
    resource_id: Id.optional().describe(
      'Instead of a member, the room or equipment whose time the events block: for admins. Default: none.',
    ),
    name: OneLine(200).optional().describe("The name. Default: the feed's own."),
    blocks: Blocks.optional().describe('The events that block time. Default: `busy`.'),
    everybody: Everybody.describe(
      'Whether its events close every host and every event type, such as a feed of public holidays with `blocks: all_events`: for admins. Default: false.',
    ),
  })
  .refine(({ resource_id, everybody }) => resource_id === undefined || !everybody, {
    path: ['everybody'],
    error: problem('not_together', { other: 'resource_id' }),
  })
  .refine(({ member_id, resource_id }) => member_id === undefined || resource_id === undefined, {
    path: ['resource_id'],
    error: problem('member_and_resource'),
  })
  .meta({
    id: 'ConnectIcsInput',
    description: 'A read-only feed of events.',
    example: { url: 'https://calendar.example.com/private-4f1c/basic.ics', name: 'Practice' },
  })
export type ConnectIcsInput = z.output<typeof ConnectIcsInput>

export const CalendarParams = z.object({ id: Id })

export const AddCalendarInput = z
  .object({
    account_id: Id,
    external_id: z.string().min(1).max(2048).describe('One of the `calendars` of the account.'),
    checks_busy: z.boolean().optional().describe('True if left out.'),
    receives_bookings: z
      .boolean()
      .optional()
      .describe('False if left out. With true, other calendars of the member no longer receive bookings.'),
  })
  .meta({
    id: 'AddCalendarInput',
    description: 'Another calendar of a connected account.',
    example: {
      account_id: CALENDAR_EXAMPLE.account_id,
      external_id: 'https://caldav.example.com/ada/family/',
    },
  })
export type AddCalendarInput = z.output<typeof AddCalendarInput>

export const UpdateCalendarInput = z
  .object({
    checks_busy: z.boolean().optional(),
    blocks: Blocks.optional().describe('The calendar is read again before the response.'),
    everybody: Everybody.describe(
      'Whether its events close every host and every event type, like time off of everybody. Events of bookings close nothing. Only admins change such calendars.',
    ),
    receives_bookings: z.boolean().optional(),
  })
  .meta({
    id: 'UpdateCalendarInput',
    description: 'The use of a calendar.',
    example: { checks_busy: false },
  })
export type UpdateCalendarInput = z.output<typeof UpdateCalendarInput>
