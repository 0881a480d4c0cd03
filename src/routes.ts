import type { Documented } from './platform/http/openapi/document.ts'
import { openRooms, type Room } from './platform/http/room.ts'
import { defineRoutes } from './platform/http/route.ts'

/** Every endpoint, in the order of the documentation. */
export const rooms: readonly Room[] = [
  {
    at: ['/v1/organizations', '/v1/me'],
    open: async () => (await import('./people/organizations/routes.ts')).organizationRoutes,
  },
  {
    at: ['/v1/public/booking-page'],
    open: async () => (await import('./booking/listing/routes.ts')).bookingPageRoutes,
  },
  {
    at: ['/v1/event-types', '/v1/public/event-types'],
    open: async () => (await import('./booking/event-types/routes.ts')).eventTypeRoutes,
  },
  {
    at: ['/v1/event-types/:id/hosts'],
    open: async () => (await import('./booking/hosts/routes.ts')).hostRoutes,
  },
  {
    at: ['/v1/availability', '/v1/event-types/:id/availability'],
    open: async () => (await import('./booking/slots/routes.ts')).availabilityRoutes,
  },
  {
    at: ['/v1/event-types/:id/explain'],
    open: async () => (await import('./booking/slots/explain/routes.ts')).explanationRoutes,
  },
  {
    at: ['/v1/schedules'],
    open: async () => (await import('./booking/hours/schedules/routes.ts')).scheduleRoutes,
  },
  {
    at: ['/v1/time-off'],
    open: async () => (await import('./booking/hours/time-off/routes.ts')).timeOffRoutes,
  },
  {
    at: ['/v1/resources'],
    open: async () => (await import('./booking/resources/routes.ts')).resourceRoutes,
  },
  {
    at: ['/v1/email-verifications'],
    open: async () => (await import('./booking/anonymous-callers/codes/routes.ts')).emailVerificationRoutes,
  },
  { at: ['/v1/bookings'], open: async () => (await import('./booking/bookings/routes.ts')).bookingRoutes },
  {
    at: ['/v1/sessions', '/v1/event-types/:id/sessions'],
    open: async () => (await import('./booking/sessions/routes.ts')).sessionRoutes,
  },
  { at: ['/v1/agenda'], open: async () => (await import('./booking/agenda/routes.ts')).agendaRoutes },
  { at: ['/v1/series'], open: async () => (await import('./booking/series/routes.ts')).seriesRoutes },
  { at: ['/v1/holds'], open: async () => (await import('./booking/holds/routes.ts')).holdRoutes },
  { at: ['/v1/waitlist'], open: async () => (await import('./booking/waitlist/routes.ts')).waitlistRoutes },
  {
    at: ['/v1/calendars'],
    open: async () => (await import('./calendars/routes.ts')).calendarRoutes,
  },
  {
    at: ['/v1/calendar-feeds'],
    open: async () => (await import('./calendars/feeds/routes.ts')).calendarFeedRoutes,
  },
  {
    at: ['/v1/calendars/calendar_a/notifications', '/v1/calendars/calendar_b/notifications'],
    open: async () => (await import('./calendars/channels/routes.ts')).channelRoutes,
  },
  {
    at: ['/v1/conferencing'],
    open: async () => (await import('./calendars/meetings/routes.ts')).conferencingRoutes,
  },
  {
    at: [
      '/v1/organizations/:orgId/members',
      '/v1/organizations/:orgId/invitations',
      '/v1/organizations/:orgId/transfer-ownership',
      '/v1/invitations',
    ],
    open: async () => (await import('./people/team/routes.ts')).teamRoutes,
  },
  { at: ['/v1/api-keys'], open: async () => (await import('./people/api-keys/routes.ts')).apiKeyRoutes },
  {
    at: ['/v1/console-links'],
    open: async () => (await import('./people/sign-in/routes.ts')).consoleLinkRoutes,
  },
  { at: ['/v1/webhooks'], open: async () => (await import('./delivery/webhooks/routes.ts')).webhookRoutes },
  {
    at: ['/v1/webhooks/:id/deliveries'],
    open: async () => (await import('./delivery/webhooks/deliveries/routes.ts')).webhookDeliveryRoutes,
  },
  { at: ['/v1/events'], open: async () => (await import('./delivery/webhooks/feed/routes.ts')).feedRoutes },
  {
    at: ['/v1/clients'],
    open: async () => (await import('./booking/bookings/clients/routes.ts')).clientRoutes,
  },
  { at: ['/v1/people'], open: async () => (await import('./operations/erasure/routes.ts')).peopleRoutes },
  { at: ['/v1/usage'], open: async () => (await import('./money/usage/routes.ts')).usageRoutes },
  { at: ['/v1/activity'], open: async () => (await import('./outbox/activity/routes.ts')).activityRoutes },
  { at: ['/v1/branding'], open: async () => (await import('./booking/branding/routes.ts')).brandingRoutes },
  {
    at: ['/v1/email-texts'],
    open: async () => (await import('./delivery/email-texts/routes.ts')).emailTextRoutes,
  },
  {
    at: ['/v1/sms'],
    open: async () => (await import('./booking/text-messages/routes.ts')).textMessageRoutes,
  },
  { at: ['/v1/support'], open: async () => (await import('./delivery/support/routes.ts')).supportRoutes },
  {
    at: ['/v1/payment-provider'],
    open: async () => (await import('./money/provider/routes.ts')).paymentProviderRoutes,
  },
  {
    at: ['/v1/payment-provider/webhook'],
    open: async () => (await import('./money/provider-events/routes.ts')).providerEventRoutes,
  },
  {
    at: ['/v1/subscription'],
    open: async () => (await import('./money/subscription/routes.ts')).subscriptionRoutes,
  },
  { at: ['/v1/payments'], open: async () => (await import('./money/payments/routes.ts')).paymentRoutes },
  {
    at: ['/v1/bookings/:id/payment'],
    open: async () => (await import('./booking/bookings/payment-routes.ts')).bookingPaymentRoutes,
  },
  {
    at: ['/v1/test-data/payments'],
    open: async () => (await import('./operations/sandbox/payment-routes.ts')).testPaymentRoutes,
  },
  {
    at: ['/v1/test-data'],
    open: async () => (await import('./operations/sandbox/routes.ts')).testDataRoutes,
  },
  {
    at: ['/v1/export', '/v1/import', '/v1/operator/moves'],
    open: async () => (await import('./operations/moves/routes.ts')).moveRoutes,
  },
  {
    at: ['/v1/import/calendly', '/v1/import/calcom', '/v1/imports'],
    open: async () => (await import('./operations/imports/routes.ts')).importRoutes,
  },
  {
    at: ['/v1/operator/organizations'],
    open: async () => (await import('./operations/deletions/routes.ts')).deletionRoutes,
  },
  {
    at: ['/health', '/v1/operator'],
    open: async () => (await import('./operations/health/routes.ts')).healthRoutes,
  },
  {
    at: ['/v1/openapi.json', '/v1/postman.json'],
    open: async () => {
      const { openApiRoute, collectionRoute } = await import('./platform/http/openapi/openapi-route.ts')
      return defineRoutes({
        getOpenApiDocument: openApiRoute(openDocumented),
        getRequestCollection: collectionRoute(openDocumented),
      })
    },
  },
]

/** What the OpenAPI document is made from. */
export async function openDocumented(): Promise<Documented> {
  const [routes, { consentPages }, { sentWebhooks }] = await Promise.all([
    openRooms(rooms),
    import('./calendars/consents/consent-pages.ts'),
    import('./delivery/webhooks/sent-webhooks.ts'),
  ])
  return { routes, pages: consentPages, webhooks: sentWebhooks }
}
