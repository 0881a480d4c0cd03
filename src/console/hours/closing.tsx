import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import type { MemberRequest } from '../request.ts'
import { loadNamed, Named } from './affected.tsx'

/** What is shown before hours close times that are booked, and what the form keeps of it. */
export type Closing = {
  readonly note: ReturnType<typeof Named>
  readonly hidden: Readonly<Record<string, string>>
}

/** Null if nothing that is booked would be closed, or if the form showed these bookings already. */
export async function closingOf(request: MemberRequest, ids: readonly string[]): Promise<Closing | null> {
  const { form } = request
  const { locale } = request.page
  const bookings = await loadNamed(request, ids)
  const shown = [ids.length, ...bookings.map(({ id }) => id)].join()
  if (ids.length === 0 || form.get('closes') === shown) return null
  const texts = textsOf(locale, hoursTexts)
  return {
    note: (
      <Named
        request={request}
        label={texts.closing}
        text={pluralText(locale, texts.closes, ids.length)}
        bookings={bookings}
      />
    ),
    hidden: { closes: shown },
  }
}
