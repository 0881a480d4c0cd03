import * as z from 'zod'
import { Email, Filter, Instant, Several, SeveralIds } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page-schema.ts'
import { BookingStatus, Expand } from '../schema.ts'
import { Words } from '../search/schema.ts'

export const BookingQuery = PageQuery.extend({
  sort: z
    .enum(['created_at', 'start_time'])
    .optional()
    .describe('What the list is sorted by. Default: `created_at`. Cursors belong to their sort.'),
  order: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('Default: `desc` by creation, the newest first; `asc` by start, the earliest first.'),
  member_id: Filter.describe(
    'Only the bookings that this member hosts, alone or with others. Of cancelled ones, those that were assigned to them.',
  ),
  q: Words.optional().describe(
    'Words that each begin a word of a name or an address of the invitee, an attendee or a guest, in any letter case and with or without accents: `ada exa` finds Ada Lovelace of `example.com`, `anne` finds Änne. At least two characters, or one Chinese, Japanese or Korean sign.',
  ),
  status: Several(BookingStatus, { $ref: '#/components/schemas/BookingStatus' }),
  event_type_id: SeveralIds,
  assigned_host_id: Filter,
  session_id: Filter.describe('Only the bookings of this session.'),
  series_id: Filter.describe('Only the bookings of this series.'),
  invitee_email: Several(Email, { type: 'string' }),
  start_after: Instant.optional().describe('Only bookings that start later.'),
  start_before: Instant.optional().describe('Only bookings that start earlier.'),
  expand: Expand,
})
export type BookingQuery = z.output<typeof BookingQuery>
