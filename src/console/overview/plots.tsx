import type { ComponentChildren } from 'preact'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import type { Comparison } from '../../money/usage/report/compare-periods.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { overviewTexts } from '../../platform/i18n/console/overview.ts'
import { pluralText, shortDayText, timeText, weekdayText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { DayBars, HourCells, TypeBars } from './drawings.tsx'
import { DAYS, type Overview } from './load.ts'

/** A Monday. */
const MONDAY = 4 * DAY_MS
const MOST_TYPES = 8

type Props = { readonly request: MemberRequest; readonly comparison: Comparison }
type TypesProps = { readonly request: MemberRequest; readonly eventTypes: Overview['byEventType'] }

/** How the bookings of the period are distributed: drawings, each with a sentence and a table. */
export function Plots({ request, comparison, eventTypes }: Props & TypesProps) {
  return (
    <div class="plots">
      <DaysPlot request={request} comparison={comparison} />
      <HoursPlot request={request} comparison={comparison} />
      <TypesPlot request={request} eventTypes={eventTypes} />
    </div>
  )
}

function DaysPlot({ request: { page }, comparison }: Props) {
  const { locale } = page
  const texts = textsOf(locale, overviewTexts)
  const { present, days, totals, before } = comparison
  const counts = new Map(days.map((group) => [group.key, group]))
  const all = Array.from({ length: DAYS }, (_, at) => (present.first + at) * DAY_MS).map((midnight) => {
    const group = counts.get(new Date(midnight).toISOString().slice(0, 10))
    return {
      midnight,
      bookings: group?.bookings ?? 0,
      cancelled: group?.cancelled ?? 0,
      no_shows: group?.no_shows ?? 0,
    }
  })
  const more = totals.bookings - before.bookings
  const forms = more > 0 ? texts.daysMore : texts.daysFewer
  const said =
    more === 0
      ? fill(texts.daysSame, { days: DAYS })
      : fill(pluralText(locale, forms, Math.abs(more)), { n: Math.abs(more), days: DAYS })
  return (
    <Plot
      title={texts.plotDays}
      said={said}
      table={{
        text: texts.showTable,
        head: [texts.day, texts.booked, texts.cancelled, texts.noShows],
        rows: all.map((day) => [
          shortDayText(locale, day.midnight),
          day.bookings,
          day.cancelled,
          day.no_shows,
        ]),
      }}
    >
      <DayBars
        counts={all.map(({ bookings }) => bookings)}
        label={`${texts.plotDays}. ${said}`}
        ends={[shortDayText(locale, all[0]!.midnight), shortDayText(locale, all.at(-1)!.midnight)]}
      />
    </Plot>
  )
}

function HoursPlot({ request: { page }, comparison: { hours } }: Props) {
  const { locale } = page
  const texts = textsOf(locale, overviewTexts)
  const counts = new Map(hours.map(({ key, bookings }) => [Number(key), bookings]))
  const dayOf = (hour: number, style: 'long' | 'short') =>
    weekdayText(locale, MONDAY + Math.floor(hour / 24) * DAY_MS, style)
  const timeOf = (hour: number) => timeText(locale, (hour % 24) * HOUR_MS, 'UTC')
  const most = Math.max(0, ...counts.values())
  const [first] = [...counts].filter(([, n]) => n === most).sort(([a], [b]) => a - b)
  const said =
    most === 0
      ? texts.nothingBooked
      : fill(pluralText(locale, texts.hoursMost, most), {
          day: dayOf(first![0], 'long'),
          time: timeOf(first![0]),
          n: most,
        })
  const rows = [...counts].filter(([, n]) => n > 0).sort(([a], [b]) => a - b)
  return (
    <Plot
      title={texts.plotHours}
      said={said}
      table={{
        text: texts.showTable,
        head: [texts.day, texts.hour, texts.booked],
        rows: rows.map(([hour, n]) => [dayOf(hour, 'long'), timeOf(hour), n]),
      }}
    >
      <HourCells
        counts={counts}
        label={`${texts.plotHours}. ${said}`}
        dayOf={(day) => dayOf(day * 24, 'short')}
        timeOf={timeOf}
      />
    </Plot>
  )
}

function TypesPlot({ request: { page }, eventTypes }: TypesProps) {
  const { locale } = page
  const texts = textsOf(locale, overviewTexts)
  const booked = eventTypes.filter(({ bookings }) => bookings > 0)
  const [top] = booked
  const said = top
    ? fill(texts.typesMost, {
        title: top.label,
        n: top.bookings,
        all: booked.reduce((sum, { bookings }) => sum + bookings, 0),
      })
    : texts.nothingBooked
  return (
    <Plot
      title={texts.plotTypes}
      said={said}
      table={{
        text: texts.showTable,
        head: [texts.eventType, texts.booked, texts.cancelled, texts.noShows],
        rows: eventTypes.map((one) => [one.label, one.bookings, one.cancelled, one.no_shows]),
      }}
    >
      <TypeBars
        bars={booked.slice(0, MOST_TYPES).map(({ label, bookings }) => ({ name: label, count: bookings }))}
        label={`${texts.plotTypes}. ${said}`}
      />
    </Plot>
  )
}

type Table = {
  readonly text: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

type PlotProps = {
  readonly title: string
  /** What the drawing shows, in a sentence. */
  readonly said: string
  readonly table: Table
  readonly children: ComponentChildren
}

function Plot({ title, said, table, children }: PlotProps) {
  return (
    <section class="panel plot">
      <h2>{title}</h2>
      <p>{said}</p>
      {children}
      {table.rows.length > 0 && (
        <details>
          <summary aria-label={`${table.text}: ${title}`}>{table.text}</summary>
          <div class="plot-table">
            <table>
              <thead>
                <tr>
                  {table.head.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map(([name, ...values]) => (
                  <tr key={`${name} ${values[0]}`}>
                    <th scope="row">
                      <bdi>{name}</bdi>
                    </th>
                    {values.map((value, at) => (
                      <td key={`${table.head[at + 1]}`}>{value}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </section>
  )
}
