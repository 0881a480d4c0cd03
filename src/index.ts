import { serveConsole } from './console/serve.ts'
import type { Env } from './env.ts'
import { serveMcp } from './mcp/serve-mcp.ts'
import { servePage } from './pages/serve.ts'
import { answerHead } from './platform/http/head.ts'
import { createFetch } from './platform/http/router.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import type { DeliveryMessage, Message } from './platform/queue/messages.ts'
import { rooms } from './routes.ts'

export { AccountObject } from './worker/objects/account-object.ts'
export { EventTypeObject } from './worker/objects/event-type-object.ts'
export { ImportObject } from './worker/objects/import-object.ts'
export { RateLimiter } from './worker/objects/rate-limiter.ts'

const serveApi = createFetch(rooms)

async function serve(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url)
  return (
    (await servePage(request, env, url)) ??
    (await serveConsole(request, env, url)) ??
    (await serveMcp(request, env, url)) ??
    serveApi(request, env, url)
  )
}

export default {
  fetch: async (request, env) => {
    const isHead = request.method === 'HEAD'
    const response = await (isHead ? answerHead(request, (get) => serve(get, env)) : serve(request, env))
    addSecurityHeaders(request, response)
    return response
  },
  queue: async (batch, env, ctx) => (await import('./worker/jobs/consume.ts')).consume(batch, env, ctx),
  scheduled: async ({ scheduledTime }, env) =>
    (await import('./worker/jobs/sweep.ts')).sweep(env, scheduledTime),
} satisfies ExportedHandler<Env, Message | DeliveryMessage>
