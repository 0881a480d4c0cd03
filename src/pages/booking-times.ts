import { isOnSite } from '../booking/bookings/on-site.ts'
import {
  dayText,
  isUsableZone,
  momentText,
  ownMomentText,
  ownShortMomentText,
  ownSpanText,
  shortMomentText,
  shortSpanText,
  timeText,
  timeWithZoneText,
} from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import type { Page } from './page.ts'

type Reader = Visit & Pick<Page, 'locale'>

/** Readers need no zone beside times in their own. */
function isOwnZone({ zone, isZoneKnown }: Visit, shown: string): boolean {
  return isZoneKnown && zone === shown
}

export function momentOn(page: Reader, instant: number, zone: string): string {
  return (isOwnZone(page, zone) ? ownMomentText : momentText)(page.locale, instant, zone)
}

export function shortMomentOn(page: Reader, instant: number, zone: string): string {
  return (isOwnZone(page, zone) ? ownShortMomentText : shortMomentText)(page.locale, instant, zone)
}

export function spanOn(page: Reader, start: number, end: number, zone: string): string {
  return (isOwnZone(page, zone) ? ownSpanText : shortSpanText)(page.locale, start, end, zone)
}

export function timeOn(page: Reader, instant: number, zone: string): string {
  return (isOwnZone(page, zone) ? timeText : timeWithZoneText)(page.locale, instant, zone)
}

/** Until when an unpaid booking holds its time, in a sentence; with the day where that is not today's. */
export function holdText(page: Reader, until: number, now: number, timeZone: string): string {
  const { locale } = page
  const isToday = dayText(locale, until, timeZone) === dayText(locale, now, timeZone)
  const time = (isToday ? timeOn : momentOn)(page, until, timeZone)
  return fill(locale.texts.awaitingPaymentText, { time })
}

/** The zone a booking is shown in: its reader's, if known, else the one it was booked in. */
export function zoneOfInvitee(page: Visit, booked: string): string {
  return [page.isZoneKnown ? page.zone : null, booked].find(isUsableZone) ?? 'UTC'
}
type Visit = { readonly zone: string | null; readonly isZoneKnown: boolean }

type Met = {
  readonly booking: {
    readonly invitee_timezone: string
    readonly location: string | null
    readonly place: { readonly kind: string } | null
  }
  readonly eventType: { readonly timezone: string; readonly conferencingProvider: string | null }
  /** Whether it was booked without a zone: then it is shown in the event type's. */
  readonly row?: { readonly zoneUnknown: boolean }
}

/** Where people meet on site, the clock there is shown, and the reader's own beside it. */
export function clocksOf(page: Visit, { booking, eventType, row }: Met) {
  const booked = row?.zoneUnknown ? eventType.timezone : booking.invitee_timezone
  const ownZone = zoneOfInvitee(page, booked)
  const onSite = isOnSite({
    conferencing_provider: eventType.conferencingProvider,
    location: booking.location,
    place: booking.place,
  })
  return {
    zone: onSite ? eventType.timezone : ownZone,
    ownZone,
    isOnSite: onSite,
    event_type: { timezone: eventType.timezone },
  }
}
