import { isSameClock, shortSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly offer: {
    readonly zone: string
    readonly ownZone: string
    readonly isOnSite: boolean
    readonly event_type: { readonly timezone: string }
  }
  readonly slot: { readonly start: number; readonly end: number }
}

/** Where people meet on site: the time by the clock that is not shown, the visitor's or the place's. */
export function OtherClock({ page, offer, slot }: Props) {
  const { locale } = page
  const { start, end } = slot
  const there = offer.event_type.timezone
  const isThere = isSameClock(start, offer.zone, there)
  const other = isThere ? offer.ownZone : there
  if (!offer.isOnSite || isSameClock(start, offer.zone, other)) return null
  const text = isThere ? locale.texts.yourTime : locale.texts.timeThere
  return <small class="other-clock">{fill(text, { time: shortSpanText(locale, start, end, other) })}</small>
}
