import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import type { Env } from '../../src/env.ts'
import worker, {
  AccountObject as ProductionAccountObject,
  EventTypeObject as ProductionEventTypeObject,
  RateLimiter as ProductionRateLimiter,
} from '../../src/index.ts'
import { addBusyHosts, shareHosts } from '../support/busy-hosts.ts'
import { type Billed, billedBindings, countLines, NOTHING_BILLED } from './billed.ts'
import { addHistory } from './large-history.ts'

export { ImportObject } from '../../src/index.ts'

type BusyHosts = {
  readonly event_type_id: string
  readonly count: number
  readonly first: number
  /** Event types that get the same hosts. */
  readonly also?: readonly string[]
}

/** What the database was asked, and what that cost. */
export type Count = Billed & {
  readonly roundTrips: number
  readonly statements: number
  readonly rowsRead: number
  readonly rowsWritten: number
}

/** One isolate runs the Worker and its objects here, so one counter sees all of them. Null: nothing is counted. */
let count: { -readonly [Name in keyof Count]: Count[Name] } | null = null
/** How far away the database is. */
let awayMs = 0
/** Grows whenever the database or a queue is used at all; whoever sees it stand still knows that all is done. */
let uses = 0

const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

function note<T>(results: readonly D1Result<T>[]): void {
  uses += 1
  if (!count) return
  count.roundTrips += 1
  for (const { meta } of results) {
    count.statements += 1
    count.rowsRead += meta.rows_read
    count.rowsWritten += meta.rows_written
  }
}

async function travel(): Promise<void> {
  if (awayMs > 0) await new Promise((resolve) => setTimeout(resolve, awayMs))
}

function countedStatement(query: string, statement: D1PreparedStatement): D1PreparedStatement {
  const all = async () => {
    await travel()
    const result = await statement.all<Record<string, unknown>>()
    note([result])
    return result
  }
  const stand = {
    bind: (...values: unknown[]) => countedStatement(query, statement.bind(...values)),
    run: all,
    all,
    // What answers with bare values tells nothing of rows: what only reads is asked twice.
    raw: async () => {
      const { results } = await all()
      return /^\s*(select|with)\b/i.test(query) ? statement.raw() : results.map(Object.values)
    },
  } as unknown as D1PreparedStatement
  originals.set(stand, statement)
  return stand
}

function countedSession(session: D1DatabaseSession): D1DatabaseSession {
  return {
    prepare: (query: string) => countedStatement(query, session.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      await travel()
      const results = await session.batch(statements.map((statement) => originals.get(statement)!))
      note(results)
      return results
    },
    getBookmark: () => session.getBookmark(),
  } as unknown as D1DatabaseSession
}

const countedEnvs = new WeakMap<Env, Env>()

function noteBilled(name: keyof Billed, by: number): void {
  if (count) count[name] += by
}

/** While nothing is counted and the database is near, the Worker gets the sessions that production has. */
export function countedEnv(env: Env): Env {
  const known = countedEnvs.get(env)
  if (known) return known
  const withSession = (constraint?: string) => {
    uses += 1
    const session = env.DB.withSession(constraint)
    return count || awayMs > 0 ? countedSession(session) : session
  }
  const isBilled = (env as { readonly BILLED?: string }).BILLED === 'on'
  if (isBilled) countLines(noteBilled)
  const bindings = isBilled ? billedBindings(env, noteBilled) : {}
  const counted = { ...env, ...bindings, DB: { withSession } as unknown as D1Database }
  countedEnvs.set(env, counted)
  return counted
}

export class EventTypeObject extends ProductionEventTypeObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, countedEnv(env))
  }
}

export class AccountObject extends ProductionAccountObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, countedEnv(env))
  }
}

export class RateLimiter extends ProductionRateLimiter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, countedEnv(env))
  }
}

/** What the bench asks of the Worker itself, by path; null when the path is the service's own. */
export async function answerBench(request: Request, env: Env): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  switch (pathname) {
    case '/bench/count':
      count = searchParams.get('on')
        ? { ...NOTHING_BILLED, roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }
        : null
      return Response.json(null)
    case '/bench/counted':
      return Response.json(count)
    case '/bench/away':
      awayMs = Number(searchParams.get('ms'))
      return Response.json(null)
    case '/bench/uses':
      return Response.json(uses)
    case '/bench/sweep':
      noteBilled('requests', 1)
      await worker.scheduled(
        { scheduledTime: Number(searchParams.get('at')) } as ScheduledController,
        countedEnv(env),
      )
      return Response.json(null)
    case '/bench/sync':
      await askAccount(env, searchParams.get('account')!).sync({
        connectionId: searchParams.get('connection')!,
        since: Date.now() + 1,
      })
      return Response.json(null)
    case '/bench/hosts': {
      const { event_type_id, count: hosts, first, also = [] } = await request.json<BusyHosts>()
      await addBusyHosts(env.DB, event_type_id, hosts, first)
      await shareHosts(env.DB, event_type_id, also)
      return Response.json(null)
    }
    case '/bench/history':
      await addHistory(env.DB, searchParams.get('event_type_id')!)
      return Response.json(null)
    default:
      return null
  }
}

/** The production Worker with paths that count what it asks of the database. */
export default {
  async fetch(request, env) {
    // What is measured is not to pay for the paths that are not its own.
    const answered = request.url.includes('/bench/') ? await answerBench(request, env) : null
    if (answered) return answered
    noteBilled('requests', 1)
    return worker.fetch(request, countedEnv(env))
  },
  async queue(batch, env, ctx) {
    uses += 1
    noteBilled('requests', 1)
    await worker.queue(batch, countedEnv(env), ctx)
    uses += 1
  },
} satisfies ExportedHandler<Env, never>
