import { bookingsTexts } from '../../i18n/console/bookings.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import type { Visit } from '../visit.ts'

const DONE = ['moved', 'wasCancelled', 'refunded', 'left', 'booked'] as const
export type Done = (typeof DONE)[number]

/** What was just done, as the address says after a form was sent. */
export function doneIn({ page }: Visit): string | undefined {
  const said = page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  return done && textsOf(page.locale, bookingsTexts)[done]
}
