import { env } from 'cloudflare:workers'

/**
 * What D1 refuses in production and takes locally, for every test: https://developers.cloudflare.com/d1/platform/limits/. The
 * local database itself refuses more than 100 columns, 100 parameters and 5 united selects.
 */
const MOST_BYTES = 2_000_000
const MOST_ARGUMENTS = 32

type Preparing = { prepare(query: string): D1PreparedStatement }

/** Files of tests share the classes of a runtime. */
const DONE = Symbol.for('refuses like production')

export function refuseLikeProduction(): void {
  if (Reflect.get(globalThis, DONE) === true) return
  Reflect.set(globalThis, DONE, true)
  const session = env.DB.withSession('first-primary')
  for (const one of [env.DB, session]) watchQueries(Object.getPrototypeOf(one))
  const statements = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement
  const { bind } = statements
  statements.bind = function (...values: unknown[]) {
    if (values.some(isTooBig)) throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
    return bind.apply(this, values)
  }
}

/** The same queries come again and again. */
const judged = new Set<string>()

function watchQueries(prototype: Preparing): void {
  const { prepare } = prototype
  prototype.prepare = function (query) {
    if (!judged.has(query)) {
      const most = mostArguments(query)
      if (most > MOST_ARGUMENTS)
        throw new Error(`D1_ERROR: too many arguments on function (${most}): ${query}`)
      judged.add(query)
    }
    return prepare.call(this, query)
  }
}

function isTooBig(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length * 3 > MOST_BYTES && new TextEncoder().encode(value).byteLength > MOST_BYTES
  return value instanceof ArrayBuffer && value.byteLength > MOST_BYTES
}

/** Words before a parenthesis that is not one of arguments. */
const NOT_FUNCTIONS = new Set(
  'IN VALUES AS ON AND OR NOT WHERE SELECT EXISTS CONFLICT FROM JOIN WHEN THEN ELSE CASE UNION ALL SET BY HAVING'.split(
    ' ',
  ),
)

/** The most arguments of a function in a query. */
function mostArguments(query: string): number {
  const open: { readonly isFunction: boolean; commas: number }[] = []
  let most = 0
  let [before, last] = ['', '']
  for (const [token] of query.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[a-z_]\w*|[(),]|[^\s\w'"(),]+|\d+/gi)) {
    if (token === '(') {
      const isName = /^[a-z_]\w*$/i.test(last) && !NOT_FUNCTIONS.has(last.toUpperCase())
      open.push({ isFunction: isName && before.toUpperCase() !== 'INTO', commas: 0 })
    } else if (token === ')') {
      const closed = open.pop()
      if (closed?.isFunction) most = Math.max(most, closed.commas + 1)
    } else if (token === ',' && open.length > 0) {
      open.at(-1)!.commas += 1
    }
    before = last
    last = token
  }
  return most
}
