import * as z from 'zod'
import { ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { CALENDAR_EXAMPLE, CalendarProvider, ConnectionStatus, Owner } from '../schema.ts'

const AccountCalendar = z.object({
  external_id: z.string(),
  name: z.string(),
  is_primary: z.boolean(),
  can_write: z.boolean(),
  reads: z
    .enum(['events', 'free_busy'])
    .describe('`free_busy` if only free and busy times of it are shared with the account.'),
  owner: Owner,
  connection_id: ResourceId.nullable().describe('Its connection; null if it is not connected.'),
})

export const CalendarAccount = z
  .object({
    id: ResourceId,
    provider: CalendarProvider,
    account_email: z.string(),
    member_id: ResourceId.nullable().describe('Null if its calendar is the feed of a resource.'),
    status: ConnectionStatus,
    error: z.string().nullable(),
    connected_at: Timestamp,
    calendars: z.array(AccountCalendar),
  })
  .meta({
    id: 'CalendarAccount',
    description: "A member's account at a provider, with all its calendars.",
    example: {
      id: CALENDAR_EXAMPLE.account_id,
      provider: 'caldav' as const,
      account_email: 'ada@example.com',
      member_id: CALENDAR_EXAMPLE.member_id,
      status: 'active' as const,
      error: null,
      connected_at: CALENDAR_EXAMPLE.connected_at,
      calendars: [
        {
          external_id: CALENDAR_EXAMPLE.calendar_id,
          name: 'Work',
          is_primary: true,
          can_write: true,
          reads: 'events' as const,
          owner: null,
          connection_id: CALENDAR_EXAMPLE.id,
        },
      ],
    },
  })
export type CalendarAccount = z.output<typeof CalendarAccount>

export const CalendarAccounts = z.object({ data: z.array(CalendarAccount) }).meta({
  id: 'CalendarAccounts',
  description: 'Every connected account.',
  example: { data: [] },
})
