import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dateText, dayNumber, pluralText, timeText, weekdayText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { todayOf } from '../bookings/views.ts'
import type { MemberRequest } from '../request.ts'
import type { Column } from './columns.ts'
import { DaysOff } from './days-off.tsx'
import { addressOf, type Shown } from './range.ts'

type Props = {
  readonly request: MemberRequest
  readonly shown: Shown
  readonly title: string
  readonly columns: readonly Column[]
  readonly colorOf: (eventTypeId: string) => string
}

/** How many entries of a day are shown; the others are in its day. */
const MOST = 3

export function Month({ request, shown, title, columns, colorOf }: Props) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, calendarViewTexts)
  const weeks = Array.from({ length: columns.length / 7 }, (_, at) => columns.slice(at * 7, at * 7 + 7))
  const month = new Date(shown.from).getUTCMonth()
  const today = todayOf(request)
  return (
    <section class="planner by-month" aria-label={texts.title}>
      <table>
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            {weeks[0]!.map(({ day }) => (
              <th key={day} scope="col">
                {weekdayText(locale, day, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]!.day}>
              {week.map(({ day, blocks, bands }) => {
                const isOther = new Date(day).getUTCMonth() !== month
                const to = addressOf({ ...shown, view: 'day', from: day })
                const count = pluralText(locale, texts.count, blocks.length)
                return (
                  <td
                    key={day}
                    class={isOther ? 'other' : undefined}
                    aria-current={day === today ? 'date' : undefined}
                  >
                    <a class="date" href={to} aria-label={`${dateText(locale, day)}, ${count}`}>
                      {dayNumber(locale, day)}
                    </a>
                    <DaysOff bands={bands} />
                    <ul>
                      {blocks.slice(0, MOST).map(({ entry }) => (
                        <li key={entry.id}>
                          <a
                            class={`k-${entry.kind} ${colorOf(entry.eventTypeId)}`}
                            href={`/console/${entry.href}`}
                          >
                            <time>{timeText(locale, entry.start, zone)}</time> <bdi>{entry.title}</bdi>
                          </a>
                        </li>
                      ))}
                    </ul>
                    {blocks.length > MOST && (
                      <p class="soft">{fill(texts.more, { n: blocks.length - MOST })}</p>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
