import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'

type ActedBy = NonNullable<BookingDetail['cancelled_by']>

/** Somebody who changed the booking, as people call them. */
export function byWhom(locale: Locale, { type, id, name }: ActedBy): string {
  const texts = textsOf(locale, activityTexts)
  switch (type) {
    case 'member':
      return name ?? fill(texts.formerMember, { id: id ?? '' })
    case 'api_key':
      return name ? fill(texts.byKey, { name }) : texts.aKey
    case 'service':
      return texts.operator
    case 'invitee':
      return texts.invitee
    case 'system':
      return texts.system
  }
}
