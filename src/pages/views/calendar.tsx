import { formatDate } from '../../core/local-time.ts'
import {
  counted,
  dateText,
  dayNumber,
  monthsText,
  monthText,
  shortMonthText,
  weekdayText,
} from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { linkTo } from '../links.ts'
import { firstWeekdayOf, type Month, monthAfter, monthBefore, monthOfDate, weeksOf } from '../month.ts'
import type { OpenTimes } from '../open-times.ts'
import type { Page } from '../page.ts'
import { Icon } from './icon.tsx'

type Props = { readonly page: Page; readonly times: OpenTimes }

/** A month as a grid of days (ARIA date picker pattern): links where something is open, plain numbers elsewhere. */
export function Calendar({ page, times }: Props) {
  const { locale, url } = page
  const { month, shown } = times
  const { texts } = locale
  const weeks = weeksOf(shown, firstWeekdayOf(locale.tag))
  const name = monthsText(locale, Math.max(shown.first, month.first), shown.last)
  const isFirst = month.first <= monthOfDate(times.today).first
  const hasOpen = [...times.days].some(
    ([day, slots]) => day <= shown.last && slots.some((slot) => !slot.isFull),
  )
  return (
    <div class="calendar">
      <div class="months">
        <h2 id="month" data-announce>
          {name}
        </h2>
        <MonthLink page={page} to={isFirst ? null : monthBefore(month)} direction="previous" />
        <MonthLink page={page} to={monthAfter(month)} direction="next" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is what the grid is without script. */}
      <table role="grid" aria-labelledby="month" data-grid>
        <thead>
          <tr>
            {weeks[1]!.map((day) => (
              <th key={day} scope="col" abbr={weekdayText(locale, day!, 'long')}>
                <span class="short">{weekdayText(locale, day!, 'short')}</span>
                <span class="narrow-day" aria-hidden="true">
                  {weekdayText(locale, day!, 'narrow')}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, at) => (
                <Day key={day ?? `empty-${at}`} page={page} times={times} day={day} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!hasOpen && (
        <p class="hint" data-announce>
          {fill(texts.noTimesInMonth, { month: name })}
          {times.isCapped && ` ${texts.capReached}`}{' '}
          {times.nextOpenDay !== null && (
            <a
              data-swap
              data-key={formatDate(times.nextOpenDay)}
              href={linkTo(url, {
                month: monthOfDate(times.nextOpenDay).name,
                date: formatDate(times.nextOpenDay),
                time: null,
              })}
            >
              {fill(texts.nextOpenDay, { date: dateText(locale, times.nextOpenDay) })}
            </a>
          )}
        </p>
      )}
    </div>
  )
}

type MonthLinkProps = {
  readonly page: Page
  readonly to: Month | null
  readonly direction: 'previous' | 'next'
}

function MonthLink({ page, to, direction }: MonthLinkProps) {
  const { locale, url } = page
  const label = direction === 'next' ? locale.texts.nextMonth : locale.texts.previousMonth
  if (to === null) {
    return (
      <span class="round off">
        <Icon name={direction} />
      </span>
    )
  }
  return (
    <a
      class="round"
      data-swap
      data-key={direction}
      rel="nofollow"
      href={linkTo(url, { month: to.name, date: null, time: null })}
    >
      <Icon name={direction} />
      <span class="unseen">{[label, monthText(locale, to.first)].join(locale.texts.comma)}</span>
    </a>
  )
}

/** A td of a grid is a gridcell, which the linter does not know: hence the spread attributes. */
type DayProps = { readonly page: Page; readonly times: OpenTimes; readonly day: number | null }

function Day({ page, times, day }: DayProps) {
  if (day === null) return <td />
  const { locale, url } = page
  const { texts } = locale
  const slots = times.days.get(day) ?? []
  const open = slots.filter((slot) => !slot.isFull).length
  const isSelected = day === times.selected
  const date = formatDate(day)
  const isToday = day === times.today
  const isNextMonth = day > times.month.last && day === monthOfDate(day).first
  const spoken = [
    dateText(locale, day),
    ...(isToday ? [texts.today] : []),
    stateOf(locale, slots.length, open),
  ]
  const content = (
    <>
      <span aria-hidden="true">{dayNumber(locale, day)}</span>
      {isNextMonth && (
        <small class="next-month" aria-hidden="true">
          {shortMonthText(locale, day)}
        </small>
      )}
      <span class="unseen">{spoken.join(texts.comma)}</span>
    </>
  )
  const today = isToday ? ' today' : ''
  if (slots.length === 0) {
    return (
      <td {...{ 'aria-disabled': true }}>
        <span class={`day off${today}${day < times.today ? ' past' : ''}`} data-day={date}>
          {content}
        </span>
      </td>
    )
  }
  return (
    <td {...{ 'aria-selected': isSelected }}>
      <a
        class={`day${today}${open === 0 ? ' full' : ''}`}
        data-swap
        data-day={date}
        data-key={date}
        rel="nofollow"
        href={linkTo(url, { month: times.month.name, date, time: null })}
      >
        {content}
      </a>
    </td>
  )
}

function stateOf(locale: Page['locale'], all: number, open: number): string {
  if (open > 0) return counted(locale, 'timesOnDay', open)
  return all > 0 ? locale.texts.fullDay : locale.texts.noTimes
}
