import * as z from 'zod'
import { invalid } from './errors.ts'
import { WholeNumberText } from './fields.ts'

export const PageQuery = z.object({
  limit: WholeNumberText(1, 100).prefault('20').describe('How many items to return.'),
  starting_after: z
    .string()
    .transform((id) => id.toLowerCase())
    .optional()
    .describe('The id of the last item seen.'),
})

export type PageRequest = { readonly limit: number; readonly starting_after?: string | undefined }

export function pageOf<S extends z.ZodType>(item: S, id: string) {
  return z.object({ data: z.array(item), has_more: z.boolean() }).meta({
    id,
    description: 'A page of a list, newest first. Ask for the next page with `starting_after`.',
    example: { data: [item.meta()?.example], has_more: false },
  })
}

/** Drops the extra row that says whether there is another page. */
export function cutPage<T>(rows: readonly T[], limit: number): { data: readonly T[]; has_more: boolean } {
  return { data: rows.slice(0, limit), has_more: rows.length > limit }
}

export function assertCursor(page: PageRequest, found: readonly unknown[]): void {
  if (page.starting_after !== undefined && found.length === 0) {
    throw invalid({ starting_after: 'Must be the id of an item in this list.' })
  }
}
