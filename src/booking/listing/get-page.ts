import { isUsedUp } from '../../engine/schedule/full-month.ts'
import { monthOf } from '../../engine/schedule/schedule.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { nowAsSeen, type PresentMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { homeOfSlug } from '../../platform/names/home-of-slug.ts'
import { presentBranding } from '../branding/present.ts'
import { isPreviewOf } from '../event-types/preview.ts'
import type { HostToChoose, ShownHost } from '../shown-hosts/statements.ts'
import { presentPageEventType } from './present.ts'
import { findEventPage, type ListedRow, type OrganizationRow } from './queries.ts'
import type { EventPage } from './schema.ts'

/** A page and its organization, even if the page is unavailable. */
export type Owned<T> = {
  readonly orgName: string
  readonly orgSlug: string
  /** Whether the organization's other event types are shown. */
  readonly hasListing: boolean
  /** Whether paid event types can be paid at the moment. */
  readonly isPayable: boolean
  /** The hosts of each event type on it, by its id. */
  readonly hosts: ReadonlyMap<string, readonly ShownHost[]>
  readonly page: T
}

type OwnedEvent = Owned<EventPage> & {
  readonly now: PresentMs
  /** Null if invitees choose none. */
  readonly hostsToChoose: readonly HostToChoose[] | null
  /** Whether the organization's listing shows it. */
  readonly isListed: boolean
}

const PLAN_LIMIT = { plan_limit: true } as const

/** With a preview token, the page of a test event type; nothing else opens it. */
export async function getEventPage(
  ctx: Context,
  orgSlug: string,
  eventSlug: string,
  preview: string | null = null,
): Promise<OwnedEvent> {
  const isTest = preview !== null
  const env = await homeOfSlug(ctx.env, orgSlug)
  const found = await findEventPage(openDb(env, 'read'), orgSlug, eventSlug, monthOf(ctx.now), isTest)
  if (!found || (isTest && !(await isPreviewOf(ctx.env, found.eventType.id, preview)))) {
    throw notFound('booking page')
  }
  const { organization, eventType, toChoose, paymentAccountId, bookingsThisMonth } = found
  noteOrganization(ctx.env, organization.id)
  const owner = ownerOf({ organization, offers: [found] }, isTest || paymentAccountId !== null)
  const isListed = eventType.listed
  const now = nowAsSeen(isTest, organization.sandboxNow, ctx.now)
  const branding = presentBranding(organization)
  // All of them take part in a collective meeting.
  const hostsToChoose = eventType.assignmentStrategy === 'none' ? null : toChoose
  const isOn = eventType.active && (isTest || eventType.bookingPageEnabled)
  if (organization.suspendedAt !== null || !isOn) {
    return { ...owner, now, hostsToChoose, isListed, page: { available: false, branding } }
  }
  const event_type = presentPageEventType(eventType, toChoose)
  const limit = !isTest && isUsedUp(organization.tier, bookingsThisMonth) && PLAN_LIMIT
  return {
    ...owner,
    now,
    hostsToChoose,
    isListed,
    page: { available: true, org_slug: organization.slug, event_type, branding, ...limit },
  }
}

type Found = {
  readonly organization: OrganizationRow
  readonly offers: readonly { readonly eventType: ListedRow; readonly hosts: readonly ShownHost[] }[]
}

export function ownerOf({ organization, offers }: Found, isPayable: boolean) {
  const { name: orgName, slug: orgSlug, listingPageEnabled, suspendedAt } = organization
  const hosts = new Map(offers.map(({ eventType, hosts }) => [eventType.id, hosts]))
  return { orgName, orgSlug, hasListing: listingPageEnabled && suspendedAt === null, isPayable, hosts }
}
