import { execFileSync } from 'node:child_process'
import { RRuleTemporal } from 'rrule-temporal'
import type { Series } from './series.ts'

/** The starts that another program finds; null where it finds the series unreadable or has no such thing. */
export type Expander = (series: Series) => readonly number[] | null

/** libical by its library: `program` is `expand.c`, which reads the whole text. */
export function libicalOn(program: string, text: string): Expander {
  let events: readonly string[] = []
  try {
    const said = execFileSync(program, {
      input: text,
      encoding: 'utf8',
      timeout: 10_000,
      maxBuffer: 2 ** 27,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    events = said.split(/^EVENT .*$/m).slice(1)
  } catch {
    // Its own limits: nothing is compared then.
  }
  return ({ from, to, place }) => {
    const starts = events[place]?.trim().split('\n').filter(Boolean).map(Number)
    return starts === undefined ? null : unique(starts, from, to)
  }
}

export const rruleTemporal: Expander = ({ lines, from, to }) => {
  const wanted = lines.filter((line) => /^(DTSTART|RRULE|RDATE|EXDATE)[;:]/i.test(line))
  try {
    const rule = new RRuleTemporal({ rruleString: wanted.join('\n'), maxIterations: 20_000 })
    const found = rule.between(new Date(from - 1000), new Date(to), true)
    return unique(
      found.map(({ epochMilliseconds }) => epochMilliseconds / 1000),
      from,
      to,
    )
  } catch {
    return null
  }
}

function unique(seconds: readonly number[], from: number, to: number): number[] {
  return [...new Set(seconds)].filter((each) => each * 1000 >= from && each * 1000 < to).sort((a, b) => a - b)
}
