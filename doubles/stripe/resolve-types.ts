import { declarationsOf, type Member, type Type } from './read-types.ts'

/** A type with its names looked up: what one parameter may be. */
export type Shape =
  | { readonly kind: 'string' | 'number' | 'decimal' | 'boolean' | 'empty' | 'unknown' }
  | { readonly kind: 'literals'; readonly values: readonly string[] }
  | { readonly kind: 'array'; readonly of: () => Shape }
  | { readonly kind: 'map'; readonly of: () => Shape }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, ShapedMember> }
  | { readonly kind: 'union'; readonly of: readonly Shape[] }

type ShapedMember = { readonly shape: () => Shape; readonly isRequired: boolean }

const PLAIN: Readonly<Record<string, Shape>> = {
  string: { kind: 'string' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  null: { kind: 'empty' },
  Decimal: { kind: 'decimal' },
}

/** The parameters named `name` in the SDK's file, such as `RefundCreateParams` in `resources/Refunds`. */
export function shapeOf(file: string, name: string): Shape {
  const full = [...declarationsOf(file).keys()].find((one) => one === name || one.endsWith(`.${name}`))
  if (!full) throw new Error(`The SDK has no ${name} in ${file}`)
  const within = full.includes('.') ? full.slice(0, full.lastIndexOf('.')) : ''
  return resolve(file, { kind: 'name', name: full.slice(within ? within.length + 1 : 0), of: [], within })
}

function resolve(file: string, type: Type): Shape {
  switch (type.kind) {
    case 'literal':
      return type.value === '' ? { kind: 'empty' } : { kind: 'literals', values: [type.value] }
    case 'union':
      return join(type.of.filter((one) => !isOpen(one)).map((one) => resolve(file, one)))
    case 'object':
      if (type.any) return { kind: 'map', of: () => resolve(file, type.any!) }
      return { kind: 'object', members: shapeMembers(file, type.members) }
    case 'name':
      return resolveName(file, type)
  }
}

/** The types allow unknown values in every enumeration; the API does not. docs.stripe.com/api/errors */
function isOpen(type: Type): boolean {
  return type.kind === 'name' && type.name === 'OtherString'
}

function resolveName(file: string, { name, of, within }: Extract<Type, { kind: 'name' }>): Shape {
  const plain = PLAIN[name]
  if (plain) return plain
  if (name === 'Array') return { kind: 'array', of: () => resolve(file, of[0]!) }
  if (name === 'Emptyable') return join([{ kind: 'empty' }, resolve(file, of[0]!)])
  for (const from of [file, 'shared']) {
    const declared = declarationsOf(from)
    for (let scope = within; ; scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.')))) {
      const found = declared.get(scope ? `${scope}.${name}` : name)
      if (found) {
        const own = resolve(from, found.type)
        if (own.kind !== 'object' || found.bases.length === 0) return own
        const members = new Map<string, ShapedMember>()
        for (const base of found.bases) {
          const shape = resolve(from, base)
          if (shape.kind === 'object') for (const [key, member] of shape.members) members.set(key, member)
        }
        for (const [key, member] of own.members) members.set(key, member)
        return { kind: 'object', members }
      }
      if (!scope) break
    }
  }
  return { kind: 'unknown' }
}

function shapeMembers(file: string, members: ReadonlyMap<string, Member>): ReadonlyMap<string, ShapedMember> {
  return new Map(
    [...members].map(([key, { type, isRequired }]) => {
      let known: Shape | undefined
      return [key, { isRequired, shape: () => (known ??= asNamed(key, resolve(file, type))) }]
    }),
  )
}

/** The types call every number `number`; of the parameters here only percentages may have a fraction. */
function asNamed(key: string, shape: Shape): Shape {
  const isFraction = key.includes('percent') || key.endsWith('_decimal')
  return isFraction && shape.kind === 'number' ? { kind: 'decimal' } : shape
}

function join(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((one) => (one.kind === 'union' ? one.of : [one]))
  const values = flat.flatMap((one) => (one.kind === 'literals' ? one.values : []))
  const rest = flat.filter(({ kind }) => kind !== 'literals')
  const of: Shape[] = values.length > 0 ? [...rest, { kind: 'literals', values }] : rest
  return of.length === 1 ? of[0]! : { kind: 'union', of }
}
