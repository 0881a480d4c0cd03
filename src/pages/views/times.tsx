import { formatInstant } from '../../http/instants.ts'
import { counted, dateText, shortDayText, timeText, timeWithZoneText } from '../../i18n/format.ts'
import { formatDate } from '../../scheduling/local-time.ts'
import { linkTo } from '../links.ts'
import type { OpenTimes, Slot } from '../open-times.ts'
import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly times: OpenTimes }

/** The times of the chosen day. */
export function Times({ page, times }: Props) {
  const { locale } = page
  const { texts } = locale
  const { selected, zone } = times
  if (selected === null) {
    const hasHighlighted = [...times.days.keys()].some((day) => day <= times.month.last)
    return <div class="times">{hasHighlighted && <p class="hint">{texts.pickADay}</p>}</div>
  }
  const slots = times.days.get(selected) ?? []
  const labels = slots.map(({ start }) => timeText(locale, start, zone))
  const isAmbiguous = (at: number) => labels.indexOf(labels[at]!) !== labels.lastIndexOf(labels[at]!)
  return (
    <div class="times">
      <h2 data-announce>
        <span aria-hidden="true">{shortDayText(locale, selected)}</span>
        <span class="unseen">
          {dateText(locale, selected)},{' '}
          {counted(locale, 'timesOnDay', slots.filter((slot) => !slot.isFull).length)}
        </span>
      </h2>
      {slots.length === 0 && <p class="hint">{texts.noTimesOnDay}</p>}
      <ul>
        {slots.map((slot, at) => (
          <li key={slot.start}>
            <Time
              page={page}
              slot={slot}
              date={formatDate(selected)}
              label={isAmbiguous(at) ? timeWithZoneText(locale, slot.start, zone) : labels[at]!}
            />
          </li>
        ))}
      </ul>
    </div>
  )
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
      rel="nofollow"
      href={linkTo(url, { date, month: null, time, wait })}
    >
      {label}
      {slot.isFull && <small>{locale.texts.fullJoinWaitlist}</small>}
      {slot.seatsLeft !== null && <small>{counted(locale, 'seatsLeft', slot.seatsLeft)}</small>}
    </a>
  )
}
