import type { Thing } from '../reasons/refusals.ts'
import { FIELDS_OF, NAMES_OF } from '../reasons/refused-fields.ts'
import { refusalOf } from './answer.ts'
import type { Refusal } from './errors.ts'
import { type Route, WholeAnswer } from './route.ts'

/** What was sent, by name. */
type Sent = { readonly query: unknown; readonly body: unknown }
type Values = Readonly<Record<string, unknown>> | undefined

/** A refusal that says in `details.field` which field of the request it is about, if it is about one. */
export function nameField<R extends Refusal>(refusal: R, route: Route, sent: Sent): R {
  const field = refusal.fields === undefined ? fieldOf(refusal, route, sent) : undefined
  return field === undefined ? refusal : { ...refusal, details: { ...refusal.details, field } }
}

/** The same for a result that can be a refusal, such as one that is returned again. Health answers 503 without an error. */
export function nameFieldIn(result: unknown, route: Route, sent: Sent): unknown {
  if (!(result instanceof WholeAnswer) || result.answer.status < 400) return result
  const { answer, isReplay, headers } = result
  const told = answer.body as object
  if (!('error' in told)) return result
  const body = { ...told, error: nameField(refusalOf(answer), route, sent) }
  return new WholeAnswer({ ...answer, body }, isReplay, headers)
}

function fieldOf({ reason, numbers, details }: Refusal, { request }: Route, sent: Sent): string | undefined {
  if (details?.field !== undefined) return details.field as string
  const names =
    reason === 'missing' ? NAMES_OF[(numbers as { readonly thing: Thing }).thing] : FIELDS_OF[reason]
  if (!names) return undefined
  const values = { ...(sent.query as Values), ...(sent.body as Values) }
  const known = { ...request.query?.shape, ...request.body?.shape }
  return names.find((name) => values[name] != null) ?? names.find((name) => Object.hasOwn(known, name))
}
