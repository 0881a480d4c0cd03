import { badRequest, Refusal } from './graph-reply.ts'

/** learn.microsoft.com/graph/query-parameters; names are the same in capitals or not. */
export type Query = {
  readonly select: readonly string[] | null
  readonly top: number | null
  readonly skip: number
  readonly orderBy: { readonly path: string; readonly isDescending: boolean }[]
  readonly filter: string | null
  readonly expand: string | null
  readonly isCounted: boolean
  readonly startDateTime: string | null
  readonly endDateTime: string | null
  /** As they came, for the link to the next page. */
  readonly said: URLSearchParams
}

const SYSTEM = ['$select', '$top', '$skip', '$orderby', '$filter', '$expand', '$count']

export function readQuery(params: URLSearchParams): Query {
  const said = new Map([...params].map(([name, value]) => [name.toLowerCase(), value]))
  for (const name of said.keys()) {
    if (name.startsWith('$') && !SYSTEM.includes(name))
      throw badRequest(`The query parameter '${name}' is not supported.`)
  }
  const number = (name: string, least: number) => {
    const text = said.get(name)
    if (text === undefined) return null
    if (!/^\d+$/.test(text) || Number(text) < least) {
      throw badRequest(
        `Invalid value '${text}' for ${name} query option found. The ${name} query option requires a non-negative integer value.`,
      )
    }
    return Number(text)
  }
  const list = (name: string) =>
    said
      .get(name)
      ?.split(',')
      .map((one) => one.trim()) ?? null
  return {
    select: list('$select'),
    top: number('$top', 1),
    skip: number('$skip', 0) ?? 0,
    orderBy: (list('$orderby') ?? []).map((one) => {
      const [path = '', direction = 'asc'] = one.split(/\s+/)
      if (!['asc', 'desc'].includes(direction)) throw badRequest(`Syntax error at '${one}' in $orderby.`)
      return { path: path.toLowerCase(), isDescending: direction === 'desc' }
    }),
    filter: said.get('$filter') ?? null,
    expand: said.get('$expand') ?? null,
    isCounted: said.get('$count') === 'true',
    startDateTime: said.get('startdatetime') ?? null,
    endDateTime: said.get('enddatetime') ?? null,
    said: params,
  }
}

/** The properties that a client selects, spelt as the type has them; unknown ones are refused. */
export function checkSelect(
  select: readonly string[] | null,
  known: ReadonlySet<string>,
  type: string,
): string[] | null {
  if (select === null || select.includes('*')) return null
  const byLowerCase = new Map([...known].map((name) => [name.toLowerCase(), name]))
  return select.map((name) => {
    const found = byLowerCase.get(name.toLowerCase().split('/')[0]!)
    if (!found) {
      throw new Refusal(
        400,
        'RequestBroker--ParseUri',
        `Could not find a property named '${name}' on type 'microsoft.graph.${type}'.`,
      )
    }
    return found
  })
}

/** `id` and the etag are there whatever is selected. */
export function pick(
  json: Record<string, unknown>,
  select: readonly string[] | null,
): Record<string, unknown> {
  if (select === null) return json
  const kept = new Set(['@odata.etag', 'id', ...select])
  return Object.fromEntries(Object.entries(json).filter(([name]) => kept.has(name)))
}

/** The same address with another `$skip`, absolute, as in `@odata.nextLink`. */
export function nextLink(url: string, said: URLSearchParams, skip: number): string {
  const params = new URLSearchParams([...said].filter(([name]) => name.toLowerCase() !== '$skip'))
  params.append('$skip', String(skip))
  return `${url}?${params}`
}
