import type { Env } from '../../src/env.ts'
import worker, {
  EventTypeObject as ProductionEventTypeObject,
  RateLimiter as ProductionRateLimiter,
} from '../../src/index.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'

type BusyHosts = { readonly event_type_id: string; readonly count: number; readonly first: number }

/** One isolate runs the Worker and its objects here, so one counter sees all of them. */
let roundTrips = 0

export function roundTripsSoFar(): number {
  return roundTrips
}

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

export function countedEnv(env: Env): Env {
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
const HOSTS_PATH = '/bench/hosts'

/** The production Worker, and paths that tell how many D1 round trips there were so far and make busy hosts. */
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    if (pathname === ROUND_TRIPS_PATH) return Response.json(roundTrips)
    if (pathname === HOSTS_PATH) {
      const { event_type_id, count, first } = await request.json<BusyHosts>()
      await addBusyHosts(env.DB, event_type_id, count, first)
      return Response.json({})
    }
    return worker.fetch(request, countedEnv(env))
  },
} satisfies ExportedHandler<Env>
