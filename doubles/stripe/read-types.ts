import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What the SDK's types, which are generated from the provider's OpenAPI description, say of one parameter. */
export type Type =
  | { readonly kind: 'name'; readonly name: string; readonly of: readonly Type[]; readonly within: string }
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'union'; readonly of: readonly Type[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Member>; readonly any?: Type }

export type Member = { readonly type: Type; readonly isRequired: boolean }

type Declared = { readonly type: Type; readonly bases: readonly Type[] }

const FOLDER = dirname(createRequire(import.meta.url).resolve('stripe'))
const read = new Map<string, Map<string, Declared>>()

/** The declarations of one `.d.ts` of the SDK by their full names, such as `RefundCreateParams.Reason`. */
export function declarationsOf(file: string): Map<string, Declared> {
  const known = read.get(file)
  if (known) return known
  const text = readFileSync(join(FOLDER, `${file}.d.ts`), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
  const declared = parse(text.match(/'[^']*'|[\w$]+(?:\.[\w$]+)*|[^\s\w]/g) ?? [])
  read.set(file, declared)
  return declared
}

function parse(tokens: readonly string[]): Map<string, Declared> {
  const declared = new Map<string, Declared>()
  let at = 0
  const next = () => tokens[at++]!
  const take = (token: string) => tokens[at] === token && ++at > 0

  function skipBlock(): void {
    for (let depth = 0; at < tokens.length; ) {
      const token = next()
      if (token === '{') depth++
      if (token === '}' && --depth === 0) return
    }
  }

  function union(within: string): Type {
    take('|')
    const of = [single(within)]
    while (take('|')) of.push(single(within))
    return of.length === 1 ? of[0]! : { kind: 'union', of }
  }

  function single(within: string): Type {
    const token = next()
    if (token === '{') return object(within)
    if (token.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1) }
    if (token === '(') {
      const inner = union(within)
      take(')')
      return inner
    }
    const of: Type[] = []
    if (take('<')) {
      do of.push(union(within))
      while (take(','))
      take('>')
    }
    return { kind: 'name', name: token, of, within }
  }

  function object(within: string): Type {
    const members = new Map<string, Member>()
    let any: Type | undefined
    while (!take('}')) {
      if (take('[')) {
        while (next() !== ':');
        while (next() !== ']');
        take(':')
        any = union(within)
      } else {
        const name = next().replaceAll("'", '')
        const isRequired = !take('?')
        take(':')
        members.set(name, { type: union(within), isRequired })
      }
      take(';')
    }
    return { kind: 'object', members, ...(any && { any }) }
  }

  function declarations(within: string): void {
    const nameIn = (name: string) => (within ? `${within}.${name}` : name)
    while (at < tokens.length && tokens[at] !== '}') {
      const token = next()
      if (token === 'interface') {
        const name = nameIn(next())
        const bases: Type[] = []
        if (take('extends'))
          do bases.push(single(within))
          while (take(','))
        if (!take('{')) continue
        declared.set(name, { type: object(within), bases })
      } else if (token === 'type' && tokens[at + 1] === '=') {
        const name = nameIn(next())
        at++
        declared.set(name, { type: union(within), bases: [] })
      } else if (token === 'namespace') {
        const name = nameIn(next())
        if (take('{')) declarations(name)
        take('}')
      } else if (token === 'class') skipBlock()
    }
  }

  while (at < tokens.length) {
    declarations('')
    at++
  }
  return declared
}
