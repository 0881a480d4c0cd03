import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getEventPage, getListingPage } from './get-page.ts'
import { EventPage, EventPageParams, ListingPage, ListingParams } from './schema.ts'

export const bookingPageRoutes = defineRoutes({
  getListingPage: defineRoute({
    method: 'GET',
    path: '/v1/public/booking-page/:orgSlug',
    tag: 'Booking Pages',
    summary: "Get an organization's booking page",
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { params: ListingParams },
    response: { status: 200, body: ListingPage },
    errors: ['not_found'],
    handler: async (ctx, { params }) => (await getListingPage(ctx, params.orgSlug)).page,
  }),
  getEventPage: defineRoute({
    method: 'GET',
    path: '/v1/public/booking-page/:orgSlug/:eventSlug',
    tag: 'Booking Pages',
    summary: "Get an event type's booking page",
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { params: EventPageParams },
    response: { status: 200, body: EventPage },
    errors: ['not_found'],
    handler: async (ctx, { params }) => (await getEventPage(ctx, params.orgSlug, params.eventSlug)).page,
  }),
})
