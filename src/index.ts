import type { Env } from './env.ts'
import { createFetch } from './http/router.ts'
import { routes } from './routes.ts'

export { RateLimiter } from './limits/rate-limiter.ts'
export { EventTypeObject } from './resources/bookings/event-type-object.ts'

const fetch = createFetch(routes)

export default { fetch } satisfies ExportedHandler<Env>
