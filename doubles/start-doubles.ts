import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Call, Json, OpenWorld, Reply, Trouble, World } from './world.ts'

export type Doubles = { readonly url: string; stop(): Promise<void> }

type Opened = {
  readonly world: World
  readonly calls: Json[]
  readonly notifications: Json[]
  troubles: Trouble[]
  /** How far the clock of the world is ahead. */
  aheadMs: number
}

/**
 * Doubles of providers, on this machine: `<url>/<provider>/<world>` is where a world is, which is made when it is first
 * asked for. Below `/control` is what a test says and sees.
 *
 * - `GET /control` → `{calls, notifications, …}`, with what the provider's world adds; `?of=` leaves calls and
 *   notifications with that text. `GET /control/notifications?of=` → `[…]` those alone.
 * - `PUT /control/troubles` takes a list of troubles; `DELETE` ends them, with `?of=` those of that text.
 * - `PUT /control/clock {ahead_ms}` puts the clock of the world ahead.
 * - All else is the provider's own: see its folder.
 */
export async function startDoubles(
  providers: Readonly<Record<string, OpenWorld>>,
  port = 0,
): Promise<Doubles> {
  const worlds = new Map<string, Opened>()

  function open(provider: string, name: string, origin: string): Opened | null {
    const base = `${origin}/${provider}/${name}`
    const known = worlds.get(`${provider}/${name}`)
    const openWorld = Object.hasOwn(providers, provider) ? providers[provider] : undefined
    if (known || !openWorld || !name) return known ?? null
    const kept = { calls: [], notifications: [], troubles: [], aheadMs: 0 } as Omit<Opened, 'world'>
    const world = openWorld({
      base,
      now: () => Date.now() + kept.aheadMs,
      notify: (url, headers, body) => post(kept.notifications, url, headers, body),
    })
    const opened: Opened = Object.assign(kept, { world })
    worlds.set(`${provider}/${name}`, opened)
    return opened
  }

  const server = createServer((request, response) => {
    // Whatever is sent here, nobody else's calls end by it.
    handle(request, response).catch((error) => {
      if (response.headersSent) response.destroy()
      else send(response, { status: 500, json: { error: String(error) } })
    })
  })

  // Connections stay open while a busy machine delays a test.
  server.keepAliveTimeout = 120_000

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const [, provider = '', name = '', ...rest] = url.pathname.split('/')
    const opened = open(provider, name, url.origin)
    if (opened === null) return send(response, { status: 404, json: { error: 'There is no such world.' } })
    const call: Call = {
      method: request.method ?? 'GET',
      path: `/${rest.join('/')}`,
      query: url.searchParams,
      headers: request.headers as Record<string, string>,
      body: await bodyOf(request),
      base: `${url.origin}/${provider}/${name}`,
      now: Date.now() + opened.aheadMs,
    }
    if (call.path === '/control' || call.path.startsWith('/control/')) {
      return send(response, await control(opened, { ...call, path: call.path.slice('/control'.length) }))
    }
    await answer(opened, call, response)
  }

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

async function answer(opened: Opened, call: Call, response: ServerResponse): Promise<void> {
  const { method, path, query, headers, body, now } = call
  const logged: Json = {
    method,
    path,
    query: Object.fromEntries(query),
    headers,
    body,
    at: now,
    status: null,
  }
  opened.calls.push(logged)
  const trouble = takeTrouble(
    opened,
    `${method} ${path} `,
    JSON.stringify([path, query.toString(), headers, body]),
  )
  if (trouble?.delayMs) await new Promise((done) => setTimeout(done, trouble.delayMs))
  const isOnlyLate = trouble && !trouble.does && trouble.status === undefined
  if (!trouble || isOnlyLate) {
    const reply = await opened.world.answer(call)
    logged.status = reply.status
    if (trouble?.heldMs) await new Promise((done) => setTimeout(done, trouble.heldMs))
    return send(response, reply)
  }
  if (trouble.isCarriedOut) await opened.world.answer(call)
  if (trouble.does === 'hangs') return
  if (trouble.does === 'drops') {
    response.destroy()
    return
  }
  logged.status = trouble.status ?? 503
  send(response, { status: logged.status, json: trouble.json ?? {}, headers: trouble.headers ?? {} })
}

function takeTrouble(opened: Opened, line: string, whole: string): Trouble | null {
  const trouble = opened.troubles.find(({ about, of = '' }) => line.includes(about) && whole.includes(of))
  if (!trouble) return null
  if (trouble.times !== null) {
    const left = (trouble.times ?? 1) - 1
    opened.troubles = opened.troubles.flatMap((one) =>
      one !== trouble ? [one] : left > 0 ? [{ ...one, times: left }] : [],
    )
  }
  return trouble
}

async function control(opened: Opened, call: Call): Promise<Reply> {
  switch (`${call.method} ${call.path}`) {
    case 'GET ': {
      const { json } = await opened.world.control(call)
      const of = call.query.get('of') ?? ''
      const isOf = (one: Json) => of === '' || JSON.stringify(one).includes(of)
      const { calls, notifications } = opened
      return {
        status: 200,
        json: { calls: calls.filter(isOf), notifications: notifications.filter(isOf), ...(json as Json) },
      }
    }
    case 'GET /notifications': {
      const of = call.query.get('of') ?? ''
      return { status: 200, json: opened.notifications.filter((one) => JSON.stringify(one).includes(of)) }
    }
    case 'PUT /troubles':
      opened.troubles.push(...(JSON.parse(call.body) as Trouble[]))
      return { status: 204 }
    case 'DELETE /troubles': {
      const of = call.query.get('of')
      opened.troubles = of === null ? [] : opened.troubles.filter((one) => one.of !== of)
      return { status: 204 }
    }
    case 'PUT /clock':
      opened.aheadMs = JSON.parse(call.body).ahead_ms
      return { status: 204 }
    default:
      return opened.world.control(call)
  }
}

/** Notifications leave this machine for nowhere but this machine. */
async function post(
  kept: Json[],
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number | 'unreachable' | null> {
  const one: Json = { url, headers, body, status: null }
  kept.push(one)
  const host = URL.parse(url)?.hostname ?? ''
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) return null
  try {
    const response = await fetch(url, { method: 'POST', headers, ...(body && { body }) })
    await response.body?.cancel()
    one.status = response.status
  } catch {
    one.status = 'unreachable'
  }
  return one.status
}

function send(response: ServerResponse, { status, json, html, body, headers }: Reply): void {
  response.writeHead(status, {
    ...(json !== undefined && { 'Content-Type': 'application/json; charset=UTF-8' }),
    ...(html !== undefined && { 'Content-Type': 'text/html; charset=UTF-8' }),
    ...headers,
  })
  response.end(body ?? html ?? (json === undefined ? undefined : JSON.stringify(json)))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
