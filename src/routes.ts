import type { Documented } from './http/openapi/document.ts'
import { openApiRoute } from './http/openapi/openapi-route.ts'
import type { Route } from './http/route.ts'
import { activityRoutes } from './resources/activity/routes.ts'
import { apiKeyRoutes } from './resources/api-keys/routes.ts'
import { availabilityRoutes } from './resources/availability/routes.ts'
import { bookingPageRoutes } from './resources/booking-pages/routes.ts'
import { bookingPaymentRoutes } from './resources/bookings/payment-routes.ts'
import { bookingRoutes } from './resources/bookings/routes.ts'
import { brandingRoutes } from './resources/branding/routes.ts'
import { calendarRoutes } from './resources/calendars/routes.ts'
import { conferencingRoutes } from './resources/conferencing/routes.ts'
import { consentPages } from './resources/consents/callbacks.ts'
import { emailVerificationRoutes } from './resources/email-verifications/routes.ts'
import { eventTypeRoutes } from './resources/event-types/routes.ts'
import { healthRoutes } from './resources/health/routes.ts'
import { hostRoutes } from './resources/hosts/routes.ts'
import { organizationRoutes } from './resources/organizations/routes.ts'
import { paymentProviderRoutes } from './resources/payment-provider/routes.ts'
import { paymentRoutes } from './resources/payments/routes.ts'
import { providerEventRoutes } from './resources/provider-events/routes.ts'
import { subscriptionRoutes } from './resources/subscription/routes.ts'
import { supportRoutes } from './resources/support/routes.ts'
import { teamRoutes } from './resources/team/routes.ts'
import { testPaymentRoutes } from './resources/test-data/payment-routes.ts'
import { testDataRoutes } from './resources/test-data/routes.ts'
import { usageRoutes } from './resources/usage/routes.ts'
import { waitlistRoutes } from './resources/waitlist/routes.ts'
import { webhookDeliveryRoutes } from './resources/webhooks/deliveries/routes.ts'
import { feedRoutes } from './resources/webhooks/feed/routes.ts'
import { webhookRoutes } from './resources/webhooks/routes.ts'
import { sentWebhooks } from './resources/webhooks/sent-webhooks.ts'

/** Every endpoint, in the order of the documentation. */
const answering: readonly Route[] = [
  ...organizationRoutes,
  ...bookingPageRoutes,
  ...eventTypeRoutes,
  ...hostRoutes,
  ...availabilityRoutes,
  ...emailVerificationRoutes,
  ...bookingRoutes,
  ...waitlistRoutes,
  ...calendarRoutes,
  ...conferencingRoutes,
  ...teamRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...feedRoutes,
  ...usageRoutes,
  ...activityRoutes,
  ...brandingRoutes,
  ...supportRoutes,
  ...paymentProviderRoutes,
  ...providerEventRoutes,
  ...subscriptionRoutes,
  ...paymentRoutes,
  ...bookingPaymentRoutes,
  ...testPaymentRoutes,
  ...testDataRoutes,
  ...healthRoutes,
]

const openApi = openApiRoute({ routes: answering, pages: consentPages, webhooks: sentWebhooks })

export const routes: readonly Route[] = [...answering, openApi]

/** What the OpenAPI document is made from. */
export const documented: Documented = { routes, pages: consentPages, webhooks: sentWebhooks }
