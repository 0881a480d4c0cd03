import { defineRoute, defineRoutes, WholeAnswer } from '../../platform/http/route.ts'
import { getListing } from './get-listing.ts'
import { getEventPage } from './get-page.ts'
import { EventPage, EventPageParams, ListingPage, ListingParams, ListingQuery } from './schema.ts'

export const bookingPageRoutes = defineRoutes({
  getListingPage: defineRoute({
    method: 'GET',
    path: '/v1/public/booking-page/:orgSlug',
    tag: 'Booking Pages',
    summary: "Get an organization's booking page",
    description:
      'Its event types, a page at a time. Send the `ETag` of an earlier answer as `If-None-Match`: 304 if nothing has changed.',
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { params: ListingParams, query: ListingQuery },
    response: {
      status: 200,
      body: ListingPage,
      headers: { 'Cache-Control': 'public, max-age=0' },
      otherwise: { status: 304, means: 'The caller has the current answer.', isEmpty: true },
    },
    errors: ['validation_error', 'not_found'],
    handler: async (ctx, { params, query }) => {
      const { limit, starting_after: after } = query
      const listing = await getListing(ctx, params.orgSlug, { after, limit }, 'json')
      const answer = listing.isCurrent
        ? { status: 304, body: null }
        : { status: 200, body: listing.owned.page }
      return new WholeAnswer(answer, false, { ETag: listing.tag })
    },
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
