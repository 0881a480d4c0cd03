import * as z from 'zod'
import { Instant, WholeNumberText } from './fields.ts'

const Cursor = z
  .string()
  .transform((id) => id.toLowerCase())
  .optional()

/** What every list takes. */
export const PageQuery = z.object({
  limit: WholeNumberText(1, 100).prefault('20').describe('How many items to return.'),
  starting_after: Cursor.describe('The id of the last item seen: the page after it.'),
  ending_before: Cursor.describe('The id of the first item seen: the page before it.'),
  order: z.enum(['asc', 'desc']).optional().describe('By creation. Default: `desc`, the newest first.'),
  created_after: Instant.optional().describe('Only items that were created later.'),
})

export function pageOf<S extends z.ZodType>(item: S, id: string) {
  return z.object({ data: z.array(item), has_more: z.boolean() }).meta({
    id,
    description:
      'A page of a list, newest first. Get the next page with `starting_after`, the previous one with `ending_before`; `has_more` says whether there are more items in that direction.',
    example: { data: [item.meta()?.example], has_more: false },
  })
}
