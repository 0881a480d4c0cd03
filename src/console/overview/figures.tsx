import type { Totals } from '../../money/usage/report/compare-periods.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { overviewTexts } from '../../platform/i18n/console/overview.ts'
import { moneyText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import type { Overview } from './load.ts'

/** Below this, whole percents are too coarse. */
const SMALL_SHARE = 0.1

type Props = { readonly request: MemberRequest; readonly overview: Overview }

/** The numbers of the period, each beside that of the period before. */
export function Figures({ request, overview }: Props) {
  const { page, member } = request
  const { locale } = page
  const { comparison, openMinutes, openBefore } = overview
  const { totals, before } = comparison
  const texts = textsOf(locale, overviewTexts)
  const number = (n: number) => n.toLocaleString(locale.tag)
  const share = (taken: number, open: number) =>
    open === 0
      ? texts.unknown
      : Math.min(1, taken / open).toLocaleString(locale.tag, {
          style: 'percent',
          maximumFractionDigits: taken / open < SMALL_SHARE ? 1 : 0,
        })
  const money = ({ revenue }: Totals) => {
    const amounts = Object.entries(revenue).filter(([, amount]) => amount !== 0)
    return (
      amounts.map(([currency, amount]) => moneyText(locale, amount, currency)).join(' · ') || texts.nothing
    )
  }
  const figures: readonly (readonly [name: string, now: string, then: string])[] = [
    [texts.booked, number(totals.bookings), number(before.bookings)],
    [texts.filled, share(totals.taken, openMinutes), share(before.taken, openBefore)],
    [texts.noShows, number(totals.no_shows), number(before.no_shows)],
    ...(isRolePermitted(member.role, 'administer')
      ? [[texts.earned, money(totals), money(before)] as const]
      : []),
  ]
  return (
    <dl class="figures">
      {figures.map(([name, now, then]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {now}
            <span class="soft">{fill(texts.before, { value: then })}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
