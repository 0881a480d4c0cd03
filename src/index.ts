import type { Env } from './env.ts'
import { createFetch } from './http/router.ts'
import { consume } from './jobs/consume.ts'
import { sweep } from './jobs/sweep.ts'
import { servePage } from './pages/serve.ts'
import type { DeliveryMessage, Message } from './queue/messages.ts'
import { routes } from './routes.ts'

export { RateLimiter } from './limits/rate-limiter.ts'
export { EventTypeObject } from './resources/bookings/event-type-object.ts'

const serveApi = createFetch(routes)

export default {
  fetch: async (request, env) => (await servePage(request, env)) ?? serveApi(request, env),
  queue: consume,
  scheduled: ({ scheduledTime }, env) => sweep(env, scheduledTime),
} satisfies ExportedHandler<Env, Message | DeliveryMessage>
