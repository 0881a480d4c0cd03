import type * as z from 'zod'
import { type Problem, problem } from '../reasons/reason.ts'
import { invalid, notFound } from './errors.ts'
import { problemOf } from './validation-problem.ts'

type Issue = z.core.$ZodIssue

/** A schema's own problem is about a value that was sent, so it does not fit a missing one. */
function problemIn(issue: Issue): Problem {
  const isMissing = issue.code === 'invalid_type' || issue.code === 'invalid_value'
  return isMissing && issue.input === undefined ? problem('required') : (issue.message as Problem)
}

/** Maps each field's path (`rules.0.end_time`) to the first thing that is wrong with it. */
function fieldsOf(error: z.ZodError): Record<string, Problem> {
  const fields: Record<string, Problem> = {}
  for (const issue of error.issues) {
    const path = issue.path.join('.') || 'body'
    fields[path] ??= problemIn(issue)
  }
  return fields
}

export function validate(schema: z.ZodObject | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value, { reportInput: true, error: problemOf })
  if (!result.success) throw invalid(fieldsOf(result.error))
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
  const result = schema.safeParse(decoded, { reportInput: true, error: problemOf })
  if (result.success) return result.data
  if (malformedId) throw invalid(fieldsOf(result.error))
  throw notFound('resource')
}
