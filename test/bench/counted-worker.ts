import type { Env } from '../../src/env.ts'
import worker, {
  EventTypeObject as ProductionEventTypeObject,
  RateLimiter as ProductionRateLimiter,
} from '../../src/index.ts'

/** One isolate runs the Worker and its objects here, so one counter sees all of them. */
let roundTrips = 0

const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

function counted<T>(answer: Promise<T>): Promise<T> {
  roundTrips += 1
  return answer
}

function countedStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const stand = {
    bind: (...values: unknown[]) => countedStatement(statement.bind(...values)),
    run: () => counted(statement.run()),
    all: () => counted(statement.all()),
    raw: () => counted(statement.raw()),
    first: () => counted(statement.first()),
  } as unknown as D1PreparedStatement
  originals.set(stand, statement)
  return stand
}

function countedSession<S extends D1Database | D1DatabaseSession>(session: S) {
  return {
    prepare: (query: string) => countedStatement(session.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      counted(session.batch(statements.map((statement) => originals.get(statement)!))),
  }
}

function countedEnv(env: Env): Env {
  const DB = {
    ...countedSession(env.DB),
    withSession: (constraint?: string) => countedSession(env.DB.withSession(constraint)),
  }
  return { ...env, DB: DB as unknown as D1Database }
}

export class EventTypeObject extends ProductionEventTypeObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, countedEnv(env))
  }
}

export class RateLimiter extends ProductionRateLimiter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, countedEnv(env))
  }
}

const ROUND_TRIPS_PATH = '/bench/round-trips'

/** The production Worker, and one more path that tells how many D1 round trips there were so far. */
export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === ROUND_TRIPS_PATH) return Response.json(roundTrips)
    return worker.fetch(request, countedEnv(env))
  },
} satisfies ExportedHandler<Env>
