import { comparison, literal, peek, type Reader, syntax, take } from './filter-tokens.ts'

/** `any(ep: ep/id eq '…' and ep/value eq '…')`: the id needs `eq` and the exact name; values ignore case. */
export function anyProperty(
  reader: Reader,
): (one: { readonly extended: readonly { readonly id: string; readonly value: string }[] }) => boolean {
  take(reader, '(')
  const variable = take(reader)
  take(reader, ':')
  const tests: ((property: { id: string; value: string }) => boolean)[] = []
  for (;;) {
    const first = take(reader)
    if (first === `${variable}/id`) {
      take(reader, 'eq')
      const id = literal(take(reader))
      tests.push((property) => property.id === id)
    } else if (first === `${variable}/value`) {
      const compare = comparison(take(reader), literal(take(reader)))
      tests.push((property) => compare(property.value))
    } else throw syntax(reader.tokens.join(' '))
    if (peek(reader) !== 'and') break
    take(reader)
  }
  take(reader, ')')
  return ({ extended }) => extended.some((property) => tests.every((test) => test(property)))
}

/** `singleValueExtendedProperties($filter=id eq '…' or id eq '…')` of `$expand`: the ids, or null where it is not that. */
export function expandedIds(expand: string): string[] | null {
  const inner = /^singleValueExtendedProperties\(\$filter=(.+)\)$/i.exec(expand.trim())
  if (!inner) return null
  const ids = [...inner[1]!.matchAll(/\bid eq '((?:[^']|'')*)'/gi)].map(([, id]) => id!.replaceAll("''", "'"))
  return ids.length > 0 ? ids : null
}
