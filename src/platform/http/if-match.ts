import * as z from 'zod'
import { problem } from '../reasons/reason.ts'
import { Instant } from './fields.ts'
import { formatInstant } from './instants.ts'
import { WholeAnswer } from './route.ts'

/** Entity tags: see RFC 9110, section 8.8.3. */
const TAG = '(?:W/)?"[!#-~\\x80-\\xff]*"'
const TAGS = new RegExp(`^${TAG}(?:\\s*,\\s*${TAG})*$`)
const STRONG = /(?<!W\/)"([!#-~\x80-\xff]*)"/g

/** The header that makes a change conditional. */
export const IfMatch = z.object({
  'if-match': z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text === '*' || TAGS.test(text), problem('not_an_entity_tag'))
    .optional()
    .describe(
      'The `ETag` of the answer that the change is based on, or `*`. If it has changed since then: 409 `conflict` with `details.code` = `changed`.',
    )
    .meta({ example: '"2026-03-01T09:00:00.000Z"' }),
})

/** The field that does the same. */
export const ExpectedUpdatedAt = Instant.optional().describe(
  'The `updated_at` that the change is based on, like `If-Match`. If it has changed since then: 409 `conflict` with `details.code` = `changed`.',
)

/** What a change is based on; null if it does not say. */
export type Expected = {
  readonly tags: readonly string[] | null
  readonly updatedAt: number | null
}

export function expectedBy(
  headers: z.output<typeof IfMatch> | undefined,
  { updated_at: updatedAt }: { readonly updated_at?: number | undefined },
): Expected {
  const sent = headers?.['if-match']
  const tags = sent === undefined || sent === '*' ? null : [...sent.matchAll(STRONG)].map(([, tag]) => tag!)
  return { tags, updatedAt: updatedAt ?? null }
}

/** Whether something is as the caller expects it. */
export function isExpected({ tags, updatedAt: expected }: Expected, updatedAt: number): boolean {
  const isTagged = tags === null || tags.includes(formatInstant(updatedAt))
  return isTagged && (expected === null || expected === updatedAt)
}

/** An answer with the tag that a change can be based on. */
export function tagged<T extends { readonly updated_at: string }>(body: T): WholeAnswer {
  return new WholeAnswer({ status: 200, body }, false, { ETag: `"${body.updated_at}"` })
}
