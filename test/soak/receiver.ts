import { startServer, textOf } from '../support/local-server.ts'

/**
 * A server that counts how often it took each event at each path. It refuses some, so that they must come again, until it is
 * told to take whatever comes.
 */
export async function startCounter(refuses: () => boolean) {
  let takesAll = false
  const events = new Map<string, Map<string, number>>()
  const server = await startServer(async (request, response) => {
    const told = JSON.parse(await textOf(request))
    if (told.type === 'webhook.verification') {
      response.end(JSON.stringify({ challenge: told.challenge }))
      return
    }
    if (!takesAll && refuses()) {
      response.writeHead(503).end()
      return
    }
    const path = request.url ?? '/'
    const own = events.get(path) ?? new Map<string, number>()
    events.set(path, own)
    own.set(told.id, (own.get(told.id) ?? 0) + 1)
    response.end('ok')
  })
  return {
    url: server.url,
    stop: server.stop,
    takeAll: () => {
      takesAll = true
    },
    /** How often each event was taken there. */
    heardAt: (path: string): ReadonlyMap<string, number> => events.get(path) ?? new Map(),
  }
}
