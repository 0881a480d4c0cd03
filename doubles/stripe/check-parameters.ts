import type { Json } from '../world.ts'
import type { Form } from './read-form.ts'
import { refuseParameter } from './refuse.ts'
import type { Shape } from './resolve-types.ts'

/** The parameters as the endpoint takes them; what was emptied is null. Throws what the API answers to wrong ones. */
export function checkParameters(form: Form, shape: Shape): Json {
  return check(form, shape, '') as Json
}

function check(value: string | Form, shape: Shape, param: string): unknown {
  switch (shape.kind) {
    case 'string':
      return text(value, param)
    case 'number':
      if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
      throw refuseParameter(`Invalid integer: ${tell(value)}`, param, 'parameter_invalid_integer')
    case 'decimal':
      if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
      throw refuseParameter(`Invalid decimal: ${tell(value)}`, param)
    case 'boolean':
      if (value === 'true' || value === 'false') return value === 'true'
      throw refuseParameter(`Invalid boolean: ${tell(value)}`, param)
    case 'literals':
      if (typeof value === 'string' && shape.values.includes(value)) return value
      throw refuseParameter(`Invalid ${param}: must be one of ${list(shape.values)}`, param)
    case 'empty':
      if (value === '') return null
      throw refuseParameter(`Invalid ${param}`, param)
    case 'array':
      return checkArray(value, shape.of(), param)
    case 'map':
      if (typeof value === 'string') throw refuseParameter('Invalid object', param)
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
          key,
          // An emptied key of metadata is taken away. docs.stripe.com/api/metadata
          one === '' ? null : check(one, shape.of(), `${param}[${key}]`),
        ]),
      )
    case 'object':
      return checkObject(value, shape, param)
    case 'union':
      return checkUnion(value, shape.of, param)
    case 'unknown':
      return value
  }
}

/** stripe/stripe-node#430: an empty text unsets, where that is allowed. */
function text(value: string | Form, param: string): string {
  if (typeof value !== 'string') throw refuseParameter(`Invalid string: ${tell(value)}`, param)
  if (value !== '') return value
  throw refuseParameter(
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
    param,
    'parameter_invalid_empty',
  )
}

function checkArray(value: string | Form, of: Shape, param: string): unknown[] {
  if (typeof value === 'string' || Object.keys(value).some((key) => !/^\d+$/.test(key)))
    throw refuseParameter('Invalid array', param)
  return Object.entries(value).map(([key, one]) => check(one, of, `${param}[${key}]`))
}

function checkObject(value: string | Form, shape: Extract<Shape, { kind: 'object' }>, param: string): Json {
  if (typeof value === 'string') throw refuseParameter('Invalid object', param)
  const named = (key: string) => (param ? `${param}[${key}]` : key)
  const unknown = Object.keys(value).filter((key) => !shape.members.has(key))
  // stripe/stripe-node#317, microsoft/azure-api-management-monetization#57
  if (unknown.length > 0)
    throw refuseParameter(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.map(named).join(', ')}`,
      named(unknown[0]!),
      'parameter_unknown',
    )
  const checked: Json = {}
  for (const [key, { shape: of, isRequired }] of shape.members) {
    const one = value[key]
    if (one !== undefined) checked[key] = check(one, of(), named(key))
    // docs.stripe.com/error-codes#parameter-missing
    else if (isRequired)
      throw refuseParameter(`Missing required param: ${named(key)}.`, named(key), 'parameter_missing')
  }
  return checked
}

/** What suits a text or what suits parts; the last of several says what was wrong. */
function checkUnion(value: string | Form, shapes: readonly Shape[], param: string): unknown {
  if (value === '' && shapes.some(({ kind }) => kind === 'empty')) return null
  const isText = typeof value === 'string'
  const rest = shapes.filter(
    ({ kind }) => kind !== 'empty' && isText !== ['object', 'map', 'array'].includes(kind),
  )
  let last: unknown = refuseParameter(isText ? 'Invalid object' : `Invalid ${param}`, param)
  for (const shape of rest) {
    try {
      return check(value, shape, param)
    } catch (error) {
      last = error
    }
  }
  throw last
}

function list(values: readonly string[]): string {
  return values.length < 3
    ? values.join(' or ')
    : `${values.slice(0, -1).join(', ')}, or ${values[values.length - 1]}`
}

function tell(value: string | Form): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
