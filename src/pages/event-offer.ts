import { isOnSite } from '../booking/bookings/on-site.ts'
import { getEventPage, type Owned } from '../booking/listing/get-page.ts'
import { type EventPage, EventPageParams } from '../booking/listing/schema.ts'
import type { ShownHost } from '../booking/shown-hosts/statements.ts'
import { notFound } from '../platform/http/errors.ts'
import { isUsableZone } from '../platform/i18n/format.ts'
import type { PresentMs } from '../platform/limits/clock.ts'
import { type HostChoice, hostChoice } from './host-choice.ts'
import type { Page, Params } from './page.ts'

type Available = Extract<EventPage, { available: true }>

/** An event type as its page shows it, and the choices made on it so far. */
export type Offer = Available & {
  readonly orgName: string
  /** The sandbox's present in a preview. */
  readonly now: PresentMs
  readonly hosts: readonly ShownHost[]
  /** Null if invitees choose no host. */
  readonly choice: HostChoice | null
  /** The zone that times are shown in. */
  readonly zone: string
  /** The visitor's own, or the event type's where it is unknown. */
  readonly ownZone: string
  /** Where people meet on site, the clock there counts. */
  readonly isOnSite: boolean
  readonly color: string
  readonly duration: number
  readonly options: readonly number[]
  /** The plan's bookings of this month are used up. */
  readonly isMonthFull: boolean
  /** Whether search engines may show it. */
  readonly isListed: boolean
  /** It costs something, and nobody could pay for it now. */
  readonly isUnpayable: boolean
}

/** Null when the page is unavailable; then only its owner can be shown. */
export async function loadOffer(
  page: Page,
  params: Params,
): Promise<{ readonly owned: Owned<EventPage>; readonly offer: Offer | null }> {
  const parsed = EventPageParams.safeParse({ orgSlug: params.org, eventSlug: params.event })
  if (!parsed.success) throw notFound('booking page')
  const { orgSlug, eventSlug } = parsed.data
  const { searchParams } = page.url
  const owned = await getEventPage(page.ctx, orgSlug, eventSlug, searchParams.get('preview'))
  const { orgName, now, page: found, isPayable, isListed, hosts, hostsToChoose } = owned
  if (!found.available) return { owned, offer: null }
  const { event_type: eventType } = found
  const options = eventType.duration_options ?? [eventType.duration_minutes]
  const asked = Number(searchParams.get('duration'))
  const duration = options.includes(asked) ? asked : eventType.duration_minutes
  const ownZone = page.zone ?? eventType.timezone
  const { places } = eventType
  const onSite = places.length > 0 ? places.every(({ kind }) => kind === 'in_person') : isOnSite(eventType)
  const chosen = [searchParams.get('tz')].find(isUsableZone)
  const offer = {
    ...found,
    orgName,
    now,
    hosts: hosts.get(eventType.id) ?? [],
    choice: hostChoice(page, {
      hosts: hostsToChoose,
      isAnyoneFine: eventType.host_choice !== 'required',
      asked: searchParams.get('member'),
    }),
    zone: onSite ? (chosen ?? eventType.timezone) : ownZone,
    ownZone,
    isOnSite: onSite,
    color: page.color ?? found.branding.accent_color ?? eventType.color,
    duration,
    options,
    isMonthFull: found.plan_limit === true,
    isListed,
    isUnpayable: eventType.price_amount !== null && !isPayable,
  }
  return { owned, offer }
}

/** The weeks that can be booked at once, where that costs nothing. */
export function weeksOf({ event_type: { series_max, price_amount } }: Offer): number {
  return price_amount === null ? series_max : 0
}
