import {
  type Call,
  callsOf,
  type Described,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
} from './described.ts'

/** What a caller may send as the proof of who calls, in words. */
const PROOFS: Readonly<Record<string, string>> = {
  apiKey: 'an API key',
  serviceKey: 'the service key',
  cancelToken: 'the token of the booking, hold or entry',
  cancelTokenAsBearer: 'the token of the booking, hold or entry',
}

/** Every call in Markdown: programs read it, and browsers without JavaScript show it instead of the viewer. */
export function referenceOf(document: Described): string {
  const groups = Map.groupBy(callsOf(document), ({ operation }) => operation.tags?.[0] ?? 'Pages')
  const sections = [...groups].map(
    ([group, calls]) => `## ${group}\n\n${calls.map((call) => sectionOf(call, document)).join('\n\n')}`,
  )
  return `# API reference

Every call of the API in short. [The OpenAPI document](/v1/openapi.json) also has the schemas of what is sent and answered. An API key is sent as \`Authorization: Bearer <key>\`: [get a key](/docs/first-booking#a-key). Answers with 4xx and 5xx are [errors](/docs/errors).

${sections.join('\n\n')}
`
}

function sectionOf({ method, path, operation }: Call, document: Described): string {
  const { summary, description, security, responses } = operation
  const facts = [
    ['Caller', proofsOf(security ?? [])],
    ['Query', queryOf(operation, document)],
    ['Body', bodyOf(operation, document)],
    ['Answers', Object.keys(responses).join(', ')],
  ].flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : []))
  const isMore = description !== undefined && description !== `${summary}.`
  const about = isMore ? `\`${method} ${path}\`: ${description}` : `\`${method} ${path}\``
  return `### ${summary}\n\n${about}\n\n${facts.join('\n')}`
}

function proofsOf(security: readonly object[]): string {
  const ways = security.flatMap((way) => Object.keys(way))
  const proofs = [...new Set(ways.map((way) => PROOFS[way] ?? way))]
  const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format([
    ...(isOpen ? ['anybody'] : []),
    ...proofs,
  ])
}

function queryOf({ parameters = [] }: Operation, document: Described): string {
  const all = parameters
    .map((one) => (isReference(one) ? document.components.parameters[nameOf(one.$ref)]! : one))
    .filter((one) => one.in === 'query')
  return fieldsOf(
    all.map(({ name }) => name),
    all.filter(({ required }) => required).map(({ name }) => name),
  )
}

function bodyOf({ requestBody }: Operation, document: Described): string {
  return Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) => {
      const { properties = {}, required = [] } = resolved(schema ?? {}, document)
      return fieldsOf(Object.keys(properties), required) || `\`${type}\``
    })
    .join(', or ')
}

function resolved(schema: Schema, { components }: Described): Schema {
  return schema.$ref ? components.schemas[nameOf(schema.$ref)]! : schema
}

function isReference(one: Parameter | Reference): one is Reference {
  return '$ref' in one
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function fieldsOf(names: readonly string[], required: readonly string[]): string {
  const quoted = (of: readonly string[]) => of.map((name) => `\`${name}\``).join(', ')
  const optional = quoted(names.filter((name) => !required.includes(name)))
  return [quoted(required), optional && `optional ${optional}`].filter(Boolean).join('; ')
}
