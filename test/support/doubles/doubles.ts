import { type LocalServer, startServer, textOf } from '../local-server.ts'
import { accountOf, bearerOf, type Call, type Json, type Reply, type World } from './exchange.ts'
import { answerOAuth } from './oauth-double.ts'
import { answerZoom, zoomManners } from './zoom-double.ts'

export type ProviderName = 'zoom'

export type Doubles = LocalServer

const MANNERS = { zoom: zoomManners }

/**
 * Doubles of Zoom: `<url>/<provider>/<world>` is both the API base and the host of the OAuth
 * endpoints of a world that is made when it is first asked for. Below `/control` a test says and sees what happens
 * there; control.ts speaks it.
 */
export async function startDoubles(): Promise<Doubles> {
  const worlds = new Map<string, World>()
  return startServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const [, provider, name, ...rest] = url.pathname.split('/')
    const key = `/${provider}/${name}`
    const world = worlds.get(key) ?? { settings: {}, accounts: new Map(), codes: new Map(), calls: [] }
    worlds.set(key, world)
    const reply = await answer(provider as ProviderName, world, {
      method: request.method ?? 'GET',
      path: `/${rest.join('/')}`,
      query: url.searchParams,
      headers: request.headers as Record<string, string>,
      body: await textOf(request),
      base: `${url.origin}${key}`,
    })
    response.writeHead(reply.status, {
      ...(reply.json !== undefined && { 'Content-Type': 'application/json' }),
      ...reply.headers,
    })
    response.end(reply.json === undefined ? undefined : JSON.stringify(reply.json))
  })
}

async function answer(provider: ProviderName, world: World, call: Call): Promise<Reply> {
  if (call.path.startsWith('/control')) return control(world, call)
  const { method, path, query, headers, body } = call
  world.calls.push({ method, path, query: Object.fromEntries(query), headers, body })
  const oauth = answerOAuth(world, MANNERS[provider], call)
  if (oauth) return oauth
  const { delayMs = 0, failures = 0, failureStatus = 503, failureBody = {}, retryAfter } = world.settings
  if (delayMs > 0) await new Promise((done) => setTimeout(done, delayMs))
  if (failures > 0) {
    world.settings = { ...world.settings, failures: failures - 1 }
    const wait = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
    return { status: failureStatus, headers: wait, json: failureBody }
  }
  const account = bearerOf(world, call)
  if (!account) return { status: 401, json: { error: { code: 401, message: 'Invalid Credentials' } } }
  return answerZoom(account, call)
}

/** What only a test can do: it acts as the owner of the account, or as the provider. */
function control(world: World, { method, path, query, body }: Call): Reply {
  const account = accountOf(world, query.get('as') ?? 'owner@example.com')
  const given = (body === '' ? {} : JSON.parse(body)) as Json
  const [, , what, id = ''] = path.split('/').map(decodeURIComponent)
  switch (`${method} ${what ?? ''}`) {
    case 'GET ':
      return {
        status: 200,
        json: {
          calls: world.calls,
          mails: account.mails,
          meetings: [...account.meetings.values()],
        },
      }
    case 'PUT ':
      world.settings = { ...world.settings, ...given }
      return { status: 204 }
    case 'DELETE meetings':
      account.meetings.delete(id)
      return { status: 204 }
    case 'POST end':
      account.ended = given.how
      return { status: 204 }
    case 'POST expire':
      for (const token of account.accessTokens.keys()) account.accessTokens.set(token, 0)
      return { status: 204 }
    case 'POST forget':
      account.epoch += 1
      return { status: 204 }
    default:
      return { status: 404, json: {} }
  }
}
