import { notFound } from '../http/errors.ts'
import { getEventPage, type Owned } from '../resources/booking-pages/get-page.ts'
import { type EventPage, EventPageParams } from '../resources/booking-pages/schema.ts'
import type { Page, Params } from './page.ts'

export type Available = Extract<EventPage, { available: true }>

/** An event type as its page shows it, and the choices made on it so far. */
export type Offer = Available & {
  readonly orgName: string
  readonly zone: string
  readonly duration: number
  readonly options: readonly number[]
}

/** Null when the page is unavailable; then only its owner's name can be shown. */
export async function loadOffer(
  page: Page,
  params: Params,
): Promise<{ readonly orgName: string; readonly offer: Offer | null }> {
  const parsed = EventPageParams.safeParse({ orgSlug: params.org, eventSlug: params.event })
  if (!parsed.success) throw notFound('booking page')
  const { orgSlug, eventSlug } = parsed.data
  const owned: Owned<EventPage> = await getEventPage(
    page.ctx,
    orgSlug,
    eventSlug,
    page.url.searchParams.get('preview'),
  )
  const { orgName, page: found } = owned
  if (!found.available) return { orgName, offer: null }
  const { event_type: eventType } = found
  const options = eventType.duration_options ?? [eventType.duration_minutes]
  const asked = Number(page.url.searchParams.get('duration'))
  const duration = options.includes(asked) ? asked : eventType.duration_minutes
  return { orgName, offer: { ...found, orgName, zone: page.zone ?? eventType.timezone, duration, options } }
}
