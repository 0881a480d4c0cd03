import type { Env } from '../../src/env.ts'
import worker, {
  AccountObject,
  ImportObject,
  EventTypeObject as ProductionEventTypeObject,
  RateLimiter as ProductionRateLimiter,
} from '../../src/index.ts'

export { AccountObject, ImportObject }

/** One isolate runs the Worker and its objects here, so one binding hangs for all of them. */
let hanging = ''

const stands = new WeakMap<D1Database, D1Database>()

function databasesOf(env: Env): [string, D1Database][] {
  return Object.entries(env).filter(([name]) => /^DB(_\d+)?$/.test(name)) as [string, D1Database][]
}

function hangable(env: Env): Env {
  const own = databasesOf(env).map(([name, database]) => [
    name,
    stands.get(database) ?? standFor(name, database),
  ])
  return { ...env, ...Object.fromEntries(own) }
}

function standFor(name: string, database: D1Database): D1Database {
  const never = () => new Promise<never>(() => {})
  const silent = (): object => ({ bind: silent, all: never, run: never, raw: never })
  const stand = {
    withSession: (constraint: string) =>
      hanging === name ? { prepare: silent, batch: never } : database.withSession(constraint),
  } as unknown as D1Database
  stands.set(database, stand)
  return stand
}

export class EventTypeObject extends ProductionEventTypeObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, hangable(env))
  }
}

export class RateLimiter extends ProductionRateLimiter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, hangable(env))
  }
}

/** What a sweep of all databases took, and how many it reached to the end. */
export type Swept = { readonly ms: number; readonly databases: number }

async function sweepAll(env: Env): Promise<Swept> {
  const began = Date.now()
  const controller = { scheduledTime: began } as ScheduledController
  await worker.scheduled(controller, hangable(env)).catch(() => {})
  const ms = Date.now() - began
  const ends = databasesOf(env).map(([, database]) =>
    database.prepare("SELECT ended_at FROM sweeps WHERE name = 'sweep'").first<number>('ended_at'),
  )
  const reached = (await Promise.all(ends)).filter((end) => end !== null && end >= began)
  return { ms, databases: reached.length }
}

/** The production Worker, one of whose databases can be made to hang. */
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/bench/hang') {
      hanging = searchParams.get('database') ?? ''
      return Response.json(hanging)
    }
    if (pathname === '/bench/sweep') return Response.json(await sweepAll(env))
    return worker.fetch(request, hangable(env))
  },
  queue: (batch, env, ctx) => worker.queue(batch, hangable(env), ctx),
} satisfies ExportedHandler<Env, never>
