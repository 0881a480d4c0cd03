import { describe, expect, it } from 'vitest'
import { readEvents } from '../../src/platform/icalendar/read-events.ts'
import { StepBudget } from '../../src/platform/icalendar/step-budget.ts'

/** What a calendar text means; times are UTC to the minute. */
type Expected = {
  readonly window: readonly [string, string]
  readonly zone: string
  readonly owner: readonly string[]
  readonly busy: readonly (readonly [string, string])[]
  /** How many events are unclear, and how the earliest is named where the case is about that. */
  readonly unclear: number
  readonly earliest?: { readonly uid: string | null; readonly date: string | null }
  /** Of the first event: when it takes place, where the case is about that. */
  readonly time?: readonly [string, string] | null
}

const texts = import.meta.glob<string>('./icalendar/fixtures/*.ics', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const meanings = import.meta.glob<Expected>('./icalendar/fixtures/*.json', { import: 'default', eager: true })
const cases = Object.keys(texts).map((path) => ({
  name: /([^/]+)\.ics$/.exec(path)![1]!.replaceAll('-', ' '),
  text: texts[path]!,
  meaning: meanings[path.replace(/ics$/, 'json')]!,
}))

function minutes(interval: { readonly start: number; readonly end: number }): [string, string] {
  const show = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z')
  return [show(interval.start), show(interval.end)]
}

function read(text: string, { window, zone, owner }: Expected) {
  const [start, end] = window.map((time) => Date.parse(time)) as [number, number]
  const budget = new StepBudget()
  return readEvents(text, { window: { start, end }, timeZone: zone, ownerAddresses: owner, budget })
}

describe('the busy times of an iCalendar text', () => {
  it('are written down in pairs of files', () => {
    expect(cases.length).toBeGreaterThanOrEqual(35)
    expect(Object.keys(meanings).sort()).toEqual(
      Object.keys(texts)
        .map((path) => path.replace(/ics$/, 'json'))
        .sort(),
    )
  })

  it.each(cases)('$name', ({ text, meaning }) => {
    const { events, unclear } = read(text, meaning)
    const busy = events.flatMap((event) => event.busy).sort((a, b) => a.start - b.start)
    expect({ busy: busy.map(minutes), unclear: unclear.count }).toEqual({
      busy: meaning.busy,
      unclear: meaning.unclear,
    })
    if (meaning.earliest !== undefined) expect(unclear.earliest).toEqual(meaning.earliest)
    if (meaning.time !== undefined) {
      const [event] = events
      expect(event!.time && minutes(event!.time)).toEqual(meaning.time)
    }
  })

  it.each(cases)('$name, with LF for CRLF', ({ text, meaning }) => {
    const plain = text.replace(/\r\n/g, '\n')
    expect(read(plain, meaning)).toEqual(read(plain.replace(/\n/g, '\r\n'), meaning))
  })

  it('are read at once, however many blanks the name of a zone has', () => {
    const [fixture] = cases.filter(({ name }) => name.startsWith('coordinated universal time'))
    const name = `UTC${' '.repeat(10_000)}x\u2028y`
    const text = fixture!.text.replace('(UTC) Coordinated Universal Time', name)
    expect(text).toContain(name)
    expect(read(text, fixture!.meaning).events).toHaveLength(2)
  })
})
