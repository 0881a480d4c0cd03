import { listClosed, type ZonedHours } from '../../booking/hours/schedules/list-closed.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import { sharedEnv } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { loadNamed, Named } from './affected.tsx'

/** What is shown before hours close times that are booked, and what the form keeps of it. */
export type Closing = {
  readonly note: ReturnType<typeof Named>
  readonly hidden: Readonly<Record<string, string>>
}

/** Null if the new hours close nothing that is booked, or if the form showed these bookings already. */
export async function closingBy(
  request: MemberRequest,
  schedule: Schedule,
  hours: ZonedHours,
): Promise<Closing | null> {
  const { form, now } = request
  const { locale } = request.page
  const ids = await listClosed(sharedEnv(request), request, { schedule, hours, now })
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
