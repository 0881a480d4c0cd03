import { anyProperty } from './filter-extended.ts'
import { comparison, literal, peek, type Reader, syntax, take, tokensOf } from './filter-tokens.ts'
import { badRequest, Refusal } from './graph-reply.ts'

/**
 * `$filter` of events: comparisons with `and`, `or`, `not` and parentheses, `contains` and `startswith` of the
 * subject, and `singleValueExtendedProperties/any(…)`.
 * learn.microsoft.com/graph/query-parameters, …/api/singlevaluelegacyextendedproperty-get
 */

/** What a filter looks at: values by lower-case path, and the extended properties. */
export type Filterable = {
  readonly values: ReadonlyMap<string, string | number | boolean | null>
  readonly extended: readonly { readonly id: string; readonly value: string }[]
}
type Test = (one: Filterable) => boolean

/** Some properties cannot be filtered by, such as the recurrence: microsoftgraph/microsoft-graph-docs#19106 */
export const FILTERABLE = new Set([
  ...[
    'start/datetime',
    'end/datetime',
    'subject',
    'showas',
    'iscancelled',
    'isallday',
    'isorganizer',
    'icaluid',
    'type',
  ],
  ...[
    'importance',
    'sensitivity',
    'createddatetime',
    'lastmodifieddatetime',
    'seriesmasterid',
    'transactionid',
  ],
])
export function readFilter(text: string): Test {
  const reader: Reader = { tokens: tokensOf(text), at: 0 }
  const test = either(reader)
  if (reader.at < reader.tokens.length) throw syntax(text)
  return test
}

function either(reader: Reader): Test {
  const tests = [both(reader)]
  while (peek(reader) === 'or') {
    take(reader)
    tests.push(both(reader))
  }
  return (one) => tests.some((test) => test(one))
}

function both(reader: Reader): Test {
  const tests = [single(reader)]
  while (peek(reader) === 'and') {
    take(reader)
    tests.push(single(reader))
  }
  return (one) => tests.every((test) => test(one))
}

function single(reader: Reader): Test {
  const first = take(reader)
  const name = first.toLowerCase()
  if (name === '(') {
    const inner = either(reader)
    take(reader, ')')
    return inner
  }
  if (name === 'not') {
    const inner = single(reader)
    return (one) => !inner(one)
  }
  if (name === 'singlevalueextendedproperties/any') return anyProperty(reader)
  if (name === 'contains' || name === 'startswith') return textTest(reader, name)
  // Neither can lists, such as the attendees: Azure-Samples/ms-identity-aspnet-daemon-webapp#3
  if (name.endsWith('/any') || name.endsWith('/all')) {
    throw new Refusal(400, 'UnsupportedEntityExpression', `'${first}' is not a supported filter expression.`)
  }
  const path = checkPath(first)
  const compare = comparison(take(reader), literal(take(reader)))
  return ({ values }) => compare(values.get(path) ?? null)
}

function checkPath(said: string): string {
  const path = said.toLowerCase()
  if (!FILTERABLE.has(path)) {
    throw badRequest(`The property '${said}' does not support filtering.`, 'ErrorInvalidProperty')
  }
  return path
}

function textTest(reader: Reader, name: 'contains' | 'startswith'): Test {
  take(reader, '(')
  const path = checkPath(take(reader))
  take(reader, ',')
  const wanted = String(literal(take(reader))).toLowerCase()
  take(reader, ')')
  return ({ values }) => {
    const value = String(values.get(path) ?? '').toLowerCase()
    return name === 'contains' ? value.includes(wanted) : value.startsWith(wanted)
  }
}
