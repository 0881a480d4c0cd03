import * as z from 'zod'
import { Id, Timestamp } from '../../platform/http/fields.ts'

export const ExportLine = z
  .looseObject({
    type: z
      .string()
      .describe('`export` on the first line, `end` on the last; between them the table of the row.'),
  })
  .meta({
    id: 'ExportLine',
    description:
      'A line of an export. The first names the organization, the last the number of rows of each table, and each between them is a row with the columns of its table: instants in epoch milliseconds, encrypted values still encrypted. The tables and columns depend on `format` and grow with releases; /docs/export describes each.',
    example: {
      type: 'end',
      rows: { organizations: 1, event_types: 1, bookings: 2 },
      changed_meanwhile: false,
    },
  })

export const ImportQuery = z.object({
  trust: z
    .literal('true')
    .optional()
    .describe(
      'Whether the plan, the limits, payment accounts and verified webhook endpoints of the file are trusted: only for a file that nobody else could change.',
    ),
})

export const Imported = z
  .object({
    organization_id: z.string(),
    rows: z
      .record(z.string(), z.int())
      .describe('How many lines of each table the file had, left out ones among them.'),
    left_out: z
      .array(
        z.object({
          line: z.int(),
          type: z.string(),
          field: z.string().nullable().describe('Null if the whole row was left out.'),
          why: z
            .enum(['sealed', 'untrusted'])
            .describe('`sealed` with an unknown `ENCRYPTION_KEY`, or imported only with `trust=true`.'),
        }),
      )
      .max(1000)
      .describe('What was not imported as in the file. Rows that belong to an omitted row are omitted too.'),
    left_out_count: z.int(),
    keeps_tokens: z
      .boolean()
      .describe(
        'Whether cancel tokens and links in earlier emails work: the file was made with the same `ENCRYPTION_KEY`.',
      ),
  })
  .meta({
    id: 'Imported',
    description: 'What was imported.',
    example: {
      organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
      rows: { organizations: 1, event_types: 1, bookings: 2 },
      left_out: [],
      left_out_count: 0,
      keeps_tokens: true,
    },
  })
export type Imported = z.infer<typeof Imported>

export const MoveParams = z.object({ orgId: Id })

export const Move = z.object({ organization_id: z.string(), began_at: Timestamp }).meta({
  id: 'Move',
  description: 'An organization that moves: it cannot change here, and nothing is sent for it.',
  example: {
    organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
    began_at: '2026-03-02T09:00:00.000Z',
  },
})
export type Move = z.infer<typeof Move>

export const CalendarFile = z.string().meta({
  id: 'CalendarFile',
  description: 'An iCalendar file (RFC 5545).',
  example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n',
})
