import type { Documented } from './http/openapi/document.ts'
import { openRooms, type Room } from './http/room.ts'

/** Every endpoint, in the order of the documentation. */
export const rooms: readonly Room[] = [
  {
    at: ['/v1/organizations', '/v1/me'],
    open: async () => (await import('./resources/organizations/routes.ts')).organizationRoutes,
  },
  {
    at: ['/v1/public/booking-page'],
    open: async () => (await import('./resources/booking-pages/routes.ts')).bookingPageRoutes,
  },
  {
    at: ['/v1/event-types', '/v1/public/event-types'],
    open: async () => (await import('./resources/event-types/routes.ts')).eventTypeRoutes,
  },
  {
    at: ['/v1/event-types/:id/hosts'],
    open: async () => (await import('./resources/hosts/routes.ts')).hostRoutes,
  },
  {
    at: ['/v1/availability', '/v1/event-types/:id/availability'],
    open: async () => (await import('./resources/availability/routes.ts')).availabilityRoutes,
  },
  {
    at: ['/v1/event-types/:id/explain'],
    open: async () => (await import('./resources/explanations/routes.ts')).explanationRoutes,
  },
  {
    at: ['/v1/schedules'],
    open: async () => (await import('./resources/schedules/routes.ts')).scheduleRoutes,
  },
  { at: ['/v1/time-off'], open: async () => (await import('./resources/time-off/routes.ts')).timeOffRoutes },
  {
    at: ['/v1/email-verifications'],
    open: async () => (await import('./resources/email-verifications/routes.ts')).emailVerificationRoutes,
  },
  { at: ['/v1/bookings'], open: async () => (await import('./resources/bookings/routes.ts')).bookingRoutes },
  { at: ['/v1/holds'], open: async () => (await import('./resources/holds/routes.ts')).holdRoutes },
  { at: ['/v1/waitlist'], open: async () => (await import('./resources/waitlist/routes.ts')).waitlistRoutes },
  {
    at: ['/v1/calendars'],
    open: async () => (await import('./resources/calendars/routes.ts')).calendarRoutes,
  },
  {
    at: ['/v1/calendar-feeds'],
    open: async () => (await import('./resources/calendar-feeds/routes.ts')).calendarFeedRoutes,
  },
  {
    at: ['/v1/calendars/calendar_a/notifications', '/v1/calendars/calendar_b/notifications'],
    open: async () => (await import('./resources/calendars/channels/routes.ts')).channelRoutes,
  },
  {
    at: ['/v1/conferencing'],
    open: async () => (await import('./resources/conferencing/routes.ts')).conferencingRoutes,
  },
  {
    at: [
      '/v1/organizations/:orgId/members',
      '/v1/organizations/:orgId/invitations',
      '/v1/organizations/:orgId/transfer-ownership',
      '/v1/invitations',
    ],
    open: async () => (await import('./resources/team/routes.ts')).teamRoutes,
  },
  { at: ['/v1/api-keys'], open: async () => (await import('./resources/api-keys/routes.ts')).apiKeyRoutes },
  {
    at: ['/v1/console-links'],
    open: async () => (await import('./resources/sign-in/routes.ts')).consoleLinkRoutes,
  },
  { at: ['/v1/webhooks'], open: async () => (await import('./resources/webhooks/routes.ts')).webhookRoutes },
  {
    at: ['/v1/webhooks/:id/deliveries'],
    open: async () => (await import('./resources/webhooks/deliveries/routes.ts')).webhookDeliveryRoutes,
  },
  { at: ['/v1/events'], open: async () => (await import('./resources/webhooks/feed/routes.ts')).feedRoutes },
  { at: ['/v1/people'], open: async () => (await import('./resources/people/routes.ts')).peopleRoutes },
  { at: ['/v1/usage'], open: async () => (await import('./resources/usage/routes.ts')).usageRoutes },
  { at: ['/v1/activity'], open: async () => (await import('./resources/activity/routes.ts')).activityRoutes },
  { at: ['/v1/branding'], open: async () => (await import('./resources/branding/routes.ts')).brandingRoutes },
  { at: ['/v1/support'], open: async () => (await import('./resources/support/routes.ts')).supportRoutes },
  {
    at: ['/v1/payment-provider'],
    open: async () => (await import('./resources/payment-provider/routes.ts')).paymentProviderRoutes,
  },
  {
    at: ['/v1/payment-provider/webhook'],
    open: async () => (await import('./resources/provider-events/routes.ts')).providerEventRoutes,
  },
  {
    at: ['/v1/subscription'],
    open: async () => (await import('./resources/subscription/routes.ts')).subscriptionRoutes,
  },
  { at: ['/v1/payments'], open: async () => (await import('./resources/payments/routes.ts')).paymentRoutes },
  {
    at: ['/v1/bookings/:id/payment'],
    open: async () => (await import('./resources/bookings/payment-routes.ts')).bookingPaymentRoutes,
  },
  {
    at: ['/v1/test-data/payments'],
    open: async () => (await import('./resources/test-data/payment-routes.ts')).testPaymentRoutes,
  },
  {
    at: ['/v1/test-data'],
    open: async () => (await import('./resources/test-data/routes.ts')).testDataRoutes,
  },
  {
    at: ['/v1/export', '/v1/import', '/v1/operator/moves'],
    open: async () => (await import('./resources/moves/routes.ts')).moveRoutes,
  },
  {
    at: ['/v1/operator/organizations'],
    open: async () => (await import('./resources/deletions/routes.ts')).deletionRoutes,
  },
  {
    at: ['/health', '/v1/operator'],
    open: async () => (await import('./resources/health/routes.ts')).healthRoutes,
  },
  {
    at: ['/v1/openapi.json', '/v1/postman.json'],
    open: async () => {
      const { openApiRoute, collectionRoute } = await import('./http/openapi/openapi-route.ts')
      return [openApiRoute(openDocumented), collectionRoute(openDocumented)]
    },
  },
]

/** What the OpenAPI document is made from. */
export async function openDocumented(): Promise<Documented> {
  const [routes, { consentPages }, { sentWebhooks }] = await Promise.all([
    openRooms(rooms),
    import('./resources/consents/consent-pages.ts'),
    import('./resources/webhooks/sent-webhooks.ts'),
  ])
  return { routes, pages: consentPages, webhooks: sentWebhooks }
}
