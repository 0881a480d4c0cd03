import { formatDate } from '../../core/local-time.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import {
  counted,
  dateText,
  hourOf,
  shortDayText,
  timeText,
  timeWithZoneText,
} from '../../platform/i18n/format.ts'
import { linkTo } from '../links.ts'
import type { OpenTimes, Slot } from '../open-times.ts'
import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly times: OpenTimes }

/** The times of the chosen day, by the parts of the day. `days.js` makes the same of another day. */
export function Times({ page, times }: Props) {
  const { locale } = page
  const { texts } = locale
  const { selected, zone } = times
  if (selected === null) {
    const hasHighlighted = [...times.days.keys()].some((day) => day <= times.shown.last)
    return <div class="times">{hasHighlighted && <p class="hint">{texts.pickADay}</p>}</div>
  }
  const slots = times.days.get(selected) ?? []
  const labels = slots.map(({ start }) => timeText(locale, start, zone))
  const isAmbiguous = (at: number) => labels.indexOf(labels[at]!) !== labels.lastIndexOf(labels[at]!)
  const rows = slots.map((slot, at) => ({
    slot,
    part: partOf(hourOf(slot.start, zone)),
    label: isAmbiguous(at) ? timeWithZoneText(locale, slot.start, zone) : labels[at]!,
  }))
  const parts = [texts.morning, texts.afternoon, texts.evening]
  const open = slots.filter((slot) => !slot.isFull).length
  const count = open > 0 || slots.length === 0 ? counted(locale, 'timesOnDay', open) : texts.fullDay
  return (
    <div class="times">
      <h2 data-announce>
        <span aria-hidden="true">{shortDayText(locale, selected)}</span>
        <span class="unseen">{[dateText(locale, selected), count].join(texts.comma)}</span>
      </h2>
      {slots.length === 0 && <p class="hint">{texts.noTimesOnDay}</p>}
      <div class="parts">
        {parts.map((name, part) => {
          const own = rows.filter((row) => row.part === part)
          if (own.length === 0) return null
          return (
            <section key={name} aria-label={name}>
              <h3>{name}</h3>
              <ul>
                {own.map(({ slot, label }) => (
                  <li key={slot.start}>
                    <Time page={page} slot={slot} date={formatDate(selected)} label={label} />
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
    </div>
  )
}

function partOf(hour: number): number {
  if (hour < 12) return 0
  return hour < 17 ? 1 : 2
}

type TimeProps = {
  readonly page: Page
  readonly slot: Slot
  readonly date: string
  readonly label: string
}

function Time({ page, slot, date, label }: TimeProps) {
  const { locale, url } = page
  const time = formatInstant(slot.start)
  const wait = slot.isFull ? '1' : null
  return (
    <a
      class={slot.isFull ? 'time full' : 'time'}
      data-swap
      data-time={time}
      rel="nofollow"
      href={linkTo(url, { date, month: null, time, wait })}
    >
      {label}
      {slot.isFull && <small>{locale.texts.fullJoinWaitlist}</small>}
      {slot.seatsLeft !== null && <small>{counted(locale, 'seatsLeft', slot.seatsLeft)}</small>}
    </a>
  )
}
