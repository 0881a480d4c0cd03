import type * as z from 'zod'
import { invalid, notFound } from './errors.ts'
import { sentenceOf } from './validation-sentence.ts'

type Issue = z.core.$ZodIssue

/** A schema's own sentence is about a value that was sent, so it does not fit a missing one. */
function sentence(issue: Issue): string {
  const isMissing = issue.code === 'invalid_type' || issue.code === 'invalid_value'
  return isMissing && issue.input === undefined ? 'Is required.' : issue.message
}

/** Maps each field's path (`rules.0.end_time`) to a sentence about the first thing that is wrong with it. */
function detailsOf(error: z.ZodError): Record<string, string> {
  const details: Record<string, string> = {}
  for (const issue of error.issues) {
    const path = issue.path.join('.') || 'body'
    details[path] ??= sentence(issue)
  }
  return details
}

export function validate(schema: z.ZodObject | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value, { reportInput: true, error: sentenceOf })
  if (!result.success) throw invalid(detailsOf(result.error))
  return result.data
}

/** A malformed id names nothing, so it is not found rather than invalid, unless the route says otherwise. */
export function validateParams(
  schema: z.ZodObject | undefined,
  params: Record<string, string | undefined>,
  malformedId: 'validation_error' | undefined,
): unknown {
  if (!schema) return undefined
  const decoded: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    try {
      decoded[name] = decodeURIComponent(value ?? '')
    } catch {
      decoded[name] = ''
    }
  }
  const result = schema.safeParse(decoded, { reportInput: true, error: sentenceOf })
  if (result.success) return result.data
  if (malformedId) throw invalid(detailsOf(result.error))
  throw notFound('resource')
}
