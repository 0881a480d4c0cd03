import { openApiRoute } from './http/openapi-route.ts'
import type { Route } from './http/route.ts'
import { apiKeyRoutes } from './resources/api-keys/routes.ts'
import { availabilityRoutes } from './resources/availability/routes.ts'
import { bookingPageRoutes } from './resources/booking-pages/routes.ts'
import { bookingRoutes } from './resources/bookings/routes.ts'
import { eventTypeRoutes } from './resources/event-types/routes.ts'
import { healthRoutes } from './resources/health/routes.ts'
import { organizationRoutes } from './resources/organizations/routes.ts'

/** Every endpoint, in the order of the documentation. */
const documented: readonly Route[] = [
  ...organizationRoutes,
  ...bookingPageRoutes,
  ...eventTypeRoutes,
  ...availabilityRoutes,
  ...bookingRoutes,
  ...apiKeyRoutes,
  ...healthRoutes,
]

export const routes: readonly Route[] = [...documented, openApiRoute(documented)]
