import { serveConsole } from './console/serve.ts'
import type { Env } from './env.ts'
import { answerHead } from './http/head.ts'
import { createFetch } from './http/router.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { serveMcp } from './mcp/serve-mcp.ts'
import { servePage } from './pages/serve.ts'
import type { DeliveryMessage, Message } from './queue/messages.ts'
import { rooms } from './routes.ts'

export { CalendarAccountObject } from './objects/calendar-account-object.ts'
export { ConferencingAccountObject } from './objects/conferencing-account-object.ts'
export { EventTypeObject } from './objects/event-type-object.ts'
export { RateLimiter } from './objects/rate-limiter.ts'

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
  queue: async (batch, env, ctx) => (await import('./jobs/consume.ts')).consume(batch, env, ctx),
  scheduled: async ({ scheduledTime }, env) => (await import('./jobs/sweep.ts')).sweep(env, scheduledTime),
} satisfies ExportedHandler<Env, Message | DeliveryMessage>
