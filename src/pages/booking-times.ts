import { isUsableZone, timeWithZoneText } from '../i18n/format.ts'
import type { Locale } from '../i18n/locale.ts'
import { fill } from '../i18n/plural.ts'
import { heldUntil } from '../resources/payments/new-payment.ts'

/** Until when an unpaid booking holds its time, in a sentence. */
export function holdText(locale: Locale, createdAt: string, timeZone: string): string {
  const until = heldUntil(Date.parse(createdAt))
  return fill(locale.texts.awaitingPaymentText, { time: timeWithZoneText(locale, until, timeZone) })
}

/** The zone a booking is shown in: its reader's, if known, else the one it was booked in. */
export function zoneOfInvitee(page: Visit, booked: string): string {
  return [page.isZoneKnown ? page.zone : null, booked].find(isUsableZone) ?? 'UTC'
}
type Visit = { readonly zone: string | null; readonly isZoneKnown: boolean }
