import { startServer, textOf } from '../support/local-server.ts'

/** A server that takes whatever it is told, and counts how often each event came to each path. */
export async function startCounter() {
  const events = new Map<string, Map<string, number>>()
  const server = await startServer(async (request, response) => {
    const told = JSON.parse(await textOf(request))
    if (told.type === 'webhook.verification') {
      response.end(JSON.stringify({ challenge: told.challenge }))
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
    /** How often each event came there. */
    heardAt: (path: string): ReadonlyMap<string, number> => events.get(path) ?? new Map(),
  }
}
