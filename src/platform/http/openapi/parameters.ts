import { DRY_RUN } from '../dry-run.ts'
import { type RequestSchemas, type Route, takesKey } from '../route.ts'
import { type Json, jsonSchemaOf, type Schemas } from './json-schema.ts'
import { componentName } from './names.ts'

type Parameter = { readonly name: string } & Json
type Operation = Json & { parameters?: readonly Json[] }

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 24 hours, the same key with the same request returns the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const DRY_RUN_PARAMETER = {
  name: DRY_RUN,
  in: 'query',
  required: false,
  description:
    'With `true` the call is decided and answered as usual, with `Dry-Run: true`, but nothing is written, sent or counted except the call itself: ids and tokens in the response do not exist. `Idempotency-Key` is ignored. Default: `false`.',
  schema: { type: 'string', enum: ['true', 'false'] },
}

const ACTING_FOR = [
  {
    name: 'X-Org-Id',
    in: 'header',
    required: false,
    description: 'Needed with the service key: the organization to act for.',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'X-Service-Mode',
    in: 'header',
    required: false,
    description: 'With the service key: act on live or on test data. Default: live.',
    schema: { type: 'string', enum: ['live', 'test'] },
  },
  {
    name: 'X-User-Id',
    in: 'header',
    required: false,
    description:
      'With the service key: the member on whose behalf the call is made, with the role of that member.',
    schema: { type: 'string' },
  },
]

export function parametersOf(route: Route, schemas: Schemas): Parameter[] {
  const { params, query, headers } = route.request
  return [
    ...declaredParameters(params, 'path', schemas),
    ...declaredParameters(query, 'query', schemas),
    ...declaredParameters(headers, 'header', schemas),
    ...(route.hasDryRun ? [DRY_RUN_PARAMETER] : []),
    ...(takesKey(route) ? [IDEMPOTENCY_KEY] : []),
    ...(actsForOrganization(route) ? ACTING_FOR : []),
  ]
}

function actsForOrganization({ auth, knowsCallerBy }: Route): boolean {
  if (knowsCallerBy) return true
  return auth !== 'none' && auth !== 'service' && auth !== 'key-or-operator'
}

export function declaredParameters(
  schema: RequestSchemas['params'],
  place: 'path' | 'query' | 'header',
  schemas: Schemas,
): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input', schemas) as {
    properties?: Schemas
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    // Repetition is read, too; commas keep addresses short.
    ...(rest.type === 'array' && { style: 'form', explode: false }),
    schema: rest,
  }))
}

/**
 * Puts what several operations take among `parameters`. Where parameters of one name differ, the one that is
 * taken most often is the shared one, and the others stay with their operations.
 */
export function shareParameters(operations: readonly Operation[], parameters: Json): void {
  const uses = new Map<string, number>()
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter)
      uses.set(text, (uses.get(text) ?? 0) + 1)
    }
  }
  const shared = new Map<string, string>()
  for (const [text, count] of [...uses].sort(([, a], [, b]) => b - a)) {
    const parameter = JSON.parse(text) as Parameter
    const name = componentName(parameter.name)
    if (count === 1 || name in parameters) continue
    parameters[name] = parameter
    shared.set(text, `#/components/parameters/${name}`)
  }
  for (const operation of operations) {
    if (!operation.parameters) continue
    operation.parameters = operation.parameters.map((parameter) => {
      const $ref = shared.get(JSON.stringify(parameter))
      return $ref ? { $ref } : parameter
    })
  }
}
