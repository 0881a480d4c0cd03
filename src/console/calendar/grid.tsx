import { formatDate, wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dateText, dayNumber, timeText, weekdayText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { todayOf } from '../bookings/views.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import type { Column, Laid } from './columns.ts'
import { DaysOff } from './days-off.tsx'
import { addressOf, type Shown } from './range.ts'
import { laneClass, placeClass } from './styles.ts'

type Props = {
  readonly request: MemberRequest
  readonly shown: Shown
  readonly columns: readonly Column[]
  readonly hours: { readonly first: number; readonly last: number }
  /** The class of an event type's color. */
  readonly colorOf: (eventTypeId: string) => string
  /** What a column is called, by its member; the date if there is none. */
  readonly nameOf: (memberId: string | null) => string
  readonly mayWrite: boolean
}

/** Columns of a day or a week, each hour as high as the others. It scrolls sideways. */
export function Grid(props: Props) {
  const { request, shown, columns, hours } = props
  const { locale } = request.page
  const texts = textsOf(locale, calendarViewTexts)
  const all = Array.from({ length: hours.last - hours.first }, (_, at) => hours.first + at)
  return (
    <section class={`planner by-${shown.view}`} aria-label={texts.title} data-first={hours.first}>
      <div class="p-columns">
        <div class="p-axis" aria-hidden="true">
          {all.map((hour, at) => (
            <span key={hour} class={placeClass({ at: at * 12, length: 12 })}>
              {timeText(locale, hour * HOUR_MS, 'UTC')}
            </span>
          ))}
        </div>
        {columns.map((column) => (
          <DayColumn key={column.key} {...props} column={column} all={all} />
        ))}
      </div>
    </section>
  )
}

type ColumnProps = Props & { readonly column: Column; readonly all: readonly number[] }

function DayColumn({ column, all, ...props }: ColumnProps) {
  const { request, shown, nameOf, mayWrite } = props
  const { locale } = request.page
  const texts = textsOf(locale, calendarViewTexts)
  const { key, day, memberId, blocks, bands, open } = column
  const id = `column-${key}`
  const of = memberId ? `&member=${memberId}` : ''
  const timeAt = (hour: number) =>
    `/console/calendar/time?at=${formatDate(day)}T${String(hour).padStart(2, '0')}:00${of}`
  const label =
    memberId === undefined ? dateText(locale, day) : `${nameOf(memberId)}, ${dateText(locale, day)}`
  return (
    <section class="p-column" aria-labelledby={id} data-day={day} data-member={memberId}>
      <header>
        <h2 id={id}>
          {memberId === undefined ? (
            <a
              href={addressOf({ ...shown, view: 'day', from: day })}
              aria-current={day === todayOf(request) ? 'date' : undefined}
            >
              {weekdayText(locale, day, 'short')} <strong>{dayNumber(locale, day)}</strong>
            </a>
          ) : (
            <bdi>{nameOf(memberId)}</bdi>
          )}
        </h2>
        {mayWrite && (
          <a class="round" href={timeAt(9)} aria-label={fill(texts.free, { day: label })}>
            <Sign name="plus" />
          </a>
        )}
        <DaysOff bands={bands} />
      </header>
      <div class="p-hours">
        {open.map((place) => (
          <i key={place.at} class={`is-open ${placeClass(place)}`} />
        ))}
        {mayWrite && (
          <div class="p-frees" aria-hidden="true">
            {all.map((hour, at) => (
              <a key={hour} class={placeClass({ at: at * 12, length: 12 })} href={timeAt(hour)} tabIndex={-1}>
                +
              </a>
            ))}
          </div>
        )}
        {bands
          .filter(({ isWhole, band }) => !(isWhole && band.kind === 'off' && memberId === undefined))
          .map(({ band, isWhole, ...place }) => (
            <div
              key={`${band.kind}${band.start}${band.memberId}`}
              class={`is-${band.kind} ${placeClass(place)}`}
            >
              <span class={band.kind === 'busy' || isWhole ? 'unseen' : undefined}>{band.text}</span>
            </div>
          ))}
        <ol>
          {blocks.map((block) => (
            <Block key={block.entry.id} {...props} block={block} />
          ))}
        </ol>
        {blocks.length === 0 && <p class="unseen">{texts.nothing}</p>}
      </div>
    </section>
  )
}

function Block({ request, block, colorOf }: Props & { readonly block: Laid }) {
  const { page, zone } = request
  const { entry, lane, lanes } = block
  const { kind, start, end, title, notes, href, eventTypeId } = entry
  return (
    <li class={`${placeClass(block)}${laneClass(lane, lanes)}`}>
      <a
        class={`k-${kind} ${colorOf(eventTypeId)}`}
        href={`/console/${href}`}
        data-at={wallTimeOf(zoneTable(zone, start, start), start)}
        data-min={(end - start) / MINUTE_MS}
      >
        <time>{timeText(page.locale, start, zone)}</time> <bdi>{title}</bdi>
        <small>{notes.join(' · ')}</small>
      </a>
    </li>
  )
}
