import * as z from 'zod'
import { WholeNumberText } from './fields.ts'

export const PageQuery = z.object({
  limit: WholeNumberText(1, 100).prefault('20').describe('How many items to return.'),
  starting_after: z
    .string()
    .transform((id) => id.toLowerCase())
    .optional()
    .describe('The id of the last item seen.'),
})

export function pageOf<S extends z.ZodType>(item: S, id: string) {
  return z.object({ data: z.array(item), has_more: z.boolean() }).meta({
    id,
    description: 'A page of a list, newest first. Ask for the next page with `starting_after`.',
    example: { data: [item.meta()?.example], has_more: false },
  })
}
