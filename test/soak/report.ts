import type { Piece } from './pieces.ts'

const MB = 1_000_000
const MOST_FINDINGS = 50
const MOST_LETTERS = 2_000

/** A counted number of an operation and its answer, such as `book 201`. */
type Counts = Piece['counts']

/** The report of all pieces as it is printed, and as docs/benchmarks.md has it. */
export function linesOf(pieces: readonly Piece[]): string[] {
  const sum = (of: (piece: Piece) => number) => pieces.reduce((all, piece) => all + of(piece), 0)
  const findings = pieces.flatMap((piece) => piece.findings.map((finding) => `${piece.number}: ${finding}`))
  const [sent, seconds] = [sum((piece) => piece.sent), sum(({ seconds }) => seconds)]
  return [
    '| piece | seed | operations | kills | time | a second | bookings, entries, events at the end | received | drained in | database | findings |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...pieces.map(rowOf),
    '',
    `${count(sent)} operations in ${pieces.length} pieces took ${count(seconds)} s, ${Math.round(sent / seconds)} a second with everything; ${count(sum(({ acknowledged }) => acknowledged))} were acknowledged.`,
    `${sum(({ kills }) => kills)} kills; ${count(sum(({ cuts }) => cuts))} requests had no answer, and ${count(sum(({ repeated }) => repeated))} of them were sent again with their key.`,
    `${count(sum(({ audits }) => audits))} audits; the last ones compared ${count(sum(({ bookings }) => bookings))} bookings, ${count(sum(({ entries }) => entries))} waitlist entries and ${count(sum(({ events }) => events))} events.`,
    `${count(sum(({ told }) => told))} events were in the feeds once each, and were taken ${count(sum(({ deliveries }) => deliveries))} times by receivers that refused one in twenty.`,
    `${count(sum(({ payments = 0 }) => payments))} payments, ${count(sum(({ written = 0 }) => written))} calendar events and ${count(sum(({ texts = 0 }) => texts))} bookings with text messages were compared with the doubles.`,
    `${sum(({ moved }) => moved)} attempts that were due later were not waited for.`,
    `${findings.length} findings.`,
    '',
    '| operation | times | answers |',
    '| --- | ---: | --- |',
    ...operationsOf(pieces.map(({ counts }) => counts)),
    ...findings
      .slice(0, MOST_FINDINGS)
      .map((finding) => `\nFINDING in piece ${finding.slice(0, MOST_LETTERS)}`),
  ]
}

function rowOf(piece: Piece): string {
  const { number, seed, sent, kills, seconds, bookings, entries, events, deliveries, drainSeconds } = piece
  const cells = [
    number,
    seed,
    count(sent),
    kills,
    `${count(seconds)} s`,
    Math.round(sent / seconds),
    `${count(bookings)} / ${count(entries)} / ${count(events)}`,
    count(deliveries),
    `${drainSeconds} s`,
    `${(piece.bytes / MB).toFixed(1)} MB`,
    piece.findings.length,
  ]
  return `| ${cells.join(' | ')} |`
}

function operationsOf(all: readonly Counts[]): string[] {
  const sums = new Map<string, number>()
  for (const counts of all) {
    for (const [name, times] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + times)
  }
  const sorted = [...sums].sort(([a], [b]) => a.localeCompare(b))
  const byKind = Map.groupBy(sorted, ([name]) => name.slice(0, name.lastIndexOf(' ')))
  return [...byKind].map(([kind, answers]) => {
    const total = answers.reduce((sum, [, times]) => sum + times, 0)
    const answered = answers.map(([name, times]) => `${name.slice(kind.length + 1)}: ${times}`).join(', ')
    return `| ${kind} | ${total} | ${answered} |`
  })
}

const count = (number: number) => number.toLocaleString('en')
