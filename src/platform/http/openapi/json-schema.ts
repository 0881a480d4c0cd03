import * as z from 'zod'

export type Json = Record<string, unknown>
export type Schemas = Record<string, Json>

/**
 * JSON Schema 2020-12, the dialect of OpenAPI 3.1. Schemas with a name are put among `schemas`; one that has a
 * name itself becomes a reference.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): Json {
  const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  for (const [name, definition] of Object.entries(($defs ?? {}) as Schemas)) {
    const plain = plainSchema(definition)
    if (name in schemas && JSON.stringify(schemas[name]) !== JSON.stringify(plain)) {
      throw new Error(`${name} is the name of two schemas.`)
    }
    schemas[name] = plain
  }
  return plainSchema(json)
}

/**
 * A schema without what breaks generated clients: a `default` makes a field required in their types, a closed object breaks
 * them on the first new field, and the bounds of a safe integer say nothing.
 */
function plainSchema(schema: Json): Json {
  const plain: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'default' || (keyword === 'additionalProperties' && value === false)) continue
    if (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER) continue
    plain[keyword] = plainKeyword(keyword, value)
  }
  if ('default' in schema) plain.description = withDefault(schema.description, schema.default)
  return plain
}

function plainKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case '$ref':
      return String(value).replace('#/$defs/', '#/components/schemas/')
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Schemas).map(([name, property]) => [name, plainSchema(property)]),
      )
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
      return typeof value === 'object' ? plainSchema(value as Json) : value
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return (value as Json[]).map(plainSchema)
    default:
      return value
  }
}

function withDefault(description: unknown, value: unknown): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  const told = isEmpty ? 'empty' : typeof value === 'string' ? value : JSON.stringify(value)
  return [...(description === undefined ? [] : [description]), `Default: ${told}.`].join(' ')
}
