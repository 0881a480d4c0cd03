import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { presentBranding } from '../branding/present.ts'
import { presentListed, presentPageEventType } from './present.ts'
import { findEventPage, findListing } from './queries.ts'
import type { EventPage, ListingPage } from './schema.ts'

/** A page and its organization, also where the page is unavailable. */
export type Owned<T> = { readonly orgName: string; readonly page: T }

export async function getListingPage(ctx: Context, orgSlug: string): Promise<Owned<ListingPage>> {
  const found = await findListing(openDb(ctx.env, 'read'), orgSlug)
  if (!found) throw notFound('booking page')
  const { organization } = found
  const { name: orgName } = organization
  const branding = presentBranding(organization)
  if (organization.suspendedAt !== null) return { orgName, page: { available: false, branding } }
  const event_types = found.eventTypes.map(presentListed)
  return {
    orgName,
    page: { available: true, org_name: orgName, org_slug: organization.slug, event_types, branding },
  }
}

export async function getEventPage(
  ctx: Context,
  orgSlug: string,
  eventSlug: string,
): Promise<Owned<EventPage>> {
  const found = await findEventPage(openDb(ctx.env, 'read'), orgSlug, eventSlug)
  if (!found) throw notFound('booking page')
  const { organization, eventType } = found
  const { name: orgName } = organization
  const branding = presentBranding(organization)
  if (organization.suspendedAt !== null || !eventType.active || !eventType.bookingPageEnabled) {
    return { orgName, page: { available: false, branding } }
  }
  const event_type = presentPageEventType(eventType)
  return { orgName, page: { available: true, org_slug: organization.slug, event_type, branding } }
}
