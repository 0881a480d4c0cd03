/** Plain SVG, made on the server; a table beside each says the same. */

const [BAR, GAP, HEIGHT] = [8, 2, 60] as const

type Days = {
  readonly counts: readonly number[]
  readonly label: string
  /** What the first and the last day are called. */
  readonly ends: readonly [string, string]
}

/** A bar for each day, below the greatest number. */
export function DayBars({ counts, label, ends: [first, last] }: Days) {
  const most = Math.max(1, ...counts)
  const width = counts.length * (BAR + GAP) - GAP
  return (
    <svg class="drawing" viewBox={`0 -12 ${width} ${HEIGHT + 26}`} role="img" aria-label={label}>
      <path class="axis" d={`M0 ${HEIGHT + 0.5}H${width}`} />
      <text class="scale" x="0" y={HEIGHT + 12}>
        {first}
      </text>
      <text class="scale" x={width} y={HEIGHT + 12} text-anchor="end">
        {last}
      </text>
      {counts.includes(most) && (
        <text class="scale" x={counts.indexOf(most) * (BAR + GAP) + BAR / 2} y="-3" text-anchor="middle">
          {most}
        </text>
      )}
      {counts.map((count, at) => {
        const height = (count / most) * HEIGHT
        return <rect key={at} x={at * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height} rx="1" />
      })}
    </svg>
  )
}

const [CELL, LABEL] = [10, 24] as const
/** These hours are drawn even if nothing starts in them. */
const [EARLY, LATE] = [8, 17] as const

type Cells = {
  /** How many start in an hour of the week, from Monday on. */
  readonly counts: ReadonlyMap<number, number>
  readonly label: string
  readonly dayOf: (day: number) => string
  readonly timeOf: (hour: number) => string
}

/** A row for each day, a cell for each hour, the stronger the more begins in it. */
export function HourCells({ counts, label, dayOf, timeOf }: Cells) {
  const hours = [...counts].filter(([, n]) => n > 0).map(([hour]) => hour % 24)
  const [first, last] = [Math.min(EARLY, ...hours), Math.max(LATE, ...hours)]
  const shown = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const most = Math.max(1, ...counts.values())
  const width = LABEL + shown.length * CELL
  return (
    <svg class="drawing" viewBox={`0 0 ${width} ${8 * CELL}`} role="img" aria-label={label}>
      {Array.from({ length: 7 }, (_, day) => day).map((day) => (
        <g key={day}>
          <text x="0" y={day * CELL + 7.5}>
            {dayOf(day)}
          </text>
          {shown.map((hour, at) => {
            const count = counts.get(day * 24 + hour) ?? 0
            const place = { x: LABEL + at * CELL, y: day * CELL, width: CELL - 1, height: CELL - 1, rx: 1.5 }
            return count === 0 ? (
              <rect key={hour} class="none" {...place} />
            ) : (
              <rect key={hour} {...place} fill-opacity={0.25 + 0.75 * (count / most)} />
            )
          })}
        </g>
      ))}
      <text x={LABEL} y={8 * CELL - 2}>
        {timeOf(first)}
      </text>
      <text x={width} y={8 * CELL - 2} text-anchor="end">
        {timeOf(last)}
      </text>
    </svg>
  )
}

type Bar = { readonly name: string; readonly count: number }

/** A bar for each, the longest first. */
export function TypeBars({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  if (bars.length === 0) return null
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <svg class="drawing" viewBox={`0 0 360 ${bars.length * 28}`} role="img" aria-label={label}>
      {bars.map(({ name, count }, at) => (
        <g key={name}>
          <text class="bar-name" x="0" y={at * 28 + 12}>
            {name.length > 40 ? `${name.slice(0, 39)}…` : name} · {count}
          </text>
          <rect x="0" y={at * 28 + 17} width={(count / most) * 360} height="7" rx="1" />
        </g>
      ))}
    </svg>
  )
}
