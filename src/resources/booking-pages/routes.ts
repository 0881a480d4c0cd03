import { openDb } from '../../db/client.ts'
import { notFound } from '../../http/errors.ts'
import { defineRoute } from '../../http/route.ts'
import { presentBranding } from '../branding/present.ts'
import { presentListed, presentPageEventType } from './present.ts'
import { EventPage, EventPageParams, ListingPage, ListingParams } from './schema.ts'
import { findEventPage, findListing } from './store.ts'

export const bookingPageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/public/booking-page/:orgSlug',
    operationId: 'getListingPage',
    tag: 'Booking Pages',
    summary: "Get an organization's booking page",
    auth: 'none',
    permission: 'anyone',
    limit: 'counted',
    request: { params: ListingParams },
    response: { status: 200, body: ListingPage },
    errors: ['not_found'],
    handler: async (ctx, { params }) => {
      const found = await findListing(openDb(ctx.env, 'read'), params.orgSlug)
      if (!found) throw notFound('booking page')
      const { organization } = found
      const branding = presentBranding(organization)
      if (organization.suspendedAt !== null) return { available: false as const, branding }
      return {
        available: true as const,
        org_name: organization.name,
        org_slug: organization.slug,
        event_types: found.eventTypes.map(presentListed),
        branding,
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/public/booking-page/:orgSlug/:eventSlug',
    operationId: 'getEventPage',
    tag: 'Booking Pages',
    summary: "Get an event type's booking page",
    auth: 'none',
    permission: 'anyone',
    limit: 'counted',
    request: { params: EventPageParams },
    response: { status: 200, body: EventPage },
    errors: ['not_found'],
    handler: async (ctx, { params }) => {
      const found = await findEventPage(openDb(ctx.env, 'read'), params.orgSlug, params.eventSlug)
      if (!found) throw notFound('booking page')
      const { organization, eventType } = found
      const branding = presentBranding(organization)
      if (organization.suspendedAt !== null || !eventType.active || !eventType.bookingPageEnabled) {
        return { available: false as const, branding }
      }
      const event_type = presentPageEventType(eventType)
      return { available: true as const, org_slug: organization.slug, event_type, branding }
    },
  }),
]
