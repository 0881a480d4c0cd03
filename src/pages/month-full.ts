import { nextMonthAt } from '../engine/schedule/full-month.ts'
import { dateText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import type { Page } from './page.ts'

/** That the plan's bookings of this month are used up, and when booking opens again. */
export function monthFullText({ locale, ctx }: Page): string {
  return fill(locale.texts.monthFull, { date: dateText(locale, nextMonthAt(ctx.now)) })
}
