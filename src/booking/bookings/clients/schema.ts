import * as z from 'zod'
import { Lines, ResourceId, Timestamp } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page-schema.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import { Words } from '../search/schema.ts'

export const ClientQuery = PageQuery.pick({ limit: true, starting_after: true, ending_before: true }).extend({
  q: Words.optional().describe(
    'Words that each begin a word of the name or the address, in any letter case and with or without accents. At least two characters, or one Chinese, Japanese or Korean sign.',
  ),
  sort: z
    .enum(['name', 'last', 'next', 'bookings'])
    .prefault('last')
    .describe(
      '`name`: alphabetically, in any letter case and with or without accents. `last`: the latest booking that began first. `next`: the earliest upcoming booking first. `bookings`: the most bookings first. Cursors belong to their sort.',
    ),
})
export type ClientQuery = z.output<typeof ClientQuery>

export const ClientParams = z.object({
  contact: z
    .string()
    .max(254)
    .regex(/^([^@\s]+@[^@\s]+|\+[1-9]\d{6,14})$/, problem('not_an_email'))
    .meta({ example: 'ada@example.com' })
    .describe('An email address in any letter case, or a phone number in E.164 with its plus as `%2B`.'),
})

const LISTED_EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  phone: null,
  bookings: 12,
  cancelled: 1,
  last: '2026-03-02T13:00:00.000Z',
  next: '2026-03-09T13:00:00.000Z',
  no_shows: 0,
}

const listed = {
  id: ResourceId,
  email: z.string().nullable().describe('In lower case. Null if they booked by phone.'),
  name: z.string().describe('As in their newest booking.'),
  phone: z.string().nullable().describe('As in the newest booking with one.'),
  bookings: z.int().describe('Bookings that are not cancelled.'),
  cancelled: z.int().describe('Cancelled bookings.'),
  last: Timestamp.nullable().describe('The start of the last booking that began.'),
  next: Timestamp.nullable().describe('The start of the next booking.'),
  no_shows: z.int().describe('Bookings to which they did not come.'),
}

export const ListedClient = z.object(listed).meta({
  id: 'ListedClient',
  description: 'A person who booked. Guests and further attendees are not clients.',
  example: LISTED_EXAMPLE,
})
export type ListedClient = z.output<typeof ListedClient>

export const Client = z
  .object({
    ...listed,
    notes: z
      .string()
      .nullable()
      .optional()
      .describe('What members noted; never shown to the client. Viewers do not see it.'),
  })
  .meta({
    id: 'Client',
    description: 'A person who booked, with what members noted about them.',
    example: { ...LISTED_EXAMPLE, notes: 'Prefers the room on the ground floor.' },
  })
export type Client = z.output<typeof Client>

export const ClientPage = z.object({ data: z.array(ListedClient), has_more: z.boolean() }).meta({
  id: 'ClientPage',
  description: 'A page of clients, in the order of `sort`.',
  example: { data: [LISTED_EXAMPLE], has_more: false },
})

export const MAX_NOTES = 10_000

export const UpdateClientInput = z
  .object({
    notes: Lines(MAX_NOTES).nullable().optional().describe('Stored encrypted. Null or empty removes them.'),
  })
  .meta({
    id: 'UpdateClientInput',
    description: 'The fields to change.',
    example: { notes: 'Prefers the room on the ground floor.' },
  })
export type UpdateClientInput = z.output<typeof UpdateClientInput>
